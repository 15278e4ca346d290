package org.leitong;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The dedup job on files: what is kept, what is removed and why, as {@code leitong dedup} writes it into a directory.
 *
 * <pre>{@code
 * Dedup.Counts counts = Dedup.of(Path.of("news.jsonl")).into(Path.of("out")).keep("length:max").run();
 * }</pre>
 *
 * <p>Not for several threads at once.
 */
public final class Dedup {
  private static final int STRINGS = 8;
  private static final int NUMBERS = 7;

  private enum Text { OUTPUT_DIR, PROFILE, RULE, FORMAT, TEXT_FIELD, ID_FIELD, KEEP, VERIFY }

  private enum Number { K, THREADS, MEMORY, RESUME, OVERWRITE, ANNOTATE, STRICT }

  private final List<byte[]> inputs = new ArrayList<>();
  private final byte[][] strings = new byte[STRINGS][];
  private final long[] numbers = new long[NUMBERS];
  private Progress progress = at -> true;

  private Dedup() {
    numbers[Number.K.ordinal()] = -1;
  }

  /**
   * A job.
   *
   * @param inputs files
   * @return to be told more
   */
  public static Dedup of(Path... inputs) {
    return of(Arrays.asList(LeitongException.given(inputs, "inputs")));
  }

  /**
   * A job.
   *
   * @param inputs files
   * @return to be told more
   */
  public static Dedup of(List<Path> inputs) {
    Dedup job = new Dedup();
    for (Path input : LeitongException.given(inputs, "inputs")) {
      job.inputs.add(Utf8.name(LeitongException.given(input, "an input").toString(), "an input"));
    }
    if (job.inputs.isEmpty()) throw LeitongException.usage("there are no inputs");
    return job;
  }

  /**
   * Where the results go.
   *
   * @param directory to be made; it must be there first only with {@link #overwrite} or {@link #resume}
   * @return this
   */
  public Dedup into(Path directory) {
    return set(Text.OUTPUT_DIR, LeitongException.given(directory, "directory").toString());
  }

  /**
   * The profile; the default if it is not called.
   *
   * @param profile the choices
   * @return this
   */
  public Dedup profile(Profile profile) {
    strings[Text.PROFILE.ordinal()] = Profile.bytes(profile);
    return this;
  }

  /**
   * Which texts are near-duplicates.
   *
   * @param nameOrFile of a rule
   * @return this
   */
  public Dedup rule(String nameOrFile) {
    return set(Text.RULE, nameOrFile);
  }

  /**
   * What the files are, if their names do not say it.
   *
   * @param format jsonl, csv, tsv, text, lines, html, parquet, arrow
   * @return this
   */
  public Dedup format(String format) {
    return set(Text.FORMAT, format);
  }

  /**
   * Where a record has its text.
   *
   * @param field a name
   * @return this
   */
  public Dedup textField(String field) {
    return set(Text.TEXT_FIELD, field);
  }

  /**
   * Where a record has its id.
   *
   * @param field a name
   * @return this
   */
  public Dedup idField(String field) {
    return set(Text.ID_FIELD, field);
  }

  /**
   * Which record of a group stays.
   *
   * @param order as {@code --keep} takes it: central, first, last, length:max, FIELD:newest and so on
   * @return this
   */
  public Dedup keep(String order) {
    return set(Text.KEEP, order);
  }

  /**
   * What confirms a candidate.
   *
   * @param by text, sketch or none
   * @return this
   */
  public Dedup verify(String by) {
    return set(Text.VERIFY, by);
  }

  /**
   * Candidates are the pairs of fingerprints within so many bits.
   *
   * @param bits 0 or more
   * @return this
   */
  public Dedup within(int bits) {
    return set(Number.K, bits, "bits");
  }

  /**
   * Threads; all cores if it is not called.
   *
   * @param number 0: all cores
   * @return this
   */
  public Dedup threads(int number) {
    return set(Number.THREADS, number, "threads");
  }

