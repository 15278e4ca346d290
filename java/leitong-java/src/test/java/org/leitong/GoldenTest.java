package org.leitong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leitong.articles.article000.SimHashUtil;
import org.leitong.articles.article001.ShortTextService;
import org.leitong.articles.article001.SimHashService;
import org.leitong.articles.article004.SimHash;

/**
 * What the articles' programs gave, by their adapters and by the profiles. LEITONG_SHARED names the folder of golden/, LEITONG_HANLP_JAR
 * HanLP's jar; without them it is skipped.
 */
class GoldenTest {
  @TempDir static Path folder;
  private static Path golden;
  private static boolean hanlp;

  @BeforeAll
  static void dictionaries() throws IOException {
    String shared = System.getenv("LEITONG_SHARED");
    if (shared == null || !Files.isDirectory(Path.of(shared, "golden"))) return;
    golden = Path.of(shared, "golden");
    Path lists = Files.createDirectories(folder.resolve("ik"));
    try (DirectoryStream<Path> zipped = Files.newDirectoryStream(golden.resolve("ik-3.2.8"), "*.dic.gz")) {
      for (Path list : zipped) unzip(list, lists.resolve(list.getFileName().toString().replace(".gz", "")));
    }
    Leitong.addData("ik", lists, folder.resolve("ik.data"));
    System.setProperty("leitong.articles.ik", folder.resolve("ik.data").toString());
    unzip(golden.resolve("idfold.utf8.gz"), folder.resolve("idfold.utf8"));
    System.setProperty("leitong.articles.idf", folder.resolve("idfold.utf8").toString());
    System.setProperty("leitong.articles.stopWords", golden.resolve("stopword.dic").toString());
    String jar = System.getenv("LEITONG_HANLP_JAR");
    hanlp = jar != null && Files.isRegularFile(Path.of(jar));
    if (!hanlp) return;
    Leitong.addData("hanlp", Path.of(jar), folder.resolve("hanlp.data"));
    System.setProperty("leitong.articles.hanlp", folder.resolve("hanlp.data").toString());
  }

  @BeforeEach
  void vectors() {
    assumeTrue(golden != null, "LEITONG_SHARED names no folder with golden/");
  }

  @AfterAll
  static void properties() {
    for (String name : List.of("ik", "hanlp", "idf", "stopWords")) System.clearProperty("leitong.articles." + name);
  }

