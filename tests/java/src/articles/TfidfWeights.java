package articles;

import com.hankcs.hanlp.HanLP;
import com.hankcs.hanlp.seg.common.Term;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Program B of article 001: words weigh tf·idf, summed as doubles in the order of a HashMap; ties are 1, most significant bit first. */
public final class TfidfWeights {
  private static final Pattern NUMBER = Pattern.compile("([0-9]*)|([0-9]*[年|月|日])");
  private static final BigInteger START = new BigInteger("14695981039346656037");
  private static final BigInteger PRIME = new BigInteger("1099511628211");
  private static final BigInteger MASK = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  private final Map<String, Double> idf = new HashMap<>();
  private final Set<String> stopWords = new HashSet<>();
  private final double average;

  public TfidfWeights(String idfFile, String stopWordFile) throws IOException {
    average = loadIdf(idfFile);
    try (BufferedReader lines = open(stopWordFile)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isEmpty()) stopWords.add(line);
      }
    }
  }

  /** The average of all that was read, repeated words included; the first bad number ends the reading without a word. */
  private double loadIdf(String file) throws IOException {
    double sum = 0;
    int count = 0;
    try (BufferedReader lines = open(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] fields = line.split(" ");
        if (line.isEmpty() || fields.length != 2) continue;
        double value = Double.valueOf(fields[1]);
        idf.put(fields[0], value);
        sum += value;
        count++;
      }
    } catch (NumberFormatException e) {
      System.err.println("idf file: " + e.getMessage() + "; what comes after is not read");
    }
    return sum / count;
  }

  private static BufferedReader open(String file) throws IOException {
    return new BufferedReader(new InputStreamReader(new FileInputStream(file), "UTF-8"));
  }

  /** Word -> tf·idf, in a map whose order of iteration is that of the summation. */
  public Map<String, Double> weights(String text) {
    Map<String, Integer> counts = new HashMap<>();
    for (Term term : HanLP.segment(Preprocessing.apply(text))) {
      String word = term.word.replace(" ", "");
      if (stopWords.contains(term.word) || word.length() < 2 || NUMBER.matcher(word).matches()) continue;
      if (counts.containsKey(word)) {
        counts.put(word, counts.get(word) + 1);
      } else {
        counts.put(word, 1);
      }
    }
    Map<String, Double> weights = new HashMap<>();
    counts.forEach((word, count) -> weights.put(word, count * (idf.containsKey(word) ? idf.get(word) : average)));
    return weights;
  }

  public double[] votes(String text) {
    Map<String, Double> weights = weights(text);
    double[] votes = new double[64];
    for (String word : weights.keySet()) {
      BigInteger hash = hash(word);
      for (int i = 0; i < 64; i++) {
        BigInteger one = BigInteger.ONE.shiftLeft(63 - i);
        if (hash.and(one).signum() != 0) {
          votes[i] += weights.get(word);
        } else {
          votes[i] -= weights.get(word);
        }
      }
    }
    return votes;
  }

  public String bitString(String text) {
    StringBuffer out = new StringBuffer();
    for (double vote : votes(text)) out.append(vote >= 0 ? "1" : "0");
    return out.toString();
  }

  /** FNV-1a over whole UTF-16 units; the product is cut to 64 bits only at the end, as the article does it. */
  static BigInteger hash(String word) {
    BigInteger x = START;
    for (int i = 0; i < word.length(); i++) x = x.xor(BigInteger.valueOf(word.charAt(i))).multiply(PRIME);
    return x.and(MASK);
  }
}
