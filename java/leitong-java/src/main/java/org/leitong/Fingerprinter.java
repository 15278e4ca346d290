package org.leitong;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes fingerprints under one profile.
 *
 * <pre>{@code
 * try (Fingerprinter fingerprinter = new Fingerprinter(Profile.DEFAULT)) {
 *   long a = fingerprinter.of("the night ferry leaves at ten").get().word(0);
 *   Fingerprints all = fingerprinter.all(texts);
 * }
 * }</pre>
 *
 * <p>Any number of threads may use one: as many native fingerprinters are made as run at the same time. Closing waits for those that run.
 */
public final class Fingerprinter implements AutoCloseable {
  private final Pool pool;
  private final Handle handle;
  private final Forgotten.Watch forgotten;
  private final int bits;
  private final boolean leastBitFirst;
  private final String profileId;

  /**
   * Reads what the profile names.
   *
   * @param profile the choices
   */
  public Fingerprinter(Profile profile) {
    NativeLibrary.ready();
    pool = new Pool(Profile.bytes(profile));
    Worker first = pool.take();
    bits = Native.fingerprinterBits(first.pointer);
    leastBitFirst = Native.fingerprinterLeastBitFirst(first.pointer);
    byte[] id = Native.fingerprinterProfileId(first.pointer);
    profileId = Utf8.decode(id, 0, id.length);
    pool.give(first);
    Pool closing = pool;  // not this, which would never be forgotten
    handle = new Handle("Fingerprinter", 1, one -> closing.close());
    forgotten = Forgotten.watch(this, handle);
  }

  /**
   * The width of its fingerprints.
   *
   * @return 32, 64, 128 or 256
   */
  public int bits() {
    return bits;
  }

  /**
   * Whether the profile's Java program writes the lowest bit first.
   *
   * @return for {@link Fingerprint#toBits}
   */
  public boolean leastBitFirst() {
    return leastBitFirst;
  }

  /**
   * What says whether two fingerprints may be compared.
   *
   * @return 32 hexadecimal digits
   */
  public String profileId() {
    return profileId;
  }

  /**
   * The fingerprint of a text.
   *
   * @param text any String, also one with broken surrogates
   * @return empty if the text has none
   */
  public Optional<Fingerprint> of(String text) {
    LeitongException.given(text, "text");
    return use(worker -> {
      worker.packed.clear();
      worker.packed.add(text);
      worker.run();
      if (worker.present.get(0) == 0) return Optional.empty();
      long[] words = new long[worker.words()];
      for (int w = 0; w < words.length; w++) words[w] = worker.out.getLong(w * Long.BYTES);
      return Optional.of(new Fingerprint(words, bits));
    });
  }

