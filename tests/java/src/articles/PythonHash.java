package articles;

import java.math.BigInteger;

/**
 * The SimHash of articles 000 and 004: every word counts once, its hash is that of a Python 2 string cut to the wanted number of bits.
 *
 * <p>Written from the rules, with the articles' own means (arbitrary-precision integers made anew for every bit), because their cost is
 * what the benchmark compares with.
 */
public final class PythonHash {
  private final int bits;
  private final int[] votes;

  public PythonHash(int bits) {
    this.bits = bits;
    this.votes = new int[bits];
  }

  public void add(String word) {
    BigInteger hash = hash(word);
    for (int i = 0; i < bits; i++) {
      BigInteger one = new BigInteger("1").shiftLeft(i);
      if (hash.and(one).signum() != 0) {
        votes[i] += 1;
      } else {
        votes[i] -= 1;
      }
    }
  }

  /** Least significant bit first; a tie counts as one, so a text without words is all ones. */
  public String bitString() {
    StringBuffer out = new StringBuffer();
    for (int vote : votes) out.append(vote >= 0 ? "1" : "0");
    return out.toString();
  }

  /** Article 004's number, summed bit by bit. */
  public BigInteger number() {
    BigInteger sum = new BigInteger("0");
    for (int i = 0; i < bits; i++) {
      if (votes[i] >= 0) sum = sum.add(new BigInteger("1").shiftLeft(i));
    }
    return sum;
  }

  public BigInteger hash(String word) {
    if (word.isEmpty()) return new BigInteger("0");
    char[] units = word.toCharArray();
    BigInteger factor = new BigInteger("1000003");
    BigInteger mask = new BigInteger("2").pow(bits).subtract(new BigInteger("1"));
    BigInteger x = BigInteger.valueOf((long) units[0] << 7);
    for (char unit : units) x = x.multiply(factor).xor(BigInteger.valueOf(unit)).and(mask);
    x = x.xor(new BigInteger(String.valueOf(word.length())));
    return x.equals(new BigInteger("-1")) ? new BigInteger("-2") : x;
  }
}
