package org.leitong;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** What went wrong, in words that name the file, the line or the argument, and as a code. */
public final class LeitongException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The kinds of errors. */
  public enum Code {
    /** The caller asked for what cannot be: a null, an unknown profile, a k out of range, an id that is not there. */
    USAGE,
    /** A file or directory could not be read or written. */
    IO,
    /** Damaged or malformed data. */
    FORMAT,
    /** Something is larger than what is allowed. */
    LIMIT,
    /** What this version or this processor does not have. */
    UNSUPPORTED,
    /** A job was stopped. */
    INTERRUPTED,
    /** Out of memory, or a defect of Leitong. */
    INTERNAL,
    /** The object was closed before. */
    CLOSED
  }

  private static final Code[] OF_STATUS = {
    Code.INTERNAL, Code.USAGE, Code.IO, Code.FORMAT, Code.LIMIT, Code.UNSUPPORTED, Code.INTERRUPTED, Code.INTERNAL
  };

  /** The kind of error. */
  private final Code code;

  LeitongException(Code code, String message) {
    super(message);
    this.code = code;
  }

  LeitongException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /**
   * The kind of error.
   *
   * @return never null
   */
  public Code code() {
    return code;
  }

  /** Called by the native library, with a status of leitong/c.h. */
  static LeitongException ofNative(int status, byte[] message) {
    Code code = status > 0 && status < OF_STATUS.length ? OF_STATUS[status] : Code.INTERNAL;
    return new LeitongException(code, new String(message, StandardCharsets.UTF_8));
  }

  static LeitongException usage(String message) {
    return new LeitongException(Code.USAGE, message);
  }

  /** {@code value}, which must not be null. */
  static <T> T given(T value, String name) {
    if (value == null) throw usage(Objects.requireNonNull(name) + " is null");
    return value;
  }
}
