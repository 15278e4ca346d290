package org.leitong;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Every choice that decides the bits of a fingerprint, under one name and id. A value: {@code withBits} and the like give another one.
 *
 * <p>{@code Profile.of("leitong-1")}, {@code Profile.JAVA_HANLP.withBits(128)}, {@code Profile.JAVA_HANLP_TFIDF.withIdf(idf)
 * .withStopWords(stop)}, {@code Profile.file(Path.of("my.toml"))}. What a name or file holds is looked at when a {@link Fingerprinter} is
 * made.
 */
public final class Profile {
  /** The default: no dictionary, all languages. */
  public static final Profile DEFAULT = of("leitong-1");
  /** Article 000: words of IKAnalyzer 3.2.8, each counts one; 32, 64 or 128 bits, the lowest first. */
  public static final Profile JAVA_IK = of("java-ik");
  /** Article 004: the same on words of HanLP. */
  public static final Profile JAVA_HANLP = of("java-hanlp");
  /** Article 001, program A: words of HanLP, which weigh by their length; 64 bits. */
  public static final Profile JAVA_HANLP_LENGTH = of("java-hanlp-length");
  /** The same, but a text that is too short has no fingerprint. */
  public static final Profile JAVA_HANLP_LENGTH_SHORT = of("java-hanlp-length-short");
  /** Article 001, program B: tf times idf; needs {@link #withIdf} and {@link #withStopWords}. */
  public static final Profile JAVA_HANLP_TFIDF = of("java-hanlp-tfidf");

  private final String base;
  private final Map<String, String> changes;

  private Profile(String base, Map<String, String> changes) {
    this.base = base;
    this.changes = changes;
  }

  /**
   * A built-in profile.
   *
   * @param name one of {@link #names}
   * @return the profile
   */
  public static Profile of(String name) {
    LeitongException.given(name, "name");
    if (name.isEmpty() || name.indexOf('\n') >= 0) throw LeitongException.usage("the name of a profile is empty or has several lines");
    return new Profile(name, Map.of());
  }

  /**
   * A profile of a TOML file.
   *
   * @param toml the file
   * @return the profile
   */
  public static Profile file(Path toml) {
    return new Profile(LeitongException.given(toml, "toml").toAbsolutePath().toString(), Map.of());
  }

  /**
   * A profile as TOML.
   *
   * @param text what could stand in a file
   * @return the profile
   */
  public static Profile toml(String text) {
    return new Profile(LeitongException.given(text, "text") + "\n", Map.of());
  }

  /**
   * The names of the built-in profiles, the default first.
   *
   * @return names that {@link #of} takes
   */
  public static List<String> names() {
    NativeLibrary.ready();
    List<String> names = new ArrayList<>();
    for (byte[] name = Native.profileName(0); name != null; name = Native.profileName(names.size())) names.add(Utf8.decode(name, 0,
        name.length));
    return names;
  }

  /**
   * With another width.
   *
   * @param bits 64, 128 or 256; of JAVA_IK and JAVA_HANLP 32, 64 or 128
   * @return the changed profile
   */
  public Profile withBits(int bits) {
    return with("bits", Integer.toString(bits));
  }

  /**
   * With a table of idf values.
   *
   * @param file "word value" a line
   * @return the changed profile
   */
  public Profile withIdf(Path file) {
    return with("idf", quoted(LeitongException.given(file, "file").toString()));
  }

  /**
   * With words that do not count.
   *
   * @param file a word a line
   * @return the changed profile
   */
  public Profile withStopWords(Path file) {
    return with("stop-words", quoted(LeitongException.given(file, "file").toString()));
  }

  /**
   * With a compiled dictionary other than the one that is found by its kind's name.
   *
   * @param file what {@link Leitong#addData} wrote
   * @return the changed profile
   */
  public Profile withData(Path file) {
    return with("data", quoted(LeitongException.given(file, "file").toAbsolutePath().toString()));
  }

  /**
   * With a secret key of the feature hash.
   *
   * @param hex hexadecimal digits
   * @return the changed profile
   */
  public Profile withKey(String hex) {
    return with("key", quoted(LeitongException.given(hex, "hex")));
  }

  private Profile with(String key, String value) {
    if (base.indexOf('\n') >= 0 || base.indexOf('/') >= 0) {
      throw LeitongException.usage("only a built-in profile can be changed; write " + key + " into the TOML itself");
    }
    Map<String, String> changed = new LinkedHashMap<>(changes);
    changed.put(key, value);
    return new Profile(base, changed);
  }

  /** A basic string of TOML. */
  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      if (unit == '"' || unit == '\\') {
        out.append('\\').append(unit);
      } else if (unit < 0x20 || unit == 0x7F) {
        out.append(String.format("\\u%04X", (int) unit));
      } else {
        out.append(unit);
      }
    }
    return out.append('"').toString();
  }

  /** What the C interface takes. */
  String text() {
    if (changes.isEmpty()) return base;
    StringBuilder out = new StringBuilder("base = ").append(quoted(base)).append('\n');
    changes.forEach((key, value) -> out.append(key).append(" = ").append(value).append('\n'));
    return out.toString();
  }

  static byte[] bytes(Profile profile) {
    return Utf8.name(LeitongException.given(profile, "profile").text(), "profile");
  }

  /**
   * The id: fingerprints may be compared if and only if their profiles have the same. Reads the files that the profile names.
   *
   * @return 32 hexadecimal digits
   */
  public String id() {
    try (Fingerprinter fingerprinter = new Fingerprinter(this)) {
      return fingerprinter.profileId();
    }
  }

  /**
   * The name of a built-in profile that is not changed.
   *
   * @return empty for all others
   */
  public Optional<String> name() {
    return changes.isEmpty() && base.indexOf('\n') < 0 && base.indexOf('/') < 0 ? Optional.of(base) : Optional.empty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Profile && text().equals(((Profile) other).text());
  }

  @Override
  public int hashCode() {
    return Objects.hash(text());
  }

  /** As text; a key is not shown. */
  @Override
  public String toString() {
    return changes.containsKey("key") ? "Profile(" + base + " with a key)" : "Profile(" + text().strip().replace("\n", ", ") + ")";
  }
}
