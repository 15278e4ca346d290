package org.leitong.articles.article000;

import java.math.BigInteger;
import java.util.List;
import org.leitong.Profile;
import org.leitong.articles.Bits;
import org.leitong.articles.Programs;

/** In the place of article 000's class: the same methods and the same bits, from Leitong's profile {@code java-ik}. */
public final class SimHashUtil {
  private static final int HASH_BITS = 64;

  private SimHashUtil() {}

  /**
   * The fingerprint of a text.
   *
   * @param tokens a text
   * @return 64 times 0 or 1, the lowest bit first
   */
  public static String simHash(String tokens) {
    return Programs.fingerprint(Programs.ik(Profile.JAVA_IK), tokens, fingerprint -> fingerprint.toBits(true));
  }

  /**
   * Places in which two fingerprints differ.
   *
   * @param str1 a fingerprint
   * @param str2 another
   * @return -1 for different lengths
   */
  public static int getDistance(String str1, String str2) {
    return Bits.distance(str1, str2);
  }

  /**
   * The distance + 1 blocks of which two fingerprints within that distance have one in common.
   *
   * @param strSimHash a fingerprint
   * @param distance 0 or more
   * @return numbers
   */
  public static List<BigInteger> subByDistance(String strSimHash, int distance) {
    return Bits.blocks(strSimHash, HASH_BITS, distance);
  }
}
