package org.leitong.articles;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.leitong.Fingerprint;
import org.leitong.Fingerprinter;
import org.leitong.Profile;
import org.leitong.Segmenter;

/**
 * What the adapters share: a fingerprinter for each profile that was asked for, and where the programs' files are.
 *
 * <p>The files are those of the articles unless a property names others: {@code leitong.articles.idf} (data/idfold.utf8),
 * {@code leitong.articles.stopWords} (data/stopword.dic); {@code leitong.articles.hanlp} and {@code leitong.articles.ik} name compiled
 * dictionaries ({@link org.leitong.Leitong#addData}) that do not stand where they are found by name. They are read at the first use.
 */
public final class Programs {
  private static final Map<Profile, Fingerprinter> MADE = new HashMap<>();
  private static Segmenter cleaner;

  private Programs() {}

  /**
   * The fingerprint of a text under a profile.
   *
   * @param profile one of a Java program
   * @param text not null
   * @param write what becomes of it
   * @param <T> what that is
   * @return null if the text has none
   */
  public static <T> T fingerprint(Profile profile, String text, Function<Fingerprint, T> write) {
    return fingerprinter(profile).of(text).map(write).orElse(null);
  }

  private static synchronized Fingerprinter fingerprinter(Profile profile) {
    return MADE.computeIfAbsent(profile, Fingerprinter::new);
  }

  /**
   * A text as the programs of article 001 clean it.
   *
   * @param text not blank
   * @return what is left
   */
  public static String clean(String text) {
    return cleaner().cut(text).text();
  }

  private static synchronized Segmenter cleaner() {
    if (cleaner == null) cleaner = new Segmenter(hanlp(Profile.JAVA_HANLP_LENGTH));
    return cleaner;
  }

  /**
   * A profile on HanLP with the named dictionary.
   *
   * @param profile one on HanLP
   * @return the same, or with a dictionary
   */
  public static Profile hanlp(Profile profile) {
    return withData(profile, "leitong.articles.hanlp");
  }

  /**
   * The profile of article 000 with the named dictionary.
   *
   * @param profile one on IKAnalyzer
   * @return the same, or with a dictionary
   */
  public static Profile ik(Profile profile) {
    return withData(profile, "leitong.articles.ik");
  }

  /**
   * The profile of program B with its two files.
   *
   * @return the profile
   */
  public static Profile tfidf() {
    return hanlp(Profile.JAVA_HANLP_TFIDF)
        .withIdf(Path.of(System.getProperty("leitong.articles.idf", "data/idfold.utf8")))
        .withStopWords(Path.of(System.getProperty("leitong.articles.stopWords", "data/stopword.dic")));
  }

  private static Profile withData(Profile profile, String property) {
    String file = System.getProperty(property, "");
    return file.isEmpty() ? profile : profile.withData(Path.of(file));
  }
}
