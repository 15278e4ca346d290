package org.leitong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory that does not grow, in ./test --full. The heap is touched as a whole at the start, so that what grows is native. */
@Tag("full")
class EnduranceTest {
  private static final int CALLS = 10_000_000;
  private static final int THREADS = 2;

  @Test
  void tenMillionCallsOnFlatMemory() throws Exception {
    List<String> texts = TestTexts.random(1000, 17);
    try (Fingerprinter fingerprinter = new Fingerprinter(Profile.DEFAULT)) {
      Fingerprints expected = fingerprinter.all(texts);
      calls(fingerprinter, texts, expected, CALLS / 10);
      System.gc();
      long before = TestTexts.status("VmRSS");
      calls(fingerprinter, texts, expected, CALLS);
      System.gc();
      long grown = TestTexts.status("VmRSS") - before;
      System.out.println(CALLS + " calls: resident memory " + before + " KB before, " + grown + " KB more afterwards");
      assertTrue(grown < 64 << 10, grown + " KB more after " + CALLS + " calls");
    }
  }

  private static void calls(Fingerprinter fingerprinter, List<String> texts, Fingerprints expected, int calls) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> running = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      running.add(threads.submit(() -> {
        for (int i = 0; i < calls / THREADS; i++) {
          int row = i % texts.size();
          assertEquals(expected.has(row) ? expected.word(row) : 0, fingerprinter.word(texts.get(row), 0));
        }
      }));
    }
    for (Future<?> one : running) one.get();
    threads.shutdown();
  }

  @Test
  void manyObjectsOnFlatMemory() {
    objects(300);
    System.gc();
    long before = TestTexts.status("VmRSS");
    objects(3000);
    System.gc();
    long grown = TestTexts.status("VmRSS") - before;
    System.out.println("3000 fingerprinters, collections, joins and errors: " + grown + " KB more");
    assertTrue(grown < 64 << 10, grown + " KB more");
  }

  private static void objects(int count) {
    long[] values = TestTexts.random(new java.util.Random(3), 500, 1);
    for (int i = 0; i < count; i++) {
      try (Fingerprinter fingerprinter = new Fingerprinter(Profile.DEFAULT.withBits(128));
          TextCollection collection = TextCollection.inMemory(new TextCollection.Options())) {
        collection.add("a", TestTexts.FERRY);
        assertEquals(1, collection.query(TestTexts.FERRY).size());
        assertTrue(fingerprinter.of(TestTexts.FERRY).isPresent());
        assertTrue(SimHashJoin.within(3).self(values).size() > 0);
        assertEquals(LeitongException.Code.USAGE, FingerprinterTest.codeOf(() -> new Fingerprinter(Profile.of("none"))));
      }
    }
  }
}
