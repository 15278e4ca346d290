package org.leitong.spark;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;
import org.leitong.Fingerprinter;
import org.leitong.Leitong;
import org.leitong.LeitongException;
import org.leitong.Profile;

/**
 * Leitong's functions for Spark SQL.
 *
 * <pre>{@code
 * LeitongFunctions.register(spark);
 * spark.sql("select id, leitong_fingerprint(text) as fp from news");
 * spark.sql("select a.id, b.id from prints a join prints b on a.block = b.block and leitong_hamming(a.fp, b.fp) <= 3");
 * }</pre>
 *
 * <p>{@code leitong_fingerprint(text)} gives a bigint, null for null and for a text without words; {@code leitong_hamming(a, b)} the bits
 * in
 * which two of them differ; {@code leitong_similarity(a, b)} the share of features, 0 to 1, that two texts have in common.
 */
public final class LeitongFunctions {
  private LeitongFunctions() {}

  /**
   * Registers the functions with the default profile.
   *
   * @param session where they are to be known
   */
  public static void register(SparkSession session) {
    register(session, "leitong-1");
  }

  /**
   * Registers the functions.
   *
   * @param session where they are to be known
   * @param profile the name of a profile of 64 bits; dictionaries that it needs must be on the executors, where LEITONG_DATA names
   */
  public static void register(SparkSession session, String profile) {
    try (Fingerprinter fingerprinter = new Fingerprinter(Profile.of(profile))) {  // an error here is one of the driver, with a message
      if (fingerprinter.bits() != 64) throw new IllegalArgumentException(profile + " has " + fingerprinter.bits()
          + " bits; a bigint has 64");
    }
    session.udf().register("leitong_fingerprint", new FingerprintOf(profile), DataTypes.LongType);
    session.udf().register("leitong_hamming", new Hamming(), DataTypes.IntegerType);
    session.udf().register("leitong_similarity", new Similarity(profile), DataTypes.DoubleType);
  }

  /** One fingerprinter for all tasks of an executor, made at the first row. */
  private static final class FingerprintOf implements UDF1<String, Long> {
    private static final long serialVersionUID = 1;
    private final String profile;
    private transient volatile Fingerprinter fingerprinter;

    FingerprintOf(String profile) {
      this.profile = profile;
    }

    @Override
    public Long call(String text) {
      if (text == null) return null;
      return made().of(text).map(fingerprint -> fingerprint.word(0)).orElse(null);
    }

    private Fingerprinter made() {
      if (fingerprinter == null) {
        synchronized (this) {
          if (fingerprinter == null) fingerprinter = Executor.fingerprinter(profile);
        }
      }
      return fingerprinter;
    }
  }

  /** Fingerprinters of this JVM, which tasks share: what Spark sends to each task is a copy of the function. */
  private static final class Executor {
    private static final java.util.Map<String, Fingerprinter> MADE = new java.util.concurrent.ConcurrentHashMap<>();

    static Fingerprinter fingerprinter(String profile) {
      try {
        return MADE.computeIfAbsent(profile, name -> new Fingerprinter(Profile.of(name)));
      } catch (LeitongException error) {
        throw new IllegalStateException("on " + host() + ": " + error.getMessage(), error);
      }
    }

    private static String host() {
      try {
        return java.net.InetAddress.getLocalHost().getHostName();
      } catch (java.net.UnknownHostException error) {
        return "a host without a name";
      }
    }
  }

  private static final class Hamming implements UDF2<Long, Long, Integer> {
    private static final long serialVersionUID = 1;

    @Override
    public Integer call(Long a, Long b) {
      return a == null || b == null ? null : Long.bitCount(a ^ b);
    }
  }

  private static final class Similarity implements UDF2<String, String, Double> {
    private static final long serialVersionUID = 1;
    private final String profile;

    Similarity(String profile) {
      this.profile = profile;
    }

    @Override
    public Double call(String a, String b) {
      return a == null || b == null ? null : Leitong.compare(a, b, Profile.of(profile)).jaccard();
    }
  }
}
