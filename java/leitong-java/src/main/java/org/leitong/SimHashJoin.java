package org.leitong;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * All pairs of fingerprints within k bits, exactly. Rows are numbered from 0. A class of m equal rows gives m (m - 1) / 2 pairs.
 *
 * <p>k is 0 to 12 for fingerprints of 64 bits; any for 128 and 256.
 */
public final class SimHashJoin {
  private final int words;
  private final int k;
  private final int threads;

  private SimHashJoin(int words, int k, int threads) {
    this.words = words;
    this.k = k;
    this.threads = threads;
  }

  /**
   * A join of fingerprints of 64 bits on one thread.
   *
   * @param k bits in which near fingerprints may differ
   * @return the join
   */
  public static SimHashJoin within(int k) {
    if (k < 0) throw LeitongException.usage("k is " + k + "; it is 0 or more");
    return new SimHashJoin(1, k, 1);
  }

  /**
   * Of wider fingerprints.
   *
   * @param bits 64, 128 or 256
   * @return the changed join
   */
  public SimHashJoin ofBits(int bits) {
    if (bits != 64 && bits != 128 && bits != 256) throw LeitongException.usage("fingerprints of " + bits
        + " bits; a join takes 64, 128 or 256");
    return new SimHashJoin(bits / 64, k, threads);
  }

  /**
   * On several threads; the pairs come in the same order.
   *
   * @param number at least 1
   * @return the changed join
   */
  public SimHashJoin onThreads(int number) {
    if (number < 1 || number > 4096) throw LeitongException.usage("threads are " + number + "; 1 to 4096");
    return new SimHashJoin(words, k, number);
  }

  /** Takes the pairs, one at a time, on whatever thread. What it throws ends the join and comes out of it. */
  @FunctionalInterface
  public interface Pairs {
    /**
     * A pair.
     *
     * @param a a row; of a join of one side a &lt; b
     * @param b another row, or one of the right side
     * @param distance bits in which they differ
     */
    void pair(int a, int b, int distance);
  }

  /** A pair of rows. */
  public static final class Pair {
    private final int a;
    private final int b;
    private final int distance;

    Pair(int a, int b, int distance) {
      this.a = a;
      this.b = b;
      this.distance = distance;
    }

    /**
     * The first row.
     *
     * @return from 0
     */
    public int a() {
      return a;
    }

    /**
     * The second row.
     *
     * @return from 0
     */
    public int b() {
      return b;
    }

    /**
     * Bits in which they differ.
     *
     * @return 0 to k
     */
    public int distance() {
      return distance;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Pair && a == ((Pair) other).a && b == ((Pair) other).b && distance == ((Pair) other).distance;
    }

    @Override
    public int hashCode() {
      return (a * 31 + b) * 31 + distance;
    }

    @Override
    public String toString() {
      return a + " " + b + " " + distance;
    }
  }

  /**
   * The pairs within one list.
   *
   * @param values rows of one, two or four numbers, the lowest bits first
   * @return all pairs
   */
  public List<Pair> self(long[] values) {
    List<Pair> pairs = new ArrayList<>();
    self(direct(values, "values"), (a, b, distance) -> pairs.add(new Pair(a, b, distance)));
    return pairs;
  }

  /**
   * The pairs within a direct buffer, without a copy.
   *
   * @param values direct, in the machine's order of bytes; all up to its limit counts
   * @param pairs takes them
   */
  public void self(LongBuffer values, Pairs pairs) {
    NativeLibrary.ready();
    LeitongException.given(pairs, "pairs");
    Native.selfJoin(checked(values, "values"), rows(values), words, k, threads, each(pairs));
  }

  /**
   * The pairs of a row on the left and one on the right.
   *
   * @param left rows
   * @param right rows
   * @return all pairs
   */
  public List<Pair> across(long[] left, long[] right) {
    List<Pair> pairs = new ArrayList<>();
    across(direct(left, "left"), direct(right, "right"), (a, b, distance) -> pairs.add(new Pair(a, b, distance)));
    return pairs;
  }

  /**
   * The same of direct buffers, without a copy.
   *
   * @param left direct, in the machine's order of bytes
   * @param right the same
   * @param pairs takes them
   */
  public void across(LongBuffer left, LongBuffer right, Pairs pairs) {
    NativeLibrary.ready();
    LeitongException.given(pairs, "pairs");
    checked(left, "left");
    Native.join(left, rows(left), checked(right, "right"), rows(right), words, k, threads, each(pairs));
  }

  private static Native.PairSink each(Pairs pairs) {
    return bytes -> {
      IntBuffer numbers = bytes.order(ByteOrder.nativeOrder()).asIntBuffer();
      while (numbers.hasRemaining()) pairs.pair(numbers.get(), numbers.get(), numbers.get());
    };
  }

  private static LongBuffer direct(long[] values, String name) {
    LeitongException.given(values, name);
    if (values.length > Integer.MAX_VALUE / Long.BYTES) {
      throw new LeitongException(LeitongException.Code.LIMIT, name + " has " + values.length + " numbers; give them in parts");
    }
    LongBuffer copy = ByteBuffer.allocateDirect(values.length * Long.BYTES).order(ByteOrder.nativeOrder()).asLongBuffer();
    copy.put(values).flip();
    return copy;
  }

  private static LongBuffer checked(LongBuffer values, String name) {
    LeitongException.given(values, name);
    if (!values.isDirect() || values.order() != ByteOrder.nativeOrder()) {
      throw LeitongException.usage(name + " is not a direct buffer in the machine's order of bytes");
    }
    return values;
  }

  private int rows(LongBuffer values) {
    if (values.limit() % words != 0) throw LeitongException.usage(values.limit() + " numbers are not rows of " + words);
    return values.limit() / words;
  }
}
