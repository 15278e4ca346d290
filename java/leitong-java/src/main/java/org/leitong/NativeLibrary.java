package org.leitong;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/**
 * Finds and loads the native library, once in a class loader: the file that the property {@code leitong.library} names, else the one in
 * the jar, which is written to a directory that only this user may enter, loaded, and deleted again while it stays mapped.
 */
final class NativeLibrary {
  private static final String FILE = "libleitong_jni.so";

  private static final LeitongException FAILURE = load();

  private NativeLibrary() {}

  /** The library is there; the same exception each time if it could not be loaded. */
  static void ready() {
    if (FAILURE != null) throw new LeitongException(FAILURE.code(), FAILURE.getMessage(), FAILURE);
  }

  private static LeitongException load() {
    try {
      loadGiven();
      return null;
    } catch (LeitongException failure) {
      return failure;
    }
  }

  private static void loadGiven() {
    String given = System.getProperty("leitong.library", "");
    try {
      if (!given.isEmpty()) {
        System.load(Path.of(given).toAbsolutePath().toString());
      } else {
        loadCopy();
      }
    } catch (UnsatisfiedLinkError error) {
      throw new LeitongException(LeitongException.Code.UNSUPPORTED, "the native library cannot be loaded: " + error.getMessage(), error);
    }
  }

  private static void loadCopy() {
    String place = "native/" + system() + "/" + FILE;
    try (InputStream library = NativeLibrary.class.getResourceAsStream(place)) {
      if (library == null) {
        throw new LeitongException(LeitongException.Code.UNSUPPORTED,
            "this jar has no org/leitong/" + place + "; build one with java/build.sh and name it with -Dleitong.library=FILE");
      }
      Path folder = folder();
      Path copy = folder.resolve(FILE);
      try {
        Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
        load(copy);
      } finally {
        Files.deleteIfExists(copy);
        Files.deleteIfExists(folder);
      }
    } catch (IOException error) {
      throw new LeitongException(LeitongException.Code.IO,
          "the native library cannot be unpacked: " + error + "; -Dleitong.tmpdir=FOLDER names another place", error);
    }
  }

  /** A directory of our own, which no other user can enter. */
  private static Path folder() throws IOException {
    var ours = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    String given = System.getProperty("leitong.tmpdir", "");
    return given.isEmpty() ? Files.createTempDirectory("leitong", ours) : Files.createTempDirectory(Path.of(given), "leitong", ours);
  }

  private static void load(Path copy) {
    try {
      System.load(copy.toString());
    } catch (UnsatisfiedLinkError error) {
      throw new LeitongException(LeitongException.Code.UNSUPPORTED, "the native library cannot be loaded: " + error.getMessage()
          + "; if programs may not run from there, -Dleitong.tmpdir=FOLDER names another place", error);
    }
  }

  /** The folder of this system in the jar: linux-x86_64, linux-aarch64. */
  static String system() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    if (processor.equals("amd64")) processor = "x86_64";
    if (processor.equals("arm64")) processor = "aarch64";
    return system + "-" + processor;
  }
}
