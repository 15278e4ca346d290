package articles;

import com.hankcs.hanlp.HanLP;

/**
 * What both programs of article 001 do to a text before they segment it: half width, simplified characters, and only U+4E00..U+9FA5 kept.
 *
 * <p>The articles reach the last step through some forty passes over the text, most of them regular expressions compiled at each call. Only
 * one of them matters; the others are here because they are part of what the program costs.
 */
public final class Preprocessing {
  private static final String[] BEFORE = {
    "[`+•/<>《》_·。“”「」：:.．，,；;\\-？?！!\t\\[\\]（）(){}【】|\\\\、\"|]", "[#…|]", "&quot &gt",
  };
  private static final String KEEP_HAN = "[^\u4E00-\u9FA5]";
  private static final String[] AFTER = {
    "\\s+", " ", "\u3000", "\\s+", " +", "\\u2003", "\u00A0", "[\\s*|\t|\r|\n|\r\n|]", "&nbsp;", "nbsp",
    "[\u007f-\u009f]|\u00ad|[\u0483-\u0489]|[\u0559-\u055a]|\u058a|[\u0591-\u05bd]|\u05bf|[\u0606-\u060a]|[\u063b-\u063f]|\u0674|\u070f"
        + "|[\u076e-\u077f]|\u0a51|\u0a75|\u0b44|[\u0b62-\u0b63]|[\u0c62-\u0c63]|[\u0ce2-\u0ce3]|\u135f|[\u200b-\u200f]|[\u2028-\u202e]"
        + "|\u2044|\u2071|[\uf701-\uf70e]|\ufb1e|[\ufc5e-\ufc62]|\ufeff|\ufffc",
  };

  private Preprocessing() {}

  public static String apply(String text) {
    if (text.isBlank()) return text;
    return hanOnly(HanLP.convertToSimplifiedChinese(halfWidth(text)));
  }

  static String halfWidth(String text) {
    char[] units = text.toCharArray();
    for (int i = 0; i < units.length; i++) {
      if (units[i] == 0x3000) {
        units[i] = ' ';
      } else if (units[i] > 0xFF00 && units[i] < 0xFF5F) {
        units[i] -= 65248;
      }
    }
    return new String(units);
  }

  private static String hanOnly(String text) {
    for (String pattern : BEFORE) text = text.replaceAll(pattern, "");
    text = text.replaceAll("\\s+", " ").replaceAll(KEEP_HAN, "");
    for (String pattern : AFTER) text = text.replaceAll(pattern, "");
    return dropDigits(dropDigits(text, '0'), '\uFF10');
  }

  private static String dropDigits(String text, char zero) {
    for (int digit = 0; digit < 10; digit++) text = text.replace(String.valueOf((char) (zero + digit)), "");
    return text.toLowerCase().trim();
  }
}
