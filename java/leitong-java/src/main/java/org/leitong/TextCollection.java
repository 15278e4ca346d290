package org.leitong;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.LongFunction;

/**
 * Documents that are added every day and asked at any time. In a directory one process writes and any number read; or in memory.
 *
 * <pre>{@code
 * TextCollection.create(Path.of("news"), new TextCollection.Options().keepTexts());
 * try (TextCollection news = TextCollection.write(Path.of("news"))) {
 *   news.add("a1", "the night ferry leaves the east pier at ten");
 *   for (TextCollection.Match match : news.query("the night ferry leaves the pier at ten")) use(match.id());
 * }
 * }</pre>
 *
 * <p>Any number of threads may use one. Closing waits for their calls, and makes everything durable.
 */
public final class TextCollection implements AutoCloseable {
  private final Handle handle;
  private final Forgotten.Watch forgotten;

  private TextCollection(long pointer) {
    handle = new Handle("TextCollection", pointer, Native::collectionClose);
    forgotten = Forgotten.watch(this, handle);
  }

  /** What is fixed when a collection is made. */
  public static final class Options {
    private static final int NUMBERS = 1;
    private static final int TEXTS = 2;
    private static final int METADATA = 4;
    private static final int FINGERPRINTS_ONLY = 8;

    private Profile profile = Profile.DEFAULT;
    private int k = 3;
    private int flags;

    /** The default profile, k = 3, and nothing kept but fingerprints and sketches. */
    public Options() {}

    /**
     * The profile of its fingerprints.
     *
     * @param value the choices
     * @return this
     */
    public Options profile(Profile value) {
      profile = LeitongException.given(value, "profile");
      return this;
    }

    /**
     * Bits in which near fingerprints may differ.
     *
     * @param bits 1 or more
     * @return this
     */
    public Options within(int bits) {
      if (bits < 1) throw LeitongException.usage("k is " + bits + "; it is 1 or more");
      k = bits;
      return this;
    }

    /**
     * Ids are decimal numbers.
     *
     * @return this
     */
    public Options numberIds() {
      return with(NUMBERS);
    }

    /**
     * Texts are kept, so that matches are verified.
     *
     * @return this
     */
    public Options keepTexts() {
      return with(TEXTS);
    }

    /**
     * A JSON value is kept with each document.
     *
     * @return this
     */
    public Options keepMetadata() {
      return with(METADATA);
    }

    /**
     * Nothing is kept beside fingerprints.
     *
     * @return this
     */
    public Options fingerprintsOnly() {
      return with(FINGERPRINTS_ONLY);
    }

    private Options with(int flag) {
      flags |= flag;
      return this;
    }
  }

  /** A document: an id, a text and, if the collection keeps it, a JSON value. */
  public static final class Document {
    private final String id;
    private final String text;
    private final String metadata;

    /**
     * A document.
     *
     * @param id its name
     * @param text its text
     * @param metadata JSON, or null
     */
    public Document(String id, String text, String metadata) {
      this.id = LeitongException.given(id, "id");
      this.text = LeitongException.given(text, "text");
      this.metadata = metadata;
    }

    /**
     * A document without metadata.
     *
     * @param id its name
     * @param text its text
     */
    public Document(String id, String text) {
      this(id, text, null);
    }

    /**
     * The id.
     *
     * @return never null
     */
    public String id() {
      return id;
    }

    /**
     * The text.
     *
     * @return empty if the collection keeps none
     */
    public String text() {
      return text;
    }

    /**
     * The JSON value.
     *
     * @return empty if there is none
     */
    public Optional<String> metadata() {
      return Optional.ofNullable(metadata);
    }
  }

  /** A document that is near. */
  public static final class Match {
    private final String id;
    private final long sequence;
    private final int distance;
    private final double similarity;
    private final boolean verified;

    Match(String id, long sequence, int distance, boolean verified, double similarity) {
      this.id = id;
      this.sequence = sequence;
      this.distance = distance;
      this.verified = verified;
      this.similarity = similarity;
    }

    /**
     * Its id.
     *
     * @return never null
     */
    public String id() {
      return id;
    }

    /**
     * Its number in the order of adding.
     *
     * @return from 1; 0 in memory
     */
    public long sequence() {
      return sequence;
    }

    /**
     * Bits between the fingerprints.
     *
     * @return empty if one has none
     */
    public OptionalInt distance() {
      return distance < 0 ? OptionalInt.empty() : OptionalInt.of(distance);
    }

