package org.leitong;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Texts one behind the other in a direct buffer, and their lengths in another. Reused, so its memory does not grow with calls. */
final class Packed {
  /** What one batch holds, unless a single text is longer. */
  static final int BATCH_BYTES = 1 << 20;

  private static final int MOST_BYTES = Integer.MAX_VALUE - 16;

  private byte[] scratch = new byte[1 << 12];
  private ByteBuffer bytes = direct(1 << 12);
  private ByteBuffer lengths = direct(1 << 8);
  private int count;

  static ByteBuffer direct(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }

  void clear() {
    if (bytes.capacity() > 4 * BATCH_BYTES) bytes = direct(BATCH_BYTES);
    if (scratch.length > 12 * BATCH_BYTES) scratch = new byte[1 << 12];
    bytes.clear();
    lengths.clear();
    count = 0;
  }

  /** Adds a text; null only where that means something to the callee. */
  void add(String text) {
    int length = -1;
    if (text != null) {
      int room = Utf8.room(text);
      if (scratch.length < room) scratch = new byte[Math.max(room, (int) Math.min(2L * scratch.length, MOST_BYTES))];
      length = Utf8.encode(text, scratch, 0);
      bytes = withRoom(bytes, length);
      bytes.put(scratch, 0, length);
    }
    lengths = withRoom(lengths, Integer.BYTES);
    lengths.putInt(length);
    count++;
  }

  private static ByteBuffer withRoom(ByteBuffer buffer, int more) {
    if (buffer.remaining() >= more) return buffer;
    long wanted = (long) buffer.position() + more;
    if (wanted > MOST_BYTES) {
      throw new LeitongException(LeitongException.Code.LIMIT, "more than 2 GiB of text in one call; give it in parts");
    }
    ByteBuffer larger = direct((int) Math.min(Math.max(wanted, 2L * buffer.capacity()), MOST_BYTES));
    buffer.flip();
    return larger.put(buffer);
  }

  ByteBuffer bytes() {
    return bytes;
  }

  ByteBuffer lengths() {
    return lengths;
  }

  int count() {
    return count;
  }

  boolean full() {
    return bytes.position() >= BATCH_BYTES;
  }
}
