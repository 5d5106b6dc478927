// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.CallerContext;

/**
 * What all readers of groups in a JVM share: members that are in memory, of which the longest
 * unused go first, and the one daemon thread that loads ahead, which ends when there is nothing
 * to load. Safe for any thread.
 */
final class GroupMemory {
  /** Groups that wait for the thread; of more, nothing is loaded ahead. */
  private static final int MOST_WAITING = 64;

  private static final long IDLE_SECONDS = 10;

  private static final GroupMemory SHARED = new GroupMemory();

  private final Map<LoadedGroup.Slot, Integer> members = new LinkedHashMap<>(16, 0.75f, true);
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MOST_WAITING),
          GroupMemory::daemon);
  private volatile boolean isGivenUp;
  private long bytes;

  GroupMemory() {
    thread.allowCoreThreadTimeOut(true);
  }

  /** That of this JVM. */
  static GroupMemory shared() {
    return SHARED;
  }

  /**
   * Its calls are nobody's: it would inherit the caller context of whoever makes it. And nothing
   * of it reaches the host's handler of what nobody caught: some end the process.
   */
  static Thread daemon(Runnable task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                CallerContext.setCurrent(null);
                task.run();
              } catch (Throwable e) {
                // Those that wait for it are told by the task itself.
              }
            },
            "thermocline-groups");
    thread.setDaemon(true);
    return thread;
  }

  /** Has it done beside; false where too much waits already, or there is no thread to be had. */
  boolean beside(Runnable task) {
    if (isGivenUp) {
      return false;
    }
    try {
      thread.execute(task);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      return false;
    }
  }

  /** Keeps the bytes of a member, instead of those that were not used for longest. */
  synchronized void keep(LoadedGroup.Slot member, byte[] read, long most) {
    if (read.length > most || isGivenUp) {
      return;
    }
    forget(member);
    member.set(read);
    members.put(member, read.length);
    bytes += read.length;
    Iterator<Map.Entry<LoadedGroup.Slot, Integer>> oldest = members.entrySet().iterator();
    while (bytes > most) {
      Map.Entry<LoadedGroup.Slot, Integer> goes = oldest.next();
      bytes -= goes.getValue();
      goes.getKey().set(null);
      oldest.remove();
    }
  }

  /** It was used just now. */
  synchronized void used(LoadedGroup.Slot member) {
    members.get(member);
  }

  synchronized void forget(LoadedGroup.Slot member) {
    Integer had = members.remove(member);
    if (had != null) {
      bytes -= had;
      member.set(null);
    }
  }

  /** The host has no more memory: it gets all of this back, and nothing is loaded any more. */
  synchronized void giveUp() {
    isGivenUp = true;
    members.keySet().forEach(member -> member.set(null));
    members.clear();
    bytes = 0;
  }

  boolean isGivenUp() {
    return isGivenUp;
  }

  synchronized long bytes() {
    return bytes;
  }
}
