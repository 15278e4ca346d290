package org.leitong;

import java.lang.ref.Cleaner;

/** What nobody closed is closed when it is collected; close() is the better way. */
final class Forgotten {
  private static final Cleaner CLEANER = Cleaner.create();

  private Forgotten() {}

  static Cleaner.Cleanable watch(Object owner, Runnable close) {
    return CLEANER.register(owner, () -> {
      try {
        close.run();
      } catch (LeitongException ignored) {
        // There is nobody to tell.
      }
    });
  }
}
