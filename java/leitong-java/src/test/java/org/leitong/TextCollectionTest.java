package org.leitong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.leitong.FingerprinterTest.codeOf;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextCollectionTest {
  @TempDir Path folder;

  @Test
  void inADirectory() {
    Path news = folder.resolve("news");
    TextCollection.create(news, new TextCollection.Options().keepTexts().keepMetadata());
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> TextCollection.create(news, new TextCollection.Options())));
    try (TextCollection writer = TextCollection.write(news)) {
      assertEquals(1, writer.add(List.of(new TextCollection.Document("a", TestTexts.FERRY, "{\"page\":1}"),
          new TextCollection.Document("ü中", TestTexts.BAKERIES)), true));
      writer.add("c", "half a pair: \uD800 and the other: \uDC00 of it");
      assertEquals(3, writer.size());
      List<TextCollection.Match> found = writer.query(TestTexts.FERRY_AGAIN);
      assertEquals("a", found.get(0).id());
      assertTrue(found.get(0).verified() && found.get(0).similarity().getAsDouble() > 0.8 && found.get(0).sequence() == 1);
      assertEquals(1, found.size());
      List<List<TextCollection.Match>> answers = writer.query(List.of("something else", TestTexts.BAKERIES),
          new TextCollection.Query().most(1));
      assertTrue(answers.get(0).isEmpty());
      assertEquals("ü中", answers.get(1).get(0).id());
      TextCollection.Document document = writer.get("a").orElseThrow();
      assertEquals(TestTexts.FERRY, document.text());
      assertEquals("{\"page\":1}", document.metadata().orElseThrow());
      assertFalse(writer.get("ü中").orElseThrow().metadata().isPresent());
      assertFalse(writer.get("x").isPresent());
      assertEquals("half a pair: \uD800 and the other: \uDC00 of it", writer.get("c").orElseThrow().text());
      assertEquals(1, writer.erase(List.of("a", "x"), false));
      writer.sync();
    }
    try (TextCollection reader = TextCollection.read(news)) {
      assertEquals(2, reader.size());
      assertEquals(LeitongException.Code.USAGE, codeOf(() -> reader.add("d", "text")));
      reader.refresh();
    }
  }

  @Test
  void inMemoryItFindsWhatAPlainSearchFinds() {
    Random chance = new Random(11);
    List<String> texts = new ArrayList<>();
    String[] words = "night ferry island pier midnight flour price bakery month noodles water minute".split(" ");
    for (int i = 0; i < 400; i++) {
      StringBuilder text = new StringBuilder();
      for (int w = 0; w < 12; w++) text.append(words[chance.nextInt(words.length)]).append(' ');
      texts.add(text.toString());
      if (i % 3 == 0) texts.add(text + words[chance.nextInt(words.length)]);
    }
    try (TextCollection collection = TextCollection.inMemory(new TextCollection.Options().within(8));
        Fingerprinter fingerprinter = new Fingerprinter(Profile.DEFAULT)) {
      List<TextCollection.Document> documents = new ArrayList<>();
      for (int i = 0; i < texts.size(); i++) documents.add(new TextCollection.Document("d" + i, texts.get(i)));
      collection.add(documents, false);
      Fingerprints all = fingerprinter.all(texts);
      List<List<TextCollection.Match>> byText = collection.query(texts, new TextCollection.Query().within(8));
      List<List<TextCollection.Match>> byFingerprint = collection.queryFingerprints(all, new TextCollection.Query().within(8));
      int beyond = 0;
      for (int i = 0; i < texts.size(); i++) {
        TreeSet<String> expected = new TreeSet<>();
        for (int j = 0; j < texts.size(); j++) if (Long.bitCount(all.word(i) ^ all.word(j)) <= 8) expected.add("d" + j + " "
            + Long.bitCount(all.word(i) ^ all.word(j)));
        assertEquals(expected, ids(byText.get(i)));
        assertEquals(expected, ids(byFingerprint.get(i)));
        beyond += expected.size() - 1;
      }
      assertTrue(beyond > 50, "there are near ones");
    }
  }

  private static TreeSet<String> ids(List<TextCollection.Match> matches) {
    TreeSet<String> ids = new TreeSet<>();
    for (TextCollection.Match match : matches) ids.add(match.id() + " " + match.distance().getAsInt());
    return ids;
  }

  @Test
  void mistakes() {
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> TextCollection.read(folder.resolve("none"))));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> TextCollection.read(null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> new TextCollection.Document("a", null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> TextCollection.read(Path.of("a")).add(null, "")));
    TextCollection collection = TextCollection.inMemory(new TextCollection.Options());
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> collection.query((String) null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> collection.query(List.of("a"), null)));
    assertEquals(LeitongException.Code.USAGE, codeOf(() -> collection.add(null, false)));
    collection.close();
    collection.close();
    assertEquals(LeitongException.Code.CLOSED, codeOf(() -> collection.add("a", "b")));
    assertEquals(LeitongException.Code.CLOSED, codeOf(collection::size));
    assertEquals(LeitongException.Code.CLOSED, codeOf(() -> collection.query("a")));
  }

  @Test
  void manyThreadsWhileOneCloses() throws Exception {
    Path busy = folder.resolve("busy");
    TextCollection.create(busy, new TextCollection.Options().keepTexts());
    for (int round = 0; round < 5; round++) {
      TextCollection collection = TextCollection.write(busy);
      ExecutorService threads = Executors.newFixedThreadPool(4);
      List<Future<Integer>> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int mine = t + round * 4;
        running.add(threads.submit(() -> {
          int added = 0;
          try {
            for (;; added++) {
              collection.add(mine + "-" + added, TestTexts.FERRY + " " + mine + " " + added);
              assertFalse(collection.query(TestTexts.FERRY + " " + mine + " " + added).isEmpty());
            }
          } catch (LeitongException error) {
            assertEquals(LeitongException.Code.CLOSED, error.code());
          }
          return added;
        }));
      }
      Thread.sleep(30);
      collection.close();
      for (Future<Integer> one : running) one.get(60, TimeUnit.SECONDS);
      threads.shutdown();
    }
    try (TextCollection collection = TextCollection.read(busy)) {
      assertTrue(collection.size() > 0);
    }
  }
}
