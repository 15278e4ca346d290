package bench;

import articles.LengthWeights;
import articles.PythonHash;
import articles.TfidfWeights;
import com.hankcs.hanlp.HanLP;
import com.hankcs.hanlp.seg.common.Term;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Times one of the articles' programs, or its segmentation alone, on a file with a text a line: KIND FILE WARM-UPS ROUNDS [IDF
 * STOP-WORDS].
 *
 * <p>Prints one JSON line {"kind","bytes","tokens","seconds":[…]}: bytes of UTF-8, tokens or (whole programs) one bits of all fingerprints,
 * so that a program that leaves out work is seen. The texts are strings before the clock starts, which spares Java the decoding; seconds are
 * processor time of this thread, which leaves out Java's compiler and most of its collector.
 */
public final class ArticleBench {
  private ArticleBench() {}

  public static void main(String[] arguments) throws IOException {
    String kind = arguments[0];
    Path file = Path.of(arguments[1]);
    int warmUps = Integer.parseInt(arguments[2]);
    int rounds = Integer.parseInt(arguments[3]);
    List<String> texts = Files.readAllLines(file);
    ToLongFunction<String> work = work(kind, arguments);
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    List<String> seconds = new ArrayList<>();
    long tokens = 0;
    for (int round = -warmUps; round < rounds; round++) {
      long start = clock.getCurrentThreadCpuTime();
      tokens = 0;
      for (String text : texts) tokens += work.applyAsLong(text);
      if (round >= 0) seconds.add(String.format("%.6f", (clock.getCurrentThreadCpuTime() - start) / 1e9));
    }
    String line = "{\"kind\":\"%s\",\"bytes\":%d,\"tokens\":%d,\"seconds\":[%s]}%n";
    System.out.printf(line, kind, Files.size(file), tokens, String.join(",", seconds));
  }

  private static ToLongFunction<String> work(String kind, String[] arguments) throws IOException {
    switch (kind) {
      case "hanlp":
        return text -> HanLP.segment(text).size();
      case "ik", "java-ik":
        return ik(kind);
      case "java-hanlp":
        return text -> {
          PythonHash simhash = new PythonHash(64);
          for (Term term : HanLP.segment(text)) simhash.add(term.word);
          simhash.number();
          return ones(simhash.bitString());
        };
      case "java-hanlp-length":
        return text -> ones(new LengthWeights(text).bits);
      case "java-hanlp-tfidf":
        TfidfWeights tfidf = new TfidfWeights(arguments[4], arguments[5]);
        return text -> ones(tfidf.bitString(text));
      default:
        throw new IllegalArgumentException("unknown kind " + kind);
    }
  }

  @SuppressWarnings("unchecked")
  private static ToLongFunction<String> ik(String kind) {
    try {
      return (ToLongFunction<String>) Class.forName("bench.IkBench").getConstructor(String.class).newInstance(kind);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("compiled without IKAnalyzer 3.2.8: set LEITONG_IK_JAR to its jar", e);
    }
  }

  static long ones(String bits) {
    return bits.chars().filter(bit -> bit == '1').count();
  }
}
