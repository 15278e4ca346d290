package org.leitong.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.leitong.Fingerprinter;
import org.leitong.Fingerprints;
import org.leitong.Leitong;
import org.leitong.LeitongException;
import org.leitong.Profile;
import org.leitong.SimHashJoin;

class LeitongFunctionsTest {
  private static final StructType SCHEMA = new StructType().add("id", DataTypes.IntegerType).add("text", DataTypes.StringType);
  private static final List<String> TEXTS = texts();
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", false).config("spark.sql.shuffle.partitions", 3)
        .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate();
    LeitongFunctions.register(spark);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < TEXTS.size(); i++) rows.add(RowFactory.create(i, TEXTS.get(i)));
    spark.createDataFrame(rows, SCHEMA).repartition(3).createOrReplaceTempView("news");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<String> texts() {
    Random chance = new Random(5);
    String[] words = "night ferry island pier midnight flour price bakery month noodles 文本 相似".split(" ");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      StringBuilder text = new StringBuilder();
      for (int w = 0; w < 60; w++) text.append(words[chance.nextInt(words.length)]).append(w % 7).append(' ');
      texts.add(text.toString());
      if (i % 2 == 0) texts.add(text + "again");
    }
    texts.add("...");
    texts.add(null);
    return texts;
  }

  @Test
  void fingerprintsAreThoseOfTheLibrary() {
    try (Fingerprinter fingerprinter = new Fingerprinter(Profile.DEFAULT)) {
      List<Row> rows = spark.sql("select id, leitong_fingerprint(text) from news order by id").collectAsList();
      assertEquals(TEXTS.size(), rows.size());
      for (Row row : rows) {
        String text = TEXTS.get(row.getInt(0));
        Long expected = text == null ? null : fingerprinter.of(text).map(made -> made.word(0)).orElse(null);
        assertEquals(expected, row.isNullAt(1) ? null : (Long) row.getLong(1), text);
      }
    }
  }

  @Test
  void aJoinOnBlocksIsTheLibrarysJoin() {
    List<String> given = TEXTS.subList(0, TEXTS.size() - 2);
    TreeSet<String> expected = new TreeSet<>();
    try (Fingerprinter fingerprinter = new Fingerprinter(Profile.DEFAULT)) {
      Fingerprints all = fingerprinter.all(given);
      for (SimHashJoin.Pair pair : SimHashJoin.within(3).self(all.toArray())) expected.add(pair.toString());
    }
    spark.sql("select id, leitong_fingerprint(text) as fp from news").createOrReplaceTempView("prints");
    spark.sql("select id, fp, b, shiftrightunsigned(fp, 16 * b) & 65535 as block from prints lateral view explode(sequence(0, 3)) as b where fp is not null")
        .createOrReplaceTempView("blocks");
    Dataset<Row> pairs = spark.sql("select distinct x.id, y.id, leitong_hamming(x.fp, y.fp) from blocks x join blocks y on x.b = y.b"
        + " and x.block = y.block and x.id < y.id where leitong_hamming(x.fp, y.fp) <= 3");
    TreeSet<String> found = new TreeSet<>();
    for (Row row : pairs.collectAsList()) found.add(row.getInt(0) + " " + row.getInt(1) + " " + row.getInt(2));
    assertEquals(expected, found);
    assertFalse(found.isEmpty());
  }

  @Test
  void similarity() {
    Row row = spark.sql("select leitong_similarity('one two three', 'one two four'), leitong_similarity('a', null), leitong_hamming(null, 1L),"
        + " leitong_hamming(-1L, 0L)").head();
    assertEquals(Leitong.compare("one two three", "one two four").jaccard(), row.getDouble(0));
    assertTrue(row.isNullAt(1) && row.isNullAt(2));
    assertEquals(64, row.getInt(3));
  }

  @Test
  void mistakes() {
    assertThrows(LeitongException.class, () -> LeitongFunctions.register(spark, "no-such-profile"));
    assertThrows(IllegalArgumentException.class, () -> LeitongFunctions.register(spark, "leitong-1-256"));
  }
}