  private static void unzip(Path from, Path to) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(from))) {
      Files.copy(in, to);
    }
  }

  private static List<JsonObject> rows(String name) throws IOException {
    List<JsonObject> rows = new ArrayList<>();
    try (BufferedReader lines = new BufferedReader(
        new InputStreamReader(new GZIPInputStream(Files.newInputStream(golden.resolve(name + ".jsonl.gz"))), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) rows.add(JsonParser.parseString(line).getAsJsonObject());
    }
    assertTrue(rows.size() > 20, name);
    return rows;
  }

  private static String text(JsonElement element) {
    return element == null || element.isJsonNull() ? null : element.getAsString();
  }

  private static List<BigInteger> numbers(JsonArray array) {
    List<BigInteger> out = new ArrayList<>();
    array.forEach(one -> out.add(new BigInteger(one.getAsString())));
    return out;
  }

  private static void needHanlp() {
    assumeTrue(hanlp, "LEITONG_HANLP_JAR does not name HanLP's jar");
  }

  /** All widths in one batch each, against the bits and the decimal number. */
  private static void checkWidths(List<JsonObject> rows, Profile profile) {
    List<String> texts = new ArrayList<>();
    rows.forEach(row -> texts.add(text(row.get("text"))));
    for (int bits : new int[] {32, 64, 128}) {
      try (Fingerprinter fingerprinter = new Fingerprinter(profile.withBits(bits))) {
        assertTrue(fingerprinter.leastBitFirst() && fingerprinter.bits() == bits);
        Fingerprints all = fingerprinter.all(texts);
        for (int i = 0; i < rows.size(); i++) {
          JsonObject expected = rows.get(i).getAsJsonObject("fp").getAsJsonObject(Integer.toString(bits));
          Fingerprint made = all.get(i).orElseThrow();
          assertEquals(text(expected.get("bits")), made.toBits(true), text(rows.get(i).get("id")));
          assertEquals(text(expected.get("dec")), made.toBigInteger().toString());
          assertEquals(text(expected.get("hex")), made.toHex());
        }
      }
    }
  }

  private static JsonObject blocks(JsonObject row) {
    return row.getAsJsonObject("fp").has("sub64") ? row.getAsJsonObject("fp").getAsJsonObject("sub64") : row.getAsJsonObject("sub64");
  }

  @Test
  void article000() throws IOException {
    List<JsonObject> rows = rows("s000_ik");
    for (JsonObject row : rows) {
      String made = SimHashUtil.simHash(text(row.get("text")));
      assertEquals(text(row.getAsJsonObject("fp").getAsJsonObject("64").get("bits")), made, text(row.get("id")));
      for (String distance : blocks(row).keySet()) {
        assertEquals(numbers(blocks(row).getAsJsonArray(distance)), SimHashUtil.subByDistance(made, Integer.parseInt(distance)));
      }
    }
    checkWidths(rows, Profile.JAVA_IK.withData(folder.resolve("ik.data")));
  }

  @Test
  void article004() throws IOException {
    needHanlp();
    List<JsonObject> rows = rows("s004");
    for (JsonObject row : rows) {
      SimHash made = new SimHash(text(row.get("text")), 64);
      JsonObject expected = row.getAsJsonObject("fp").getAsJsonObject("64");
      assertEquals(text(expected.get("dec")), made.simHash().toString());
      assertEquals(text(expected.get("bits")), made.getStrSimHash());
      for (String distance : blocks(row).keySet()) {
        assertEquals(numbers(blocks(row).getAsJsonArray(distance)), made.subByDistance(made, Integer.parseInt(distance)));
      }
    }
    checkWidths(rows, Profile.JAVA_HANLP.withData(folder.resolve("hanlp.data")));
    SimHash one = new SimHash(text(rows.get(0).get("text")));
    SimHash other = new SimHash(text(rows.get(1).get("text")));
    assertEquals(one.getDistance(one.getStrSimHash(), other.getStrSimHash()), one.hammingDistance(other));
  }

  @Test
  void article001ProgramA() throws IOException {
    needHanlp();
    int tooShort = 0;
    for (JsonObject row : rows("s001a")) {
      String text = text(row.get("text"));
      assertEquals(text(row.get("pre")), SimHashService.preprocessData(text));
      assertEquals(text(row.getAsJsonObject("fp_full").get("bits")), SimHashService.get(text), text(row.get("id")));
      JsonElement shortText = row.get("fp_short");
      assertEquals(shortText.isJsonNull() ? null : text(shortText.getAsJsonObject().get("bits")), ShortTextService.get(text));
      tooShort += shortText.isJsonNull() ? 1 : 0;
    }
    assertTrue(tooShort > 0);
    assertEquals(null, SimHashService.get(null));
    assertEquals(null, ShortTextService.get(null));
  }

  @Test
  void article001ProgramB() throws IOException {
    needHanlp();
    for (JsonObject row : rows("s001b")) {
      String text = text(row.get("text"));
      assertEquals(text(row.getAsJsonObject("fp").get("bits")), org.leitong.articles.article001.SimHashUtil.getSimHashStr(text),
          text(row.get("id")));
      for (JsonElement token : row.getAsJsonArray("tokens_in_hashmap_order")) {
        String word = text(token.getAsJsonArray().get(0));
        String hash = org.leitong.articles.article001.SimHashUtil.fnv1aHash64(word).toString(16);
        assertEquals(text(token.getAsJsonArray().get(4)), "0".repeat(16 - hash.length()) + hash);
      }
    }
    org.leitong.articles.article001.SimHashUtil.loadStopWords();
    assertThrows(NullPointerException.class, () -> org.leitong.articles.article001.SimHashUtil.getSimHashStr(null));
  }

  @Test
  void cleaning() throws IOException {
    needHanlp();
    for (JsonObject row : rows("stage_preprocess")) {
      String text = text(row.get("text"));
      assertEquals(text(row.get("out")), SimHashService.preprocessData(text), text(row.get("id")));
      assertEquals(text(row.get("dbc")), SimHashService.ToDBC(text));
      if (!text.isBlank()) assertEquals(text(row.get("out")), SimHashService.removeTag(text(row.get("t2s"))));
    }
    assertEquals("\u3000ａ~".replace('~', '～') + "中", SimHashService.ToSBC(" a~中"));
    assertEquals("", SimHashService.removeTag(null));
    assertEquals(null, SimHashService.preprocessData(null));
  }

  private static Object outcome(Callable<?> call) {
    try {
      return call.call();
    } catch (Exception error) {
      return error.getClass().getName();
    }
  }

  private static Object expected(JsonElement element) {
    if (element.isJsonArray()) return numbers(element.getAsJsonArray());
    return element.getAsJsonPrimitive().isNumber() ? (Object) element.getAsInt() : element.getAsString();
  }

  @Test
  void distancesAndBlocks() throws IOException {
    for (JsonObject row : rows("stage_distance")) {
      if (row.has("a")) {
        String a = text(row.get("a"));
        String b = text(row.get("b"));
        assertEquals(expected(row.get("s000_getDistance")), outcome(() -> SimHashUtil.getDistance(a, b)));
        assertEquals(row.get("a_full").getAsInt(), SimHashService.hammingDistance(a, b));
        assertEquals(row.get("a_short").getAsInt(), ShortTextService.hammingDistance(a, b));
        assertEquals(row.get("b_util").getAsInt(), org.leitong.articles.article001.SimHashUtil.hammingDistance(a, b));
      } else {
        String bits = text(row.get("str"));
        int distance = row.get("distance").getAsInt();
        int width = row.get("hashbits").getAsInt();
        assertEquals(expected(row.get("s000_subByDistance")), outcome(() -> org.leitong.articles.Bits.blocks(bits, width, distance)),
            bits + " " + distance);
        int length = bits.lastIndexOf('1') + 1;  // 004 goes as far as the highest set bit
        assertEquals(expected(row.get("s004_subByDistance")),
            outcome(() -> org.leitong.articles.Bits.blocks(bits.substring(0, length), width, distance)), bits + " " + distance);
      }
    }
  }
}
