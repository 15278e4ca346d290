package org.leitong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.leitong.FingerprinterTest.codeOf;

import java.nio.LongBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimHashJoinTest {
  private static int distance(long[] a, int i, long[] b, int j, int words) {
    int bits = 0;
    for (int w = 0; w < words; w++) bits += Long.bitCount(a[i * words + w] ^ b[j * words + w]);
    return bits;
  }

  private static Set<String> plain(long[] left, long[] right, int words, int k) {
    Set<String> pairs = new HashSet<>();
    for (int i = 0; i < left.length / words; i++) {
      for (int j = left == right ? i + 1 : 0; j < right.length / words; j++) {
        int bits = distance(left, i, right, j, words);
        if (bits <= k) pairs.add(i + " " + j + " " + bits);
      }
    }
    return pairs;
  }

  private static Set<String> set(List<SimHashJoin.Pair> pairs) {
    Set<String> out = new HashSet<>();
    for (SimHashJoin.Pair pair : pairs) assertTrue(out.add(pair.toString()), "given twice");
    return out;
  }

  @Test
  void equalsAllPairs() {
    Random chance = new Random(7);
    for (int words : new int[] {1, 2, 4}) {
      for (int k : new int[] {0, 1, 3, 6, 12}) {
        for (int threads : new int[] {1, 3}) {
          long[] a = TestTexts.random(chance, 400, words);
          long[] b = TestTexts.random(chance, 300, words);
          System.arraycopy(a, 0, b, 0, 50 * words);
          SimHashJoin join = SimHashJoin.within(k).ofBits(64 * words).onThreads(threads);
          assertEquals(plain(a, a, words, k), set(join.self(a)));
          assertEquals(plain(a, b, words, k), set(join.across(a, b)));
        }
      }
    }
    assertEquals(List.of(), SimHashJoin.within(3).self(new long[0]));
  }

  @Test
  void manyPairsOfManyThreads() {
    long[] values = new long[1 << 16];
    Random chance = new Random(8);
    for (int i = 0; i < values.length; i++) values[i] = (long) chance.nextInt(2000) * 0x9E3779B97F4A7C15L;
    long[] seen = new long[2];
    SimHashJoin.within(3).onThreads(4).self(Direct.of(values), (a, b, distance) -> {
      seen[0]++;
      seen[1] += distance;
    });
    int[] counts = new int[2000];
    for (long value : values) counts[(int) (value * 0xF1DE83E19937733DL)]++;  // the factor's inverse
    long expected = 0;
    for (int count : counts) expected += (long) count * (count - 1) / 2;
    assertTrue(seen[0] >= expected && seen[0] - seen[1] <= expected, seen[0] + " pairs, at least " + expected + " of equal rows");
  }

  private static final class Direct {
    static LongBuffer of(long[] values) {
      LongBuffer buffer = Packed.direct(values.length * 8).asLongBuffer();
      buffer.put(values).flip();
      return buffer;
    }
  }

  @Test
  void whatTheCallerThrowsComesOut() {
    long[] values = new long[2000];
    RuntimeException mine = new IllegalStateException("enough");
    for (int threads : new int[] {1, 4}) {
      SimHashJoin join = SimHashJoin.within(3).onThreads(threads);
      RuntimeException thrown = assertThrows(IllegalStateException.class, () -> join.self(Direct.of(values), (a, b, distance) -> {
        throw mine;
      }));
      assertSame(mine, thrown);
    }
  }

  @Test
  void mistakes() {
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> SimHashJoin.within(-1)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> SimHashJoin.within(13).self(new long[2])));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> SimHashJoin.within(3).ofBits(32)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> SimHashJoin.within(3).ofBits(128).self(new long[3])));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> SimHashJoin.within(3).onThreads(0)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> SimHashJoin.within(3).self(null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> SimHashJoin.within(3).across(new long[1], null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> SimHashJoin.within(3).self(LongBuffer.allocate(4), (a, b, d) -> { })));
  }
}
