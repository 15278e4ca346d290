package articles;

import com.hankcs.hanlp.HanLP;
import com.hankcs.hanlp.dictionary.stopword.CoreStopWordDictionary;
import com.hankcs.hanlp.seg.common.Term;
import java.math.BigInteger;

/** Program A of article 001: words weigh by their length, marks and core stop words nothing; ties are 0, most significant bit first. */
public final class LengthWeights {
  private static final BigInteger FACTOR = BigInteger.valueOf(1000003);
  private static final BigInteger MASK = BigInteger.valueOf(2).pow(64).subtract(BigInteger.ONE);

  public final String bits;
  public final int sum;
  public final int max;

  public LengthWeights(String text) {
    int[] votes = new int[64];
    int total = 0;
    int heaviest = 0;
    for (Term term : HanLP.segment(Preprocessing.apply(text))) {
      if (term.nature.toString().startsWith("w") || CoreStopWordDictionary.contains(term.word)) continue;
      BigInteger hash = hash(term.word);
      int weight = weight(term.word);
      if (weight == 0) continue;
      total += weight;
      if (heaviest < weight) heaviest = weight;
      for (int i = 0; i < 64; i++) {
        BigInteger one = BigInteger.ONE.shiftLeft(63 - i);
        votes[i] += hash.and(one).signum() != 0 ? weight : -weight;
      }
    }
    StringBuilder out = new StringBuilder();
    for (int vote : votes) out.append(vote > 0 ? "1" : "0");
    bits = out.toString();
    sum = total;
    max = heaviest;
  }

  /** The rule of the service: too few or too light words make no fingerprint. */
  public boolean tooShort() {
    return 3 * max >= sum || sum < 20;
  }

  static BigInteger hash(String word) {
    if (word.isBlank()) return BigInteger.ZERO;
    char[] units = word.toCharArray();
    BigInteger x = BigInteger.valueOf((long) units[0] << 12);
    for (char unit : units) x = x.multiply(FACTOR).xor(BigInteger.valueOf(unit)).and(MASK);
    return x.xor(BigInteger.valueOf(word.length()));
  }

  static int weight(String word) {
    if (word.isBlank()) return 0;
    if (word.length() == 1) return 1;
    boolean wide = word.charAt(0) >= 0x3040;
    if (word.length() == 2) return wide ? 8 : 2;
    return wide ? 16 : 4;
  }
}
