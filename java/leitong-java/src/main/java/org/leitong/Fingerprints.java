package org.leitong;

import java.util.Arrays;
import java.util.Optional;

/** The fingerprints of a list of texts, in its order. Not changed after it was made. */
public final class Fingerprints {
  private final long[] words;
  private final boolean[] present;
  private final int[] features;
  private final int bits;

  Fingerprints(long[] words, boolean[] present, int[] features, int bits) {
    this.words = words;
    this.present = present;
    this.features = features;
    this.bits = bits;
  }

  /**
   * How many texts there were.
   *
   * @return rows
   */
  public int size() {
    return present.length;
  }

  /**
   * How many bits a fingerprint has.
   *
   * @return 32, 64, 128 or 256
   */
  public int bits() {
    return bits;
  }

  /**
   * How many numbers of 64 bits a fingerprint takes.
   *
   * @return 1, 2 or 4
   */
  public int wordsPerRow() {
    return (bits + 63) / 64;
  }

  /**
   * Whether a text has a fingerprint: one without words has none.
   *
   * @param row of the text
   * @return yes or no
   */
  public boolean has(int row) {
    return present[row];
  }

  /**
   * The fingerprint of a text.
   *
   * @param row of the text
   * @return empty if it has none
   */
  public Optional<Fingerprint> get(int row) {
    if (!present[row]) return Optional.empty();
    return Optional.of(new Fingerprint(Arrays.copyOfRange(words, row * wordsPerRow(), (row + 1) * wordsPerRow()), bits));
  }

  /**
   * The first 64 bits of a fingerprint, which of most profiles are all.
   *
   * @param row of the text
   * @return 0 if it has none
   */
  public long word(int row) {
    return words[row * wordsPerRow()];
  }

  /**
   * How many features made it.
   *
   * @param row of the text
   * @return 0 or more
   */
  public int features(int row) {
    return features[row];
  }

  /**
   * All fingerprints, {@link #wordsPerRow} numbers a row, zeros where there is none; what {@link SimHashJoin} takes.
   *
   * @return a copy
   */
  public long[] toArray() {
    return words.clone();
  }
}
