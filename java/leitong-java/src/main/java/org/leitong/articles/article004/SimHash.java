package org.leitong.articles.article004;

import java.math.BigInteger;
import java.util.List;
import org.leitong.Fingerprint;
import org.leitong.Profile;
import org.leitong.articles.Bits;
import org.leitong.articles.Programs;

/** In the place of article 004's class: the same methods and the same bits, from Leitong's profile {@code java-hanlp}. */
public class SimHash {
  private final int hashbits;
  private final BigInteger intSimHash;
  private final String strSimHash;

  /**
   * The fingerprint of a text, of 64 bits.
   *
   * @param tokens a text
   */
  public SimHash(String tokens) {
    this(tokens, 64);
  }

  /**
   * The fingerprint of a text.
   *
   * @param tokens a text
   * @param hashbits 32, 64 or 128
   */
  public SimHash(String tokens, int hashbits) {
    this.hashbits = hashbits;
    Profile profile = Programs.hanlp(Profile.JAVA_HANLP).withBits(hashbits);
    Fingerprint fingerprint = Programs.fingerprint(profile, tokens, made -> made);
    this.intSimHash = fingerprint.toBigInteger();
    this.strSimHash = fingerprint.toBits(true);
  }

  /**
   * The number whose binary digits the bits are.
   *
   * @return not negative
   */
  public BigInteger simHash() {
    return intSimHash;
  }

  /**
   * The bits as the program keeps them.
   *
   * @return 0 and 1, the lowest bit first
   */
  public String getStrSimHash() {
    return strSimHash;
  }

  /**
   * Bits in which two fingerprints differ.
   *
   * @param other another
   * @return 0 or more
   */
  public int hammingDistance(SimHash other) {
    return intSimHash.xor(other.intSimHash).bitCount();
  }

  /**
   * Places in which two strings differ.
   *
   * @param str1 a fingerprint
   * @param str2 another
   * @return -1 for different lengths
   */
  public int getDistance(String str1, String str2) {
    return Bits.distance(str1, str2);
  }

  /**
   * The blocks of a fingerprint. As in the article, they end with the highest set bit of this one: blocks of zeros beyond it are missing.
   *
   * @param simHash the one whose blocks are wanted
   * @param distance 0 or more
   * @return numbers
   */
  public List<BigInteger> subByDistance(SimHash simHash, int distance) {
    int length = intSimHash.bitLength();
    StringBuilder bits = new StringBuilder(length);
    for (int i = 0; i < length; i++) bits.append(simHash.intSimHash.testBit(i) ? '1' : '0');
    return Bits.blocks(bits.toString(), hashbits, distance);
  }
}
