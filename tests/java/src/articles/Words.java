package articles;

import java.util.List;

/** What cuts a text into words, each with what the segmenter says of it. */
public interface Words {
  /** `tag` is HanLP's nature or IK's type number; `begin` and `end` are -1 where the segmenter's profile has none. */
  record Word(String text, String tag, int begin, int end) {}

  List<Word> cut(String text);

  /** IK is there only if its jar was given when the programs were compiled. */
  static Words ik() {
    try {
      return (Words) Class.forName("articles.IkWords").getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("compiled without IKAnalyzer 3.2.8: set LEITONG_IK_JAR to its jar and build again", e);
    }
  }
}
