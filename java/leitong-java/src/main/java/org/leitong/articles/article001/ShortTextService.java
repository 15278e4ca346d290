package org.leitong.articles.article001;

import org.leitong.Profile;
import org.leitong.articles.Bits;
import org.leitong.articles.Programs;

/**
 * In the place of the methods that article 001 prints one by one before its complete class, which name no class: a text that is too short
 * has
 * no fingerprint. From Leitong's profile {@code java-hanlp-length-short}.
 */
public final class ShortTextService {
  private ShortTextService() {}

  /**
   * The fingerprint of a text.
   *
   * @param text a text
   * @return 64 times 0 or 1, the highest bit first; null for null and for a text that is too short
   */
  public static String get(String text) {
    if (text == null) return null;
    return Programs.fingerprint(Programs.hanlp(Profile.JAVA_HANLP_LENGTH_SHORT), text, fingerprint -> fingerprint.toBits(false));
  }

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
