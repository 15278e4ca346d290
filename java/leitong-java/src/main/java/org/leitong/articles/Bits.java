package org.leitong.articles;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** What the programs do with finished fingerprints, which are strings of 0 and 1. */
public final class Bits {
  private Bits() {}

  /**
   * Places in which two strings differ.
   *
   * @param a a string
   * @param b another
   * @return -1 for different lengths
   */
  public static int distance(String a, String b) {
    if (a.length() != b.length()) return -1;
    int places = 0;
    for (int i = 0; i < a.length(); i++) places += a.charAt(i) == b.charAt(i) ? 0 : 1;
    return places;
  }

  /**
   * The blocks of a fingerprint, each a number whose highest digit is its first character; what is left over at the end is dropped.
   *
   * @param bits a string of 0 and 1; all but 1 counts as 0
   * @param width bits that fingerprints of the program have
   * @param distance one less than the blocks that are wanted
   * @return the blocks; ArithmeticException, as the programs throw it, where a block has no bits or there are none
   */
  public static List<BigInteger> blocks(String bits, int width, int distance) {
    int size = width / (distance + 1);
    List<BigInteger> blocks = new ArrayList<>();
    BigInteger block = BigInteger.ZERO;
    for (int i = 0; i < bits.length(); i++) {
      block = block.shiftLeft(1);
      if (bits.charAt(i) == '1') block = block.setBit(0);
      if ((i + 1) % size != 0) continue;
      blocks.add(block);
      block = BigInteger.ZERO;
    }
    return blocks;
  }
}
