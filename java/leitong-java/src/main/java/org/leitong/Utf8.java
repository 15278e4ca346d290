package org.leitong;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Strings as the library takes them: UTF-8 in which a surrogate without its partner stands as three bytes, so that every String of Java is
 * told from every other, and as the command line takes it from an escape in JSON. The profiles of Java programs count such units; to the
 * others
 * they are three bad bytes, each a U+FFFD.
 */
final class Utf8 {
  /** Most units that surely fit into an array of bytes. */
  static final int MOST_UNITS = (Integer.MAX_VALUE - 16) / 3;

  private Utf8() {}

  static byte[] encode(String text, String name) {
    LeitongException.given(text, name);
    byte[] out = new byte[room(text)];
    return Arrays.copyOf(out, encode(text, out, 0));
  }

  /** For names and paths, which the library reads up to a zero. Null stays null. */
  static byte[] name(String text, String what) {
    if (text == null) return null;
    if (text.indexOf('\0') >= 0) throw LeitongException.usage(what + " holds a zero character");
    return encode(text, what);
  }

  /** Bytes that a text may need. */
  static int room(String text) {
    if (text.length() > MOST_UNITS) {
      throw new LeitongException(LeitongException.Code.LIMIT, "a text of " + text.length() + " characters; at most " + MOST_UNITS
          + " are taken");
    }
    return text.length() * 3;
  }

  /** Writes to out[at...], where there is room; returns where it ends. */
  static int encode(String text, byte[] out, int at) {
    int length = text.length();
    int i = 0;
    for (; i < length && text.charAt(i) < 0x80; i++) out[at++] = (byte) text.charAt(i);
    for (; i < length; i++) {
      char unit = text.charAt(i);
      if (unit < 0x80) {
        out[at++] = (byte) unit;
      } else if (unit < 0x800) {
        out[at++] = (byte) (0xC0 | unit >> 6);
        out[at++] = (byte) (0x80 | unit & 0x3F);
      } else if (Character.isHighSurrogate(unit) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1))) {
        int point = Character.toCodePoint(unit, text.charAt(++i));
        out[at++] = (byte) (0xF0 | point >> 18);
        out[at++] = (byte) (0x80 | point >> 12 & 0x3F);
        out[at++] = (byte) (0x80 | point >> 6 & 0x3F);
        out[at++] = (byte) (0x80 | point & 0x3F);
      } else {
        out[at++] = (byte) (0xE0 | unit >> 12);
        out[at++] = (byte) (0x80 | unit >> 6 & 0x3F);
        out[at++] = (byte) (0x80 | unit & 0x3F);
      }
    }
    return at;
  }

  /** The way back; other bytes than {@link #encode} writes become U+FFFD. */
  static String decode(byte[] bytes, int at, int length) {
    if (!hasSurrogate(bytes, at, at + length)) return new String(bytes, at, length, StandardCharsets.UTF_8);
    StringBuilder out = new StringBuilder(length);
    int end = at + length;
    int begin = at;
    for (int i = at; i < end; i++) {
      if (!isSurrogate(bytes, i, end)) continue;
      out.append(new String(bytes, begin, i - begin, StandardCharsets.UTF_8));
      out.append((char) (0xD000 | (bytes[i + 1] & 0x3F) << 6 | bytes[i + 2] & 0x3F));
      i += 2;
      begin = i + 1;
    }
    return out.append(new String(bytes, begin, end - begin, StandardCharsets.UTF_8)).toString();
  }

  private static boolean hasSurrogate(byte[] bytes, int at, int end) {
    for (int i = at; i < end; i++) if (isSurrogate(bytes, i, end)) return true;
    return false;
  }

  private static boolean isSurrogate(byte[] bytes, int i, int end) {
    return bytes[i] == (byte) 0xED && i + 2 < end && (bytes[i + 1] & 0xE0) == 0xA0 && (bytes[i + 2] & 0xC0) == 0x80;
  }
}
