package articles;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.wltea.analyzer.IKSegmentation;
import org.wltea.analyzer.Lexeme;

/** IKAnalyzer 3.2.8, maximum word length (article 000). */
public final class IkWords implements Words {
  @Override
  public List<Word> cut(String text) {
    List<Word> words = new ArrayList<>();
    IKSegmentation ik = new IKSegmentation(new StringReader(text), true);
    try {
      for (Lexeme lexeme = ik.next(); lexeme != null; lexeme = ik.next()) {
        String type = String.valueOf(lexeme.getLexemeType());
        words.add(new Word(lexeme.getLexemeText(), type, lexeme.getBeginPosition(), lexeme.getEndPosition()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return words;
  }
}
