package org.leitong;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The data files of a segmenter's jar in a folder of their own: the native library reads no jars. */
final class UnpackedJar implements AutoCloseable {
  private final Path folder;
  private final Path jar;

  UnpackedJar(Path jar) {
    this.jar = jar;
    try {
      folder = Files.createTempDirectory("leitong-data").toRealPath();
      unpack();
    } catch (IOException error) {
      throw new LeitongException(LeitongException.Code.IO, jar + ": cannot be unpacked: " + error, error);
    }
  }

  private void unpack() throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
        ZipEntry entry = entries.nextElement();
        if (entry.isDirectory() || !(entry.getName().startsWith("data/") || entry.getName().endsWith(".dic"))) continue;
        Path to = folder.resolve(entry.getName()).normalize();
        if (!to.startsWith(folder)) throw new IOException(entry.getName() + " leads out of the jar");
        Files.createDirectories(to.getParent());
        try (InputStream in = zip.getInputStream(entry)) {
          Files.copy(in, to);
        }
        Files.setLastModifiedTime(to, FileTime.fromMillis(0));  // none is older than another
      }
    }
  }

  /** HanLP: the folder that holds data/; IKAnalyzer: that of its .dic files. */
  Path dictionaries() {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> lists = files.filter(file -> file.toString().endsWith("main.dic")).collect(Collectors.toList());
      return lists.isEmpty() ? folder : lists.get(0).getParent();
    } catch (IOException error) {
      throw new LeitongException(LeitongException.Code.IO, folder + ": " + error, error);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).collect(Collectors.toList())) Files.delete(file);
    } catch (IOException error) {
      throw new LeitongException(LeitongException.Code.IO, folder + ": cannot be removed: " + error, error);
    }
  }
}
