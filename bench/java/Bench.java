import articles.LengthWeights;
import articles.TfidfWeights;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.leitong.Fingerprinter;
import org.leitong.Fingerprints;
import org.leitong.Profile;

/**
 * Bench TEXTS HANLP-DATA IDF STOP-WORDS ROUNDS: how long the articles' programs A and B, Leitong text by text, Leitong in batches of
 * 1,000 and the native
 * call on such a batch that stands in direct buffers already take for the same texts, one thread, in turn; the median of the rounds.
 * TEXTS: a text
 * a line. All fingerprints are compared.
 */
public final class Bench {
  private static final int BATCH = 1000;

  private Bench() {}

  private interface Way {
    /** Does all texts; a number that depends on every fingerprint. */
    long run();
  }

  public static void main(String[] args) throws Exception {
    List<String> texts = Files.readAllLines(Path.of(args[0]));
    int rounds = Integer.parseInt(args[4]);
    long bytes = Files.size(Path.of(args[0]));
    System.out.printf("%d texts, %.2f MB of UTF-8, %d rounds, one thread, Java %s%n", texts.size(), bytes / 1e6, rounds, Runtime.version());
    Path data = Path.of(args[1]);
    TfidfWeights b = new TfidfWeights(args[2], args[3]);
    program("A, java-hanlp-length", text -> new LengthWeights(text).bits, Profile.JAVA_HANLP_LENGTH.withData(data), texts, bytes, rounds);
    Profile tfidf = Profile.JAVA_HANLP_TFIDF.withData(data).withIdf(Path.of(args[2])).withStopWords(Path.of(args[3]));
    program("B, java-hanlp-tfidf", b::bitString, tfidf, texts, bytes, rounds);
    program("none, leitong-1", null, Profile.DEFAULT, texts, bytes, rounds);
  }

  private static void program(String name, Function<String, String> java, Profile profile, List<String> texts, long bytes, int rounds) {
    try (Fingerprinter fingerprinter = new Fingerprinter(profile)) {
      List<Buffers> packed = pack(texts);
      List<Way> ways = new ArrayList<>(List.of(() -> oneByOne(fingerprinter, texts), () -> batches(fingerprinter, texts),
          () -> direct(fingerprinter, packed)));
      if (java != null) ways.add(() -> byProgram(java, texts));
      double[] seconds = times(ways, rounds);
      String[] names = {"leitong-java, text by text", "leitong-java, batches of 1,000", "native call on packed batches", "the program"};
      System.out.printf("%nprogram %s%n", name);
      for (int i = 0; i < ways.size(); i++) System.out.printf("  %-32s %8.3f s  %7.2f MB/s%n", names[i], seconds[i],
          bytes / 1e6 / seconds[i]);
      System.out.printf("  batches to native: %.3f%n", seconds[1] / seconds[2]);
      if (java != null) System.out.printf("  program to batches: %.1f; to text by text: %.1f%n", seconds[3] / seconds[1],
          seconds[3] / seconds[0]);
    }
  }

  private static double[] times(List<Way> ways, int rounds) {
    double[][] all = new double[ways.size()][rounds];
    long expected = ways.get(0).run();
    for (int round = -1; round < rounds; round++) {  // the first warms up
      for (int i = 0; i < ways.size(); i++) {
        long begin = System.nanoTime();
        long sum = ways.get(i).run();
        if (round >= 0) all[i][round] = (System.nanoTime() - begin) / 1e9;
        if (sum != expected) throw new IllegalStateException("way " + i + " gives other fingerprints");
      }
    }
    double[] medians = new double[all.length];
    for (int i = 0; i < all.length; i++) {
      Arrays.sort(all[i]);
      medians[i] = all[i][rounds / 2];
    }
    return medians;
  }

  private static long mixed(long sum, long word) {
    return (sum ^ word) * 0x9E3779B97F4A7C15L;
  }

  private static long byProgram(Function<String, String> java, List<String> texts) {
    long sum = 0;
    for (String text : texts) sum = mixed(sum, Long.parseUnsignedLong(java.apply(text), 2));
    return sum;
  }

  private static long oneByOne(Fingerprinter fingerprinter, List<String> texts) {
    long sum = 0;
    for (String text : texts) sum = mixed(sum, fingerprinter.word(text, 0));
    return sum;
  }

  private static long batches(Fingerprinter fingerprinter, List<String> texts) {
    long sum = 0;
    for (int begin = 0; begin < texts.size(); begin += BATCH) {
      Fingerprints made = fingerprinter.all(texts.subList(begin, Math.min(begin + BATCH, texts.size())));
      for (int i = 0; i < made.size(); i++) sum = mixed(sum, made.word(i));
    }
    return sum;
  }

  private static long direct(Fingerprinter fingerprinter, List<Buffers> packed) {
    long sum = 0;
    for (Buffers batch : packed) {
      fingerprinter.all(batch.utf8, batch.lengths, batch.count, batch.words, batch.present, batch.features);
      for (int i = 0; i < batch.count; i++) sum = mixed(sum, batch.words.getLong(i * 8));
    }
    return sum;
  }

  private static final class Buffers {
    ByteBuffer utf8;
    ByteBuffer lengths;
    ByteBuffer words;
    ByteBuffer present;
    ByteBuffer features;
    int count;
  }

  private static List<Buffers> pack(List<String> texts) {
    List<Buffers> packed = new ArrayList<>();
    for (int begin = 0; begin < texts.size(); begin += BATCH) {
      List<String> batch = texts.subList(begin, Math.min(begin + BATCH, texts.size()));
      Buffers buffers = new Buffers();
      buffers.count = batch.size();
      buffers.lengths = buffer(4 * buffers.count);
      buffers.words = buffer(8 * buffers.count);
      buffers.present = buffer(buffers.count);
      buffers.features = buffer(4 * buffers.count);
      int bytes = 0;
      for (String text : batch) bytes += text.getBytes(StandardCharsets.UTF_8).length;
      buffers.utf8 = buffer(bytes);
      for (String text : batch) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        buffers.utf8.put(utf8);
        buffers.lengths.putInt(utf8.length);
      }
      packed.add(buffers);
    }
    return packed;
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }
}
