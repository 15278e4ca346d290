package org.leitong;

import java.nio.file.Files;
import java.nio.file.Path;

/** What needs no object: the version, two texts, dictionaries. */
public final class Leitong {
  private Leitong() {}

  /**
   * The version of the native library.
   *
   * @return as in "0.1.0"
   */
  public static String version() {
    NativeLibrary.ready();
    byte[] version = Native.version();
    return Utf8.decode(version, 0, version.length);
  }

  /**
   * Compares two texts.
   *
   * @param a a text
   * @param b another
   * @param profile whose features count
   * @return every measure
   */
  public static Comparison compare(String a, String b, Profile profile) {
    NativeLibrary.ready();
    double[] values = new double[5];
    Native.compare(Profile.bytes(profile), Utf8.encode(a, "a"), Utf8.encode(b, "b"), values);
    return new Comparison(values);
  }

  /**
   * Compares two texts under the default profile.
   *
   * @param a a text
   * @param b another
   * @return every measure
   */
  public static Comparison compare(String a, String b) {
    return compare(a, b, Profile.DEFAULT);
  }

  /**
   * Compiles a segmenter's dictionary for {@link Profile#withData}; takes some seconds.
   *
   * @param kind {@code hanlp}, {@code ik} or {@code jieba}
   * @param source HanLP's jar or IKAnalyzer's; or a folder with their data, or with jieba's
   * @param output the file to write
   */
  public static void addData(String kind, Path source, Path output) {
    NativeLibrary.ready();
    LeitongException.given(kind, "kind");
    LeitongException.given(source, "source");
    LeitongException.given(output, "output");
    byte[] to = Utf8.name(output.toAbsolutePath().toString(), "output");
    byte[] name = Utf8.name(kind, "kind");
    if (!Files.isRegularFile(source)) {
      Native.dataAdd(name, Utf8.name(source.toAbsolutePath().toString(), "source"), to);
      return;
    }
    try (UnpackedJar unpacked = new UnpackedJar(source)) {
      Native.dataAdd(name, Utf8.name(unpacked.dictionaries().toString(), "source"), to);
    }
  }
}
