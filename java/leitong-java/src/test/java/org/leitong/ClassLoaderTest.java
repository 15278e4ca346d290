package org.leitong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library comes and goes with class loaders, as in a server of applications, while the threads that called it live on. */
class ClassLoaderTest {
  private static final int LOADERS = 50;

  @TempDir Path temporary;

  @Test
  void fiftyClassLoaders() throws Exception {
    String before = System.setProperty("leitong.tmpdir", temporary.toString());
    ExecutorService old = Executors.newSingleThreadExecutor();
    try {
      int mapped = libraries();
      Set<Long> words = new HashSet<>();
      List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
      for (int i = 0; i < LOADERS; i++) {
        boolean close = i % 2 == 0;
        loaders.add(old.submit(() -> new WeakReference<>(useFresh(words, close))).get());
      }
      assertEquals(1, words.size(), "all give the same fingerprint");
      assertEquals(0, temporary.toFile().list().length, "nothing is left in the temporary directory");
      int left = LOADERS;
      for (int i = 0; i < 200 && (left > 0 || libraries() > mapped); i++) {
        System.gc();
        Thread.sleep(20);
        left = 0;
        for (WeakReference<ClassLoader> loader : loaders) left += loader.get() == null ? 0 : 1;
      }
      assertEquals(0, left, "class loaders that are still there");
      assertEquals(mapped, libraries(), "native libraries that are still mapped");
    } finally {
      old.shutdown();
      if (before == null) System.clearProperty("leitong.tmpdir");
    }
  }

  /** A fingerprint, an exception, a collection and a job in a class loader of its own; half of them leave everything open. */
  private ClassLoader useFresh(Set<Long> words, boolean close) throws Exception {
    URLClassLoader loader = new URLClassLoader(new URL[] {classes()}, ClassLoader.getPlatformClassLoader());
    Class<?> profileType = loader.loadClass("org.leitong.Profile");
    Class<?> type = loader.loadClass("org.leitong.Fingerprinter");
    assertTrue(type != Fingerprinter.class && type.getClassLoader() == loader);
    AutoCloseable fingerprinter = (AutoCloseable) type.getConstructor(profileType).newInstance(profileType.getField("DEFAULT").get(null));
    words.add((Long) type.getMethod("word", String.class, long.class).invoke(fingerprinter, TestTexts.FERRY, 0L));
    try {
      type.getConstructor(profileType).newInstance(profileType.getMethod("of", String.class).invoke(null, "none"));
    } catch (InvocationTargetException error) {
      assertEquals("org.leitong.LeitongException", error.getCause().getClass().getName());
    }
    Class<?> options = loader.loadClass("org.leitong.TextCollection$Options");
    Class<?> collections = loader.loadClass("org.leitong.TextCollection");
    AutoCloseable collection = (AutoCloseable) collections.getMethod("inMemory", options).invoke(null,
        options.getConstructor().newInstance());
    collections.getMethod("add", String.class, String.class).invoke(collection, "a", TestTexts.FERRY);
    collections.getMethod("query", String.class).invoke(collection, TestTexts.FERRY);
    if (close) {
      collection.close();
      fingerprinter.close();
    }
    loader.close();
    return loader;
  }

  @Test
  void aLibraryThatCannotBeLoadedIsSaidEachTime() throws Exception {
    System.setProperty("leitong.library", temporary.resolve("none.so").toString());
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes()}, ClassLoader.getPlatformClassLoader())) {
      for (int i = 0; i < 2; i++) {
        Throwable error = assertThrows(InvocationTargetException.class,
            () -> loader.loadClass("org.leitong.Leitong").getMethod("version").invoke(null));
        assertEquals("org.leitong.LeitongException", error.getCause().getClass().getName());
        assertTrue(error.getCause().getMessage().contains("none.so"), error.getCause().getMessage());
      }
    } finally {
      System.clearProperty("leitong.library");
    }
  }

  private static URL classes() throws IOException {
    String jar = System.getProperty("leitong.jar", "");
    return Path.of(jar.isEmpty() ? System.getProperty("leitong.classes") : jar).toUri().toURL();
  }

  /** Mapped copies of the native library, each of which is a deleted file of its own. */
  private static int libraries() throws IOException {
    Set<String> files = new HashSet<>();
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      if (line.contains("libleitong_jni")) files.add(line.replaceAll(".* ", "").isEmpty() ? line : line.substring(line.indexOf('/')));
    }
    return files.size();
  }
}
