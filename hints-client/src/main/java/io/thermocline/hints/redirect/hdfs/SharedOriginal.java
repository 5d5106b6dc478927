// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * An original's stream, which several threads may read at positions. The order in which it tries
 * replicas is only changed while nobody reads it. Safe for any thread.
 */
final class SharedOriginal {
  private final FSDataInputStream original;
  private final ReentrantReadWriteLock order = new ReentrantReadWriteLock();

  SharedOriginal(FSDataInputStream original) {
    this.original = original;
  }

  /** That replica is tried first, if nobody reads just now. */
  void putFirst(LocatedBlock block, int index) {
    if (order.writeLock().tryLock()) {
      try {
        GroupCopy.putFirst(block, index);
      } finally {
        order.writeLock().unlock();
      }
    }
  }

  int read(long at, byte[] buffer, int offset, int count) throws IOException {
    order.readLock().lock();
    try {
      return original.read(at, buffer, offset, count);
    } finally {
      order.readLock().unlock();
    }
  }

  /** For one thread at once. */
  int stream(long at, byte[] buffer, int offset, int count) throws IOException {
    order.readLock().lock();
    try {
      original.seek(at);
      return original.read(buffer, offset, count);
    } finally {
      order.readLock().unlock();
    }
  }
}