  /**
   * Memory of the job.
   *
   * @param bytes 0: as the machine has it
   * @return this
   */
  public Dedup memory(long bytes) {
    return set(Number.MEMORY, bytes, "memory");
  }

  /**
   * Goes on where an interrupted job into the same directory ended.
   *
   * @return this
   */
  public Dedup resume() {
    return set(Number.RESUME, 1, "resume");
  }

  /**
   * Replaces results that are there.
   *
   * @return this
   */
  public Dedup overwrite() {
    return set(Number.OVERWRITE, 1, "overwrite");
  }

  /**
   * Writes all records, with what was found, in the place of those that are kept.
   *
   * @return this
   */
  public Dedup annotate() {
    return set(Number.ANNOTATE, 1, "annotate");
  }

  /**
   * A bad record ends the job.
   *
   * @return this
   */
  public Dedup strict() {
    return set(Number.STRICT, 1, "strict");
  }

  /** How far a job is. */
  public static final class State {
    private final String stage;
    private final long done;
    private final long total;
    private final long records;

    State(String stage, long done, long total, long records) {
      this.stage = stage;
      this.done = done;
      this.total = total;
      this.records = records;
    }

    /**
     * The stage.
     *
     * @return its name
     */
    public String stage() {
      return stage;
    }

    /**
     * Units of the stage that are done.
     *
     * @return 0 or more
     */
    public long done() {
      return done;
    }

    /**
     * Units of the stage in all.
     *
     * @return 0: not known
     */
    public long total() {
      return total;
    }

    /**
     * Records of the job so far.
     *
     * @return 0 or more
     */
    public long records() {
      return records;
    }
  }

  /** Watches a job. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Called a few times a second, on whatever thread.
     *
     * @param state how far it is
     * @return false: the job ends with {@link LeitongException.Code#INTERRUPTED}, and {@link Dedup#resume} goes on later
     */
    boolean at(State state);
  }

  /**
   * Says who watches.
   *
   * @param watcher is asked whether to go on
   * @return this
   */
  public Dedup progress(Progress watcher) {
    progress = LeitongException.given(watcher, "watcher");
    return this;
  }

  /** What came of a job. */
  public static final class Counts {
    private final long[] counts;

    Counts(long[] counts) {
      this.counts = counts;
    }

    /**
     * Records that were read.
     *
     * @return 0 or more
     */
    public long records() {
      return counts[0];
    }

    /**
     * Records that could not be read.
     *
     * @return 0 or more
     */
    public long rejected() {
      return counts[1];
    }

    /**
     * Records without words.
     *
     * @return 0 or more
     */
    public long featureless() {
      return counts[2];
    }

    /**
     * Groups of more than one record.
     *
     * @return 0 or more
     */
    public long clusters() {
      return counts[3];
    }

    /**
     * Records that are kept.
     *
     * @return 0 or more
     */
    public long kept() {
      return counts[4];
    }

    /**
     * Records that are removed.
     *
     * @return 0 or more
     */
    public long removed() {
      return counts[5];
    }

    @Override
    public String toString() {
      return "kept " + kept() + " of " + records() + " records";
    }
  }

  /**
   * Does it.
   *
   * @return how many records were kept and removed
   */
  public Counts run() {
    if (strings[Text.OUTPUT_DIR.ordinal()] == null) throw LeitongException.usage("into() was not called: where do the results go?");
    NativeLibrary.ready();
    Progress watcher = progress;
    return new Counts(Native.dedup(inputs.toArray(new byte[0][]), strings, numbers,
        (stage, done, total, records) -> watcher.at(new State(stage, done, total, records))));
  }

  private Dedup set(Text option, String value) {
    strings[option.ordinal()] = Utf8.name(LeitongException.given(value, option.name()), option.name());
    return this;
  }

  private Dedup set(Number option, long value, String name) {
    if (value < 0) throw LeitongException.usage(name + " is " + value);
    numbers[option.ordinal()] = value;
    return this;
  }
}
