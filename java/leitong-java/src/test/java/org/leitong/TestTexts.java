package org.leitong;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Texts for the tests, and what they share. */
final class TestTexts {
  static final String FERRY = "The night ferry to the island leaves the east pier at ten and arrives shortly after midnight on every day of the week";
  static final String FERRY_AGAIN = FERRY.replace("the week", "that week");
  static final String BAKERIES = "Shares of the three largest bakeries fell on Tuesday after the price of flour had doubled within less than a month";

  private TestTexts() {}

  /** Words from a small list: Latin, Chinese, emoji, now and then half a surrogate pair. */
  static List<String> random(int count, long seed) {
    Random chance = new Random(seed);
    String[] words = {"night", "ferry", "Straße", "наука", "中文", "文本", "相似", "😀", "e\u0301", "\uD83D", "\uDE00", "I\u0130", "a-b", "42"};
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      for (int left = chance.nextInt(40); left > 0; left--) text.append(words[chance.nextInt(words.length)]).append(chance.nextInt(5) == 0 ? "" : " ");
      texts.add(text.toString());
    }
    return texts;
  }

  /** Fingerprints, some of them near others. */
  static long[] random(Random chance, int rows, int words) {
    long[] values = new long[rows * words];
    for (int i = 0; i < values.length; i++) {
      values[i] = i >= words && chance.nextInt(2) == 0 ? values[i - words] ^ 1L << chance.nextInt(64) : chance.nextLong();
    }
    return values;
  }

  static Path sample() {
    return Path.of(System.getProperty("leitong.sample"));
  }

  /** Kilobytes of this process by a line of /proc/self/status, as "VmRSS". */
  static long status(String name) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.UTF_8)) {
        if (line.startsWith(name + ":")) return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
    throw new IllegalStateException("/proc/self/status has no " + name);
  }
}
