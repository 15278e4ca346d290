package org.leitong;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/**
 * The native methods. Their callers hold what keeps a handle open, and have checked what stands beside it; buffers are direct, in the
 * order of
 * bytes of the machine. Texts in byte arrays are UTF-8. All throw {@link LeitongException}. Whoever comes in from outside calls {@link
 * NativeLibrary#ready} first.
 */
final class Native {
  private Native() {}

  static native byte[] version();

  static native byte[] profileName(int i);

  static native long fingerprinterNew(byte[] profile);

  static native void fingerprinterFree(long handle);

  static native int fingerprinterBits(long handle);

  static native boolean fingerprinterLeastBitFirst(long handle);

  static native byte[] fingerprinterProfileId(long handle);

  static native void fingerprintBatch(
      long handle, ByteBuffer texts, ByteBuffer lengths, int count, ByteBuffer words, ByteBuffer present, ByteBuffer features);

  static native long segmenterNew(byte[] profile);

  static native void segmenterFree(long handle);

  static native byte[] segment(long handle, byte[] text);

  static native void dataAdd(byte[] kind, byte[] source, byte[] output);

  static native void compare(byte[] profile, byte[] a, byte[] b, double[] out);

  static native void selfJoin(LongBuffer values, int rows, int words, int k, int threads, PairSink sink);

  static native void join(LongBuffer left, int leftRows, LongBuffer right, int rightRows, int words, int k, int threads, PairSink sink);

  static native long[] dedup(byte[][] inputs, byte[][] strings, long[] numbers, ProgressSink progress);

  static native void collectionCreate(byte[] where, byte[] profile, int k, int flags);

  static native long collectionInMemory(byte[] profile, int k, int flags);

  static native long collectionOpen(byte[] where, boolean write, byte[] key, int threads, long memory);

  static native void collectionClose(long handle);

  static native long collectionAdd(long handle, ByteBuffer bytes, ByteBuffer lengths, int count, boolean durable);

  static native long collectionErase(long handle, ByteBuffer bytes, ByteBuffer lengths, int count, boolean durable);

  static native void collectionSync(long handle);

  static native void collectionRefresh(long handle);

  static native long collectionDocuments(long handle);

  static native byte[] collectionQueryTexts(
      long handle, ByteBuffer bytes, ByteBuffer lengths, int count, int k, long most, boolean unverified, byte[] rule);

  static native byte[] collectionQueryFingerprints(long handle, LongBuffer values, int longs, int count, int k, long most);

  static native byte[] collectionGet(long handle, byte[] id);

  /** Called with twelve bytes a pair, which are there until it returns. */
  interface PairSink {
    void pairs(ByteBuffer pairs);
  }

  /** Called some times a second; false ends the job. */
  interface ProgressSink {
    boolean at(String stage, long done, long total, long records);
  }
}