    /**
     * Features that both have, of all.
     *
     * @return empty if nothing is kept that would tell
     */
    public OptionalDouble similarity() {
      return similarity < 0 ? OptionalDouble.empty() : OptionalDouble.of(similarity);
    }

    /**
     * Whether the texts were compared.
     *
     * @return yes or no
     */
    public boolean verified() {
      return verified;
    }

    @Override
    public String toString() {
      return id + " (distance " + distance + ")";
    }
  }

  /** How a question is meant. */
  public static final class Query {
    private int k = -1;
    private long most;
    private boolean unverified;
    private byte[] rule;

    /** The profile's own method, and all matches. */
    public Query() {}

    /**
     * All within so many bits and nothing else.
     *
     * @param bits 0 or more
     * @return this
     */
    public Query within(int bits) {
      if (bits < 0) throw LeitongException.usage("k is " + bits + "; it is 0 or more");
      k = bits;
      return this;
    }

    /**
     * Only the best.
     *
     * @param matches 0: all
     * @return this
     */
    public Query most(long matches) {
      if (matches < 0) throw LeitongException.usage("most is " + matches);
      most = matches;
      return this;
    }

    /**
     * Also what the texts refute.
     *
     * @return this
     */
    public Query unverified() {
      unverified = true;
      return this;
    }

    /**
     * Which texts are near-duplicates.
     *
     * @param nameOrFile of a rule
     * @return this
     */
    public Query rule(String nameOrFile) {
      rule = Utf8.name(LeitongException.given(nameOrFile, "rule"), "rule");
      return this;
    }
  }

  /**
   * Makes a collection in a directory.
   *
   * @param directory there must be none yet
   * @param options what is fixed
   */
  public static void create(Path directory, Options options) {
    Options fixed = LeitongException.given(options, "options");
    Native.collectionCreate(place(directory), Profile.bytes(fixed.profile), fixed.k, fixed.flags);
  }

  /**
   * Opens one to write and read.
   *
   * @param directory where it is
   * @return the collection
   */
  public static TextCollection write(Path directory) {
    return new TextCollection(Native.collectionOpen(place(directory), true, null, 0, 0));
  }

  /**
   * Opens one to read.
   *
   * @param directory where it is
   * @return the collection
   */
  public static TextCollection read(Path directory) {
    return new TextCollection(Native.collectionOpen(place(directory), false, null, 0, 0));
  }

  /**
   * Opens one of a profile with a key, or with less than all of the machine.
   *
   * @param directory where it is
   * @param write to write, too
   * @param key of the profile; null: none
   * @param threads 0: all cores
   * @param memory bytes; 0: as the machine has them
   * @return the collection
   */
  public static TextCollection open(Path directory, boolean write, String key, int threads, long memory) {
    if (threads < 0 || memory < 0) throw LeitongException.usage("threads are " + threads + ", memory is " + memory);
    return new TextCollection(Native.collectionOpen(place(directory), write, Utf8.name(key, "key"), threads, memory));
  }

  /**
   * One in memory, of fingerprints of 64 bits and nothing else.
   *
   * @param options the profile and k
   * @return the collection
   */
  public static TextCollection inMemory(Options options) {
    NativeLibrary.ready();
    Options fixed = LeitongException.given(options, "options");
    return new TextCollection(Native.collectionInMemory(Profile.bytes(fixed.profile), fixed.k, fixed.flags));
  }

  private static byte[] place(Path directory) {
    NativeLibrary.ready();
    return Utf8.name(LeitongException.given(directory, "directory").toAbsolutePath().toString(), "directory");
  }

  /**
   * Adds a document, or replaces that of the same id.
   *
   * @param id its name
   * @param text its text
   */
  public void add(String id, String text) {
    add(List.of(new Document(id, text)), false);
  }

  /**
   * Adds or replaces documents, all at once.
   *
   * @param documents none of them null
   * @param durable when it returns they survive a crash of the machine
   * @return the first one's sequence number
   */
  public long add(List<Document> documents, boolean durable) {
    Packed packed = new Packed();
    for (Document document : LeitongException.given(documents, "documents")) {
      LeitongException.given(document, "a document");
      packed.add(document.id);
      packed.add(document.text);
      packed.add(document.metadata);
    }
    return use(pointer -> Native.collectionAdd(pointer, packed.bytes(), packed.lengths(), packed.count() / 3, durable));
  }

