package org.leitong;

import java.math.BigInteger;
import java.util.Arrays;

/** A SimHash of 32, 64, 128 or 256 bits. A value. */
public final class Fingerprint {
  private final long[] words;
  private final int bits;

  Fingerprint(long[] words, int bits) {
    this.words = words;
    this.bits = bits;
  }

  /**
   * A fingerprint of 64 bits.
   *
   * @param word the bits
   * @return the fingerprint
   */
  public static Fingerprint of(long word) {
    return new Fingerprint(new long[] {word}, 64);
  }

  /**
   * How many bits it has.
   *
   * @return 32, 64, 128 or 256
   */
  public int bits() {
    return bits;
  }

  /**
   * Its bits, 64 in a number, the lowest first.
   *
   * @param i from 0 to (bits() - 1) / 64
   * @return bits 64 i to 64 i + 63
   */
  public long word(int i) {
    if (i < 0 || i >= words.length) throw LeitongException.usage("word " + i + " of a fingerprint of " + bits + " bits");
    return words[i];
  }

  /**
   * The bits in which two fingerprints of one profile differ.
   *
   * @param other of the same width
   * @return from 0 to bits()
   */
  public int distance(Fingerprint other) {
    if (LeitongException.given(other, "other").bits != bits) {
      throw LeitongException.usage("fingerprints of " + bits + " and " + other.bits + " bits have no distance");
    }
    int distance = 0;
    for (int i = 0; i < words.length; i++) distance += Long.bitCount(words[i] ^ other.words[i]);
    return distance;
  }

  /**
   * The number whose binary digits the bits are.
   *
   * @return not negative
   */
  public BigInteger toBigInteger() {
    byte[] magnitude = new byte[words.length * 8];
    for (int i = 0; i < magnitude.length; i++) magnitude[magnitude.length - 1 - i] = (byte) (words[i / 8] >>> i % 8 * 8);
    return new BigInteger(1, magnitude);
  }

  /**
   * In hexadecimal, the highest bit first.
   *
   * @return bits() / 4 digits in small letters
   */
  public String toHex() {
    String digits = toBigInteger().toString(16);
    return "0".repeat(bits / 4 - digits.length()) + digits;
  }

  /**
   * As 0 and 1.
   *
   * @param leastFirst the lowest bit first, as the programs of articles 000 and 004 write it
   * @return bits() characters
   */
  public String toBits(boolean leastFirst) {
    char[] out = new char[bits];
    for (int i = 0; i < bits; i++) out[leastFirst ? i : bits - 1 - i] = (words[i / 64] >>> i % 64 & 1) == 0 ? '0' : '1';
    return new String(out);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fingerprint && bits == ((Fingerprint) other).bits && Arrays.equals(words, ((Fingerprint) other).words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }

  /** As {@link #toHex}. */
  @Override
  public String toString() {
    return toHex();
  }
}
