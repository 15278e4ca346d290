package org.leitong;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Cuts texts into the words that a profile counts. Threads that share one wait for each other. */
public final class Segmenter implements AutoCloseable {
  private final Handle handle;
  private final Forgotten.Watch forgotten;

  /**
   * Reads the profile's dictionary.
   *
   * @param profile the choices
   */
  public Segmenter(Profile profile) {
    NativeLibrary.ready();
    handle = new Handle("Segmenter", Native.segmenterNew(Profile.bytes(profile)), Native::segmenterFree);
    forgotten = Forgotten.watch(this, handle);
  }

  /** A word, and what the segmenter says of it. */
  public static final class Word {
    private final String text;
    private final String partOfSpeech;

    Word(String text, String partOfSpeech) {
      this.text = text;
      this.partOfSpeech = partOfSpeech;
    }

    /**
     * The word.
     *
     * @return as the segmenter gives it
     */
    public String text() {
      return text;
    }

    /**
     * HanLP's nature, jieba's tag, IKAnalyzer's type.
     *
     * @return empty where there is none
     */
    public String partOfSpeech() {
      return partOfSpeech;
    }

    @Override
    public String toString() {
      return partOfSpeech.isEmpty() ? text : text + "/" + partOfSpeech;
    }
  }

  /** A text as it was cut. */
  public static final class Cut {
    private final String text;
    private final List<Word> words;

    Cut(String text, List<Word> words) {
      this.text = text;
      this.words = Collections.unmodifiableList(words);
    }

    /**
     * What was cut: the given text as the profile cleans it.
     *
     * @return never null
     */
    public String text() {
      return text;
    }

    /**
     * All words, stop words and punctuation included.
     *
     * @return in their order
     */
    public List<Word> words() {
      return words;
    }
  }

  /**
   * Cuts a text.
   *
   * @param text any String
   * @return its words
   */
  public Cut cut(String text) {
    byte[] utf8 = Utf8.encode(text, "text");
    long pointer = handle.acquire();
    try {
      byte[] found;
      synchronized (handle) {
        found = Native.segment(pointer, utf8);
      }
      return read(found);
    } finally {
      handle.release();
      Reference.reachabilityFence(this);
    }
  }

  private static Cut read(byte[] found) {
    ByteBuffer in = ByteBuffer.wrap(found).order(ByteOrder.nativeOrder());
    String cut = next(in);
    List<Word> words = new ArrayList<>();
    while (in.hasRemaining()) words.add(new Word(next(in), next(in)));
    return new Cut(cut, words);
  }

  private static String next(ByteBuffer in) {
    int length = in.getInt();
    String text = Utf8.decode(in.array(), in.position(), length);
    in.position(in.position() + length);
    return text;
  }

  /** Waits for a call that runs. */
  @Override
  public void close() {
    forgotten.clean();
  }
}
