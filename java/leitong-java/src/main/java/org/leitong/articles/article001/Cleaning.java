package org.leitong.articles.article001;

import org.leitong.articles.Programs;

/** What both programs of article 001 do to a text before they cut it. */
final class Cleaning {
  private static final int WIDTH_DIFFERENCE = 0xFEE0;

  private Cleaning() {}

  static String preprocessData(String text) {
    return text == null || text.chars().allMatch(Character::isWhitespace) ? text : Programs.clean(text);
  }

  static String halfWidth(String text) {
    StringBuilder out = new StringBuilder(text);
    for (int i = 0; i < out.length(); i++) {
      char unit = out.charAt(i);
      if (unit == 0x3000) out.setCharAt(i, ' ');
      if (unit >= 0xFF01 && unit <= 0xFF5E) out.setCharAt(i, (char) (unit - WIDTH_DIFFERENCE));
    }
    return out.toString();
  }

  static String fullWidth(String text) {
    StringBuilder out = new StringBuilder(text);
    for (int i = 0; i < out.length(); i++) {
      char unit = out.charAt(i);
      if (unit < 0x7F) out.setCharAt(i, unit == ' ' ? '\u3000' : (char) (unit + WIDTH_DIFFERENCE));
    }
    return out.toString();
  }

  /** Only the characters that the article keeps; all of its other steps find nothing any more. */
  static String removeTag(String text) {
    if (text == null) return "";
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) if (text.charAt(i) >= 0x4E00 && text.charAt(i) <= 0x9FA5) out.append(text.charAt(i));
    return out.toString();
  }
}