  /**
   * The first 64 bits of a text's fingerprint, without any object.
   *
   * @param text any String
   * @param otherwise what a text without fingerprint gives
   * @return of most profiles the whole fingerprint
   */
  public long word(String text, long otherwise) {
    LeitongException.given(text, "text");
    handle.acquire();
    try {
      Worker worker = pool.take();
      try {
        worker.packed.clear();
        worker.packed.add(text);
        worker.run();
        return worker.present.get(0) == 0 ? otherwise : worker.out.getLong(0);
      } finally {
        pool.give(worker);
      }
    } finally {
      handle.release();
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The fingerprints of many texts, with one call of the native library for each mebibyte of text.
   *
   * @param texts none of them null
   * @return in the order of the texts
   */
  public Fingerprints all(List<String> texts) {
    LeitongException.given(texts, "texts");
    return use(worker -> {
      String[] given = texts.toArray(new String[0]);  // of one moment, whoever changes the list meanwhile
      int words = worker.words();
      if ((long) given.length * words > Integer.MAX_VALUE - 16) {
        throw new LeitongException(LeitongException.Code.LIMIT, given.length + " texts in one call; give them in parts");
      }
      long[] values = new long[given.length * words];
      boolean[] present = new boolean[given.length];
      int[] features = new int[given.length];
      for (int begin = 0; begin < given.length; ) begin = batch(worker, given, begin, values, present, features);
      return new Fingerprints(values, present, features, bits);
    });
  }

  /** Some texts from `begin` on; returns the first one that is left. */
  private static int batch(Worker worker, String[] texts, int begin, long[] values, boolean[] present, int[] features) {
    int end = begin;
    worker.packed.clear();
    while (end < texts.length && !worker.packed.full() && end - begin < Worker.MOST_ROWS) {
      if (texts[end] == null) throw LeitongException.usage("texts[" + end + "] is null");
      worker.packed.add(texts[end++]);
    }
    worker.run();
    int words = worker.words();
    worker.out.asLongBuffer().get(values, begin * words, (end - begin) * words);
    worker.features.asIntBuffer().get(features, begin, end - begin);
    for (int i = begin; i < end; i++) present[i] = worker.present.get(i - begin) != 0;
    return end;
  }

  /**
   * The fingerprints of texts that stand as UTF-8 in a direct buffer already; nothing is copied. All buffers are direct and in the order of
   * bytes of the machine; their positions count as 0 and are not moved.
   *
   * @param utf8 the texts one behind the other
   * @param lengths bytes of each text, as 32-bit numbers
   * @param count how many there are
   * @param words takes count times (bits + 63) / 64 numbers of 64 bits
   * @param present takes a byte for each: 0 where there is no fingerprint
   * @param features takes a 32-bit number for each: how many features made it
   */
  public void all(ByteBuffer utf8, ByteBuffer lengths, int count, ByteBuffer words, ByteBuffer present, ByteBuffer features) {
    if (count < 0) throw LeitongException.usage("count is " + count);
    if (LeitongException.given(words, "words").isReadOnly() || LeitongException.given(present, "present").isReadOnly()
        || LeitongException.given(features, "features").isReadOnly()) {
      throw LeitongException.usage("a buffer of results is read-only");
    }
    LeitongException.given(utf8, "utf8");
    LeitongException.given(lengths, "lengths");
    use(worker -> {
      Native.fingerprintBatch(worker.pointer, utf8, lengths, count, words, present, features);
      return null;
    });
  }

  private interface Work<T> {
    T with(Worker worker);
  }

  private <T> T use(Work<T> work) {
    handle.acquire();
    try {
      Worker worker = pool.take();
      try {
        return work.with(worker);
      } finally {
        pool.give(worker);
      }
    } finally {
      handle.release();
      Reference.reachabilityFence(this);
    }
  }

  /** Waits for the calls that run; those that come later meet {@link LeitongException.Code#CLOSED}. */
  @Override
  public void close() {
    forgotten.clean();
  }

  /** A native fingerprinter with the buffers that it reads and fills. */
  private static final class Worker {
    static final int MOST_ROWS = 1 << 16;

    final long pointer;
    final int bits;
    final Packed packed = new Packed();
    ByteBuffer out = Packed.direct(256);
    ByteBuffer present = Packed.direct(8);
    ByteBuffer features = Packed.direct(32);

    Worker(long pointer) {
      this.pointer = pointer;
      this.bits = Native.fingerprinterBits(pointer);
    }

    int words() {
      return (bits + 63) / 64;
    }

    /** Of all that is packed. */
    void run() {
      int rows = packed.count();
      if (present.capacity() < rows) {
        out = Packed.direct(rows * words() * Long.BYTES);
        present = Packed.direct(rows);
        features = Packed.direct(rows * Integer.BYTES);
      }
      Native.fingerprintBatch(pointer, packed.bytes(), packed.lengths(), rows, out, present, features);
    }
  }

  /** Native fingerprinters that are idle: as many as were ever busy at once. */
  private static final class Pool {
    private static final int MOST_IDLE = 64;

    private final byte[] profile;
    private final ConcurrentLinkedQueue<Worker> idle = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    Pool(byte[] profile) {
      this.profile = profile;
    }

    Worker take() {
      Worker worker = idle.poll();
      if (worker == null) return new Worker(Native.fingerprinterNew(profile));
      waiting.decrementAndGet();
      return worker;
    }

    void give(Worker worker) {
      if (waiting.incrementAndGet() <= MOST_IDLE) {
        idle.add(worker);
      } else {
        waiting.decrementAndGet();
        Native.fingerprinterFree(worker.pointer);
      }
    }

    void close() {
      for (Worker worker = idle.poll(); worker != null; worker = idle.poll()) Native.fingerprinterFree(worker.pointer);
    }
  }
}
