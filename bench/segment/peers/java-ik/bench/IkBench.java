package bench;

import articles.PythonHash;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.wltea.analyzer.IKSegmentation;
import org.wltea.analyzer.Lexeme;

/** IKAnalyzer 3.2.8 alone (ik) and article 000 as a whole (java-ik); compiled only where its jar is given. */
public final class IkBench implements ToLongFunction<String> {
  private final boolean whole;

  public IkBench(String kind) {
    whole = kind.equals("java-ik");
  }

  @Override
  public long applyAsLong(String text) {
    if (whole) {
      PythonHash simhash = new PythonHash(64);
      each(text, simhash::add);
      return ArticleBench.ones(simhash.bitString());
    }
    long[] count = {0};
    each(text, word -> count[0]++);
    return count[0];
  }

  private static void each(String text, Consumer<String> visit) {
    IKSegmentation ik = new IKSegmentation(new StringReader(text), true);
    try {
      for (Lexeme lexeme = ik.next(); lexeme != null; lexeme = ik.next()) visit.accept(lexeme.getLexemeText());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
