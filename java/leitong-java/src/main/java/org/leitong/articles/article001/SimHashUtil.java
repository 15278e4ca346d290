package org.leitong.articles.article001;

import java.math.BigInteger;
import org.leitong.articles.Bits;
import org.leitong.articles.Programs;

/** In the place of program B of article 001: the same methods and the same bits, from Leitong's profile {@code java-hanlp-tfidf}. */
public class SimHashUtil {
  /** The width. */
  public static final int HASH_BITS = 64;
  /** Where the hash of a word begins. */
  public static final BigInteger FNV_64_INIT = new BigInteger("14695981039346656037");
  /** What it is multiplied by. */
  public static final BigInteger FNV_64_PRIME = new BigInteger("1099511628211");
  /** 64 ones. */
  public static final BigInteger MASK_64 = BigInteger.ONE.shiftLeft(HASH_BITS).subtract(BigInteger.ONE);

  /** As the article's. */
  public SimHashUtil() {}

  /**
   * The fingerprint of a text.
   *
   * @param textContent a text; null is a NullPointerException, as in the article
   * @return 64 times 0 or 1, the highest bit first
   */
  public static String getSimHashStr(String textContent) {
    if (textContent == null) throw new NullPointerException("textContent");
    return Programs.fingerprint(Programs.tfidf(), textContent, fingerprint -> fingerprint.toBits(false));
  }

  /**
   * The hash of a word: FNV-1a of 64 bits over whole characters.
   *
   * @param str a word
   * @return not negative
   */
  public static BigInteger fnv1aHash64(String str) {
    long hash = FNV_64_INIT.longValue();
    for (int i = 0; i < str.length(); i++) hash = (hash ^ str.charAt(i)) * FNV_64_PRIME.longValue();
    return new BigInteger(Long.toUnsignedString(hash));
  }

  /** The words that do not count are read with the first fingerprint; there is nothing left to do. */
  public static void loadStopWords() {}

  /**
   * A text as it is cut: half width, simplified characters, and of these only U+4E00 to U+9FA5.
   *
   * @param textContent a text
   * @return a blank one as it is, null for null
   */
  public static String preprocessData(String textContent) {
    return Cleaning.preprocessData(textContent);
  }

  /**
   * Full width to half width.
   *
   * @param input a text
   * @return the same with ASCII for its full-width forms
   */
  public static String ToDBC(String input) {
    return Cleaning.halfWidth(input);
  }

  /**
   * Half width to full width.
   *
   * @param input a text
   * @return the same with full-width forms for ASCII; control characters are shifted too, as in the article
   */
  public static String ToSBC(String input) {
    return Cleaning.fullWidth(input);
  }

  /**
   * Keeps U+4E00 to U+9FA5.
   *
   * @param text a text
   * @return what is left of it; empty for null
   */
  public static String removeTag(String text) {
    return Cleaning.removeTag(text);
  }

  /**
   * Places in which two fingerprints differ.
   *
   * @param a a fingerprint
   * @param b another
   * @return -1 for different lengths, 0 if one is null
   */
  public static int hammingDistance(String a, String b) {
    return a == null || b == null ? 0 : Bits.distance(a, b);
  }
}