  /**
   * Takes documents out.
   *
   * @param ids of the documents
   * @param durable when it returns they are gone, come what may
   * @return how many of them were there
   */
  public long erase(List<String> ids, boolean durable) {
    Packed packed = packed(ids, "ids");
    return use(pointer -> Native.collectionErase(pointer, packed.bytes(), packed.lengths(), packed.count(), durable));
  }

  /** Makes everything durable that was added. */
  public void sync() {
    use(pointer -> {
      Native.collectionSync(pointer);
      return null;
    });
  }

  /** What another process has added is seen from now on. */
  public void refresh() {
    use(pointer -> {
      Native.collectionRefresh(pointer);
      return null;
    });
  }

  /**
   * How many documents there are, by a pass over their ids.
   *
   * @return 0 or more
   */
  public long size() {
    return use(Native::collectionDocuments);
  }

  /**
   * The documents near a text.
   *
   * @param text any String
   * @return the most similar first
   */
  public List<Match> query(String text) {
    return query(List.of(LeitongException.given(text, "text")), new Query()).get(0);
  }

  /**
   * The documents near each of some texts.
   *
   * @param texts none of them null
   * @param query how it is meant
   * @return for each text its matches, the most similar first
   */
  public List<List<Match>> query(List<String> texts, Query query) {
    LeitongException.given(query, "query");
    Packed packed = packed(texts, "texts");
    byte[] found = use(pointer -> Native.collectionQueryTexts(
        pointer, packed.bytes(), packed.lengths(), packed.count(), query.k, query.most, query.unverified, query.rule));
    return answers(found, packed.count());
  }

  /**
   * The documents near each of some fingerprints.
   *
   * @param fingerprints of the collection's profile
   * @param query within and most of it count
   * @return for each fingerprint its matches, the nearest first
   */
  public List<List<Match>> queryFingerprints(Fingerprints fingerprints, Query query) {
    LeitongException.given(query, "query");
    long[] values = LeitongException.given(fingerprints, "fingerprints").toArray();
    LongBuffer words = Packed.direct(Math.multiplyExact(values.length, Long.BYTES)).asLongBuffer();
    words.put(values);
    int count = fingerprints.size();
    byte[] found = use(pointer -> Native.collectionQueryFingerprints(pointer, words, values.length, count, query.k, query.most));
    return answers(found, count);
  }

  /**
   * A document as it is kept.
   *
   * @param id its name
   * @return empty if there is none of that id
   */
  public Optional<Document> get(String id) {
    byte[] name = Utf8.encode(id, "id");
    byte[] found;
    try {
      found = use(pointer -> Native.collectionGet(pointer, name));
    } catch (LeitongException error) {
      if (error.code() == LeitongException.Code.USAGE) return Optional.empty();
      throw error;
    }
    int length = ByteBuffer.wrap(found).order(ByteOrder.nativeOrder()).getInt();
    String metadata = Utf8.decode(found, 4 + length, found.length - 4 - length);
    return Optional.of(new Document(id, Utf8.decode(found, 4, length), metadata.isEmpty() ? null : metadata));
  }

  private static Packed packed(List<String> texts, String name) {
    Packed packed = new Packed();
    for (String text : LeitongException.given(texts, name)) packed.add(LeitongException.given(text, "one of the " + name));
    return packed;
  }

  private static List<List<Match>> answers(byte[] found, int questions) {
    ByteBuffer in = ByteBuffer.wrap(found).order(ByteOrder.nativeOrder());
    List<List<Match>> answers = new ArrayList<>();
    for (int i = 0; i < questions; i++) {
      List<Match> matches = new ArrayList<>();
      for (int left = in.getInt(); left > 0; left--) {
        int length = in.getInt();
        String id = Utf8.decode(found, in.position(), length);
        in.position(in.position() + length);
        matches.add(new Match(id, in.getLong(), in.getInt(), in.getInt() != 0, in.getDouble()));
      }
      answers.add(matches);
    }
    return answers;
  }

  private <T> T use(LongFunction<T> work) {
    long pointer = handle.acquire();
    try {
      return work.apply(pointer);
    } finally {
      handle.release();
      Reference.reachabilityFence(this);
    }
  }

  /** Makes everything durable, as the last call of this object; an error is thrown, and the object is closed all the same. */
  @Override
  public void close() {
    try {
      handle.run();
    } finally {
      forgotten.clean();
    }
  }
}
