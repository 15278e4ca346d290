package org.leitong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FingerprinterTest {
  static LeitongException.Code codeOf(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(LeitongException.class, call).code();
  }

  @Test
  void oneByOneInBatchesAndInBuffersAreTheSame() {
    List<String> texts = TestTexts.random(3000, 1);
    texts.add("long ".repeat(700_000));
    texts.add("");
    for (Profile profile : List.of(Profile.DEFAULT, Profile.DEFAULT.withBits(256), Profile.of("characters-4"))) {
      try (Fingerprinter fingerprinter = new Fingerprinter(profile)) {
        Fingerprints all = fingerprinter.all(texts);
        Fingerprints buffers = inBuffers(fingerprinter, texts);
        assertEquals(texts.size(), all.size());
        int present = 0;
        for (int i = 0; i < texts.size(); i++) {
          assertEquals(fingerprinter.of(texts.get(i)), all.get(i), texts.get(i));
          assertEquals(buffers.get(i), all.get(i));
          assertEquals(buffers.features(i), all.features(i));
          assertEquals(fingerprinter.word(texts.get(i), 7), all.has(i) ? all.word(i) : 7);
          present += all.has(i) ? 1 : 0;
        }
        assertTrue(present > 2500 && !all.has(texts.size() - 1), "empty texts have none, most others have one");
      }
    }
  }

  private static Fingerprints inBuffers(Fingerprinter fingerprinter, List<String> texts) {
    Packed packed = new Packed();
    packed.clear();
    texts.forEach(packed::add);
    int count = texts.size();
    int words = fingerprinter.bits() / 64;
    ByteBuffer out = Packed.direct(count * words * 8);
    ByteBuffer present = Packed.direct(count);
    ByteBuffer features = Packed.direct(count * 4);
    fingerprinter.all(packed.bytes(), packed.lengths(), count, out, present, features);
    long[] values = new long[count * words];
    out.asLongBuffer().get(values);
    int[] counts = new int[count];
    features.asIntBuffer().get(counts);
    boolean[] there = new boolean[count];
    for (int i = 0; i < count; i++) there[i] = present.get(i) != 0;
    return new Fingerprints(values, there, counts, fingerprinter.bits());
  }

  @Test
  void theSpecificationsFirstVector() {
    try (Fingerprinter fingerprinter = new Fingerprinter(Profile.DEFAULT)) {
      Fingerprint a = fingerprinter.of("one two three").orElseThrow();
      assertEquals(a, fingerprinter.of("ONE, two: three!").orElseThrow());
      assertEquals(64, a.toBits(false).length());
      assertEquals(a.toBits(false), new StringBuilder(a.toBits(true)).reverse().toString());
      assertEquals(a.toBigInteger().toString(2), a.toBits(false).replaceFirst("^0+", ""));
      assertEquals(Long.toHexString(a.word(0)), a.toHex().replaceFirst("^0+", ""));
      assertEquals(0, a.distance(a));
      assertEquals(Long.bitCount(a.word(0)), a.distance(Fingerprint.of(0)));
      assertFalse(fingerprinter.of("...").isPresent());
      assertEquals(32, fingerprinter.profileId().length());
    }
  }

  @Test
  void brokenSurrogatesComeBackAsTheyWere() {
    for (String text : TestTexts.random(500, 3)) {
      byte[] bytes = Utf8.encode(text, "text");
      assertEquals(text, Utf8.decode(bytes, 0, bytes.length));
    }
    for (String text : List.of("", "a", "ÿ中😀", "𝒳")) {
      assertEquals(text, new String(Utf8.encode(text, "text"), StandardCharsets.UTF_8));
      assertTrue(Arrays.equals(text.getBytes(StandardCharsets.UTF_8), Utf8.encode(text, "text")));
    }
    try (Fingerprinter fingerprinter = new Fingerprinter(Profile.DEFAULT)) {
      String three = "\uFFFD\uFFFD\uFFFD";
      String broken = "a\uD800 b\uDC00 c" + "\uDC00-\uD800-".repeat(9);
      assertEquals(fingerprinter.of(broken.replace("\uD800", three).replace("\uDC00", three)), fingerprinter.of(broken),
          "a unit is three bad bytes");
    }
  }

  @Test
  void profiles() {
    assertTrue(Profile.names().containsAll(List.of("leitong-1", "java-ik", "java-hanlp", "java-hanlp-length",
        "java-hanlp-length-short", "java-hanlp-tfidf")));
    assertEquals("leitong-1", Profile.names().get(0));
    assertEquals(Profile.DEFAULT.id(), Profile.toml("base = \"leitong-1\"").id());
    assertNotEquals(Profile.DEFAULT.id(), Profile.DEFAULT.withBits(128).id());
    assertNotEquals(Profile.DEFAULT.withKey("00112233445566778899aabbccddeeff").id(), Profile.DEFAULT.id());
    assertEquals(Profile.DEFAULT.withBits(128), Profile.of("leitong-1").withBits(128));
    assertFalse(Profile.DEFAULT.withKey("00112233445566778899aabbccddeeff").toString().contains("0011"));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> new Fingerprinter(Profile.of("no-such-profile"))));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> new Fingerprinter(Profile.DEFAULT.withBits(65))));
    assertEquals(LeitongException.Code.FORMAT, codeOf(() -> new Fingerprinter(Profile.toml("bits = "))));
    assertEquals(LeitongException.Code.IO, codeOf(() -> new Fingerprinter(Profile.JAVA_IK.withData(Path.of("/no/such \"file\"")))));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Profile.of(null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Profile.toml("bits = 64").withBits(128)));
  }

  @Test
  void mistakesOfTheCallerAreExceptions() {
    Fingerprinter fingerprinter = new Fingerprinter(Profile.DEFAULT);
    ByteBuffer four = Packed.direct(4);
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> new Fingerprinter(null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> fingerprinter.of(null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> fingerprinter.all(null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> fingerprinter.all(Collections.singletonList(null))));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> fingerprinter.all(four, four, 1, null, four, four)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> fingerprinter.all(four, four, 1, four, four, four)), "too short for a word");
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> fingerprinter.all(four, ByteBuffer.allocate(4), 1, Packed.direct(8), four,
        four)), "not direct");
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> fingerprinter.all(four, four, -1, four, four, four)));
    ByteBuffer long1 = Packed.direct(4);
    long1.putInt(0, 5);
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> fingerprinter.all(four, long1, 1, Packed.direct(8), four, four)),
        "texts end before their lengths");
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Fingerprint.of(1).word(1)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Fingerprint.of(1).distance(null)));
    fingerprinter.close();
    fingerprinter.close();
    assertEquals(LeitongException.Code.CLOSED, codeOf(() -> fingerprinter.of("a")));
    assertEquals(LeitongException.Code.CLOSED, codeOf(() -> fingerprinter.all(List.of("a"))));
    assertEquals(LeitongException.Code.CLOSED, codeOf(() -> fingerprinter.word("a", 0)));
  }

  @Test
  void comparison() {
    Comparison same = Leitong.compare(TestTexts.FERRY, TestTexts.FERRY);
    assertEquals(1, same.jaccard());
    assertEquals(0, same.distance().getAsInt());
    assertTrue(Leitong.compare(TestTexts.FERRY, TestTexts.FERRY_AGAIN).jaccard() > 0.8);
    assertTrue(Leitong.compare(TestTexts.FERRY, TestTexts.BAKERIES).jaccard() < 0.2);
    assertFalse(Leitong.compare("", "a").distance().isPresent());
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> Leitong.compare(null, "a")));
    assertTrue(Leitong.version().matches("\\d+\\.\\d+\\.\\d+.*"));
  }

  @Test
  void manyThreadsWhileOneCloses() throws Exception {
    List<String> texts = TestTexts.random(200, 5);
    for (int round = 0; round < 20; round++) {
      Fingerprinter fingerprinter = new Fingerprinter(Profile.DEFAULT);
      long[] expected = fingerprinter.all(texts).toArray();
      AtomicInteger refused = new AtomicInteger();
      ExecutorService threads = Executors.newFixedThreadPool(4);
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        running.add(threads.submit(() -> {
          try {
            for (;;) assertTrue(Arrays.equals(expected, fingerprinter.all(texts).toArray()));
          } catch (LeitongException error) {
            assertEquals(LeitongException.Code.CLOSED, error.code());
            refused.incrementAndGet();
          }
        }));
      }
      Thread.sleep(5);
      fingerprinter.close();
      for (Future<?> one : running) one.get(30, TimeUnit.SECONDS);
      threads.shutdown();
      assertEquals(4, refused.get());
    }
  }

  @Test
  void whatIsForgottenIsClosed() throws Exception {
    AtomicInteger closed = new AtomicInteger();
    for (int i = 0; i < 20; i++) Forgotten.watch(new Object(), closed::incrementAndGet);
    for (int i = 0; i < 100 && closed.get() < 20; i++) {
      System.gc();
      Thread.sleep(20);
      Forgotten.closeCollected();
    }
    assertEquals(20, closed.get());
  }

  @Test
  void words() {
    try (Segmenter segmenter = new Segmenter(Profile.DEFAULT)) {
      assertEquals("[one, two]", segmenter.cut("One, TWO").words().toString());
      assertEquals(LeitongException.Code.USAGE, codeOf(() -> segmenter.cut(null)));
    }
  }
}
