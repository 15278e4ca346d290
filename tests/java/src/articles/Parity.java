package articles;

import com.hankcs.hanlp.HanLP;
import com.hankcs.hanlp.dictionary.CustomDictionary;
import com.hankcs.hanlp.dictionary.stopword.CoreStopWordDictionary;
import com.hankcs.hanlp.seg.common.Term;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Turns texts on standard input into one JSON line each: HanLP's words with natures and the fingerprints of the articles' programs.
 *
 * <p>Strings come as hexadecimal UTF-16 units, four digits a unit, so that lone surrogates and line ends arrive as they are. A line is
 *
 * <pre>
 *   T TEXT                a text; may be empty
 *   I WORD [nature freq]  CustomDictionary.insert
 *   R WORD                CustomDictionary.remove
 *   L FILE                CoreStopWordDictionary.load(file, false); the file's name in hexadecimal too
 * </pre>
 *
 * Options: --idf FILE --stop-words FILE (program B), --ik (article 000), --words (HanLP's words only). Output is ASCII: all else is
 * escaped.
 */
public final class Parity {
  private static final int[] BITS = {32, 64, 128};

  private final Words ik;
  private final TfidfWeights tfidf;
  private final boolean wordsOnly;

  private Parity(Words ik, TfidfWeights tfidf, boolean wordsOnly) {
    this.ik = ik;
    this.tfidf = tfidf;
    this.wordsOnly = wordsOnly;
  }

  public static void main(String[] arguments) throws IOException {
    List<String> options = Arrays.asList(arguments);
    String idf = value(options, "--idf");
    TfidfWeights tfidf = idf == null ? null : new TfidfWeights(idf, value(options, "--stop-words"));
    Parity parity = new Parity(options.contains("--ik") ? Words.ik() : null, tfidf, options.contains("--words"));
    PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false, "US-ASCII");
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("T")) {
        out.println(parity.answer(unhex(line.substring(1).trim())));
      } else {
        change(line.split(" ", 3));
      }
    }
    out.flush();
  }

  private static String value(List<String> options, String name) {
    int at = options.indexOf(name);
    return at < 0 ? null : options.get(at + 1);
  }

  private static void change(String[] fields) {
    String word = unhex(fields[1]);
    String attributes = fields.length > 2 ? fields[2] : null;
    switch (fields[0]) {
      case "I" -> CustomDictionary.insert(word, attributes);
      case "R" -> CustomDictionary.remove(word);
      case "L" -> CoreStopWordDictionary.load(word, false);
      default -> throw new IllegalArgumentException("unknown command " + fields[0]);
    }
  }

  private static String unhex(String hex) {
    StringBuilder out = new StringBuilder(hex.length() / 4);
    for (int i = 0; i + 4 <= hex.length(); i += 4) out.append((char) Integer.parseInt(hex, i, i + 4, 16));
    return out.toString();
  }

  private String answer(String text) {
    StringBuilder out = new StringBuilder("{");
    try {
      List<Words.Word> words = hanlp(text);
      out.append("\"hanlp\":").append(array(words));
      if (wordsOnly) return out.append('}').toString();
      out.append(",\"hanlp_fp\":").append(pythonHashes(words));
      LengthWeights length = new LengthWeights(text);
      out.append(",\"length_fp\":\"").append(length.bits).append("\",\"length_short_fp\":");
      out.append(length.tooShort() ? "null" : '"' + length.bits + '"');
      if (tfidf != null) {
        out.append(",\"tfidf_fp\":\"").append(tfidf.bitString(text)).append("\",\"tfidf_votes\":[");
        out.append(String.join(",", Arrays.stream(tfidf.votes(text)).mapToObj(v -> '"' + Double.toString(v) + '"').toList())).append(']');
        out.append(",\"tfidf_words\":").append(weighted(tfidf.weights(text)));
      }
      if (ik != null) {
        List<Words.Word> cut = ik.cut(text);
        out.append(",\"ik\":").append(array(cut)).append(",\"ik_fp\":").append(pythonHashes(cut));
      }
    } catch (RuntimeException e) {
      return "{\"error\":" + quote(e.toString()) + "}";
    }
    return out.append('}').toString();
  }

  static List<Words.Word> hanlp(String text) {
    List<Words.Word> words = new ArrayList<>();
    for (Term term : HanLP.segment(text)) words.add(new Words.Word(term.word, term.nature.toString(), -1, -1));
    return words;
  }

  private static String pythonHashes(List<Words.Word> words) {
    List<String> fields = new ArrayList<>();
    for (int bits : BITS) {
      PythonHash simhash = new PythonHash(bits);
      for (Words.Word word : words) simhash.add(word.text());
      fields.add("\"" + bits + "\":[\"" + simhash.bitString() + "\",\"" + simhash.number() + "\"]");
    }
    return "{" + String.join(",", fields) + "}";
  }

  private static String array(List<Words.Word> words) {
    List<String> fields = new ArrayList<>();
    for (Words.Word word : words) {
      String place = word.begin() < 0 ? "" : "," + word.begin() + "," + word.end();
      fields.add("[" + quote(word.text()) + "," + quote(word.tag()) + place + "]");
    }
    return "[" + String.join(",", fields) + "]";
  }

  private static String weighted(Map<String, Double> weights) {
    List<String> fields = new ArrayList<>();
    for (String word : weights.keySet()) fields.add("[" + quote(word) + ",\"" + weights.get(word) + "\"]");
    return "[" + String.join(",", fields) + "]";
  }

  private static String quote(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      if (unit == '"' || unit == '\\') {
        out.append('\\').append(unit);
      } else if (unit >= ' ' && unit < 0x7F) {
        out.append(unit);
      } else {
        out.append(String.format("\\u%04x", (int) unit));
      }
    }
    return out.append('"').toString();
  }
}
