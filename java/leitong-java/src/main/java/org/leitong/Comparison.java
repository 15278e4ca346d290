package org.leitong;

import java.util.OptionalInt;

/** How alike two texts are, by every measure. */
public final class Comparison {
  private final double[] values;

  Comparison(double[] values) {
    this.values = values;
  }

  /**
   * Bits in which the fingerprints differ.
   *
   * @return empty if one of them has none
   */
  public OptionalInt distance() {
    return values[0] < 0 ? OptionalInt.empty() : OptionalInt.of((int) values[0]);
  }

  /**
   * Features that both have, of all that one of them has.
   *
   * @return 0 to 1
   */
  public double jaccard() {
    return values[1];
  }

  /**
   * Features that both have, of those of the shorter one.
   *
   * @return 0 to 1
   */
  public double containment() {
    return values[2];
  }

  /**
   * Words in the same order in both, of those of the longer one.
   *
   * @return 0 to 1
   */
  public double lcs() {
    return values[3];
  }

  /**
   * The Jaccard from which the default rule takes texts of this length for near-duplicates.
   *
   * @return 0 to 1
   */
  public double threshold() {
    return values[4];
  }

  @Override
  public String toString() {
    return String.format("distance %.0f, jaccard %.3f, containment %.3f, lcs %.3f", values[0], values[1], values[2], values[3]);
  }
}
