package org.leitong;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongConsumer;

/**
 * A native handle that any number of threads use and one closes: whoever closes it waits for those who use it, and whoever comes later
 * meets
 * an exception. It knows nothing of its owner, so it can be closed when the owner is forgotten.
 */
final class Handle implements Runnable {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final String owner;
  private final LongConsumer free;
  private long pointer;

  Handle(String owner, long pointer, LongConsumer free) {
    this.owner = owner;
    this.pointer = pointer;
    this.free = free;
  }

  /** The pointer, which stays until {@link #release}. */
  long acquire() {
    Forgotten.closeCollected();
    lock.readLock().lock();
    if (pointer != 0) return pointer;
    lock.readLock().unlock();
    throw new LeitongException(LeitongException.Code.CLOSED, "the " + owner + " was closed");
  }

  void release() {
    lock.readLock().unlock();
  }

  /** Closes it if that was not done before. */
  @Override
  public void run() {
    lock.writeLock().lock();
    long closing = pointer;
    pointer = 0;
    lock.writeLock().unlock();
    if (closing != 0) free.accept(closing);
  }
}
