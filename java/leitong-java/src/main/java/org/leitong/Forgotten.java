package org.leitong;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The net below close(): what nobody closed is closed after it was collected, when the library is used again; and what is left when the
 * class
 * loader goes, by the native library as it is unloaded.
 *
 * <p>Not a java.lang.ref.Cleaner: its thread would hold this class, so the class loader, so whatever stands in a static field there; a
 * program
 * with a Fingerprinter in a static field could never be unloaded.
 */
final class Forgotten {
  private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
  private static final Set<Watch> WATCHED = ConcurrentHashMap.newKeySet();

  private Forgotten() {}

  /** What closes one object. */
  static final class Watch extends PhantomReference<Object> {
    private final Runnable close;

    Watch(Object owner, Runnable close) {
      super(owner, QUEUE);
      this.close = close;
    }

    /** Closes it, if that was not done before. */
    void clean() {
      if (WATCHED.remove(this)) close.run();
    }
  }

  /** From now on; `close` must not know the owner. */
  static Watch watch(Object owner, Runnable close) {
    Watch watch = new Watch(owner, close);
    WATCHED.add(watch);
    closeCollected();
    return watch;
  }

  /** Costs next to nothing where there is nothing to close. */
  static void closeCollected() {
    for (Reference<?> collected = QUEUE.poll(); collected != null; collected = QUEUE.poll()) {
      try {
        ((Watch) collected).clean();
      } catch (LeitongException ignored) {
        // There is nobody to tell.
      }
    }
  }
}
