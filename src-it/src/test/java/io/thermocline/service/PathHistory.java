// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What was at each path, and when, in ticks of a counter: so it can be said of each read whether
 * HDFS may have shown that. A change that is under way is neither before nor after it.
 * Thread-safe.
 */
final class PathHistory {

  private static final long NOW = Long.MAX_VALUE;

  private final AtomicLong ticks = new AtomicLong();
  private final Map<String, List<Version>> versions = new HashMap<>();

  /**
   * What the reader may see of a path; immutable.
   *
   * @param bytes null where there is no file
   * @param mayRead whether permissions allow it
   */
  record State(byte[] bytes, boolean mayRead) {}

  /**
   * @param from tick before the change to it began
   * @param done tick after it was done; {@link #NOW} while it is under way
   * @param left tick before the change to the next began
   * @param until tick after the change to the next was done
   */
  private static final class Version {
    private final State state;
    private final long from;
    private long done = NOW;
    private long left = NOW;
    private long until = NOW;

    Version(State state, long from) {
      this.state = state;
      this.from = from;
    }
  }

  /**
   * What came of a read.
   *
   * @param bytes null where it failed
   * @param failure null where it didn't
   */
  record Read(String path, byte[] bytes, Exception failure, long from, long to) {}

  /** A new tick. */
  long tick() {
    return ticks.incrementAndGet();
  }

  /** The tick that was last. */
  long last() {
    return ticks.get();
  }

  /**
   * Before a change: what paths will be. Nobody else changes them until it is {@link #ended}.
   */
  synchronized void begins(Map<String, State> changes) {
    long now = tick();
    changes.forEach(
        (path, state) -> {
          List<Version> all = versions.computeIfAbsent(path, each -> new ArrayList<>());
          if (!all.isEmpty()) {
            all.get(all.size() - 1).left = now;
          }
          all.add(new Version(state, now));
        });
  }

  /** After it. */
  synchronized void ended(Iterable<String> paths) {
    long now = tick();
    for (String path : paths) {
      List<Version> all = versions.get(path);
      all.get(all.size() - 1).done = now;
      if (all.size() > 1) {
        all.get(all.size() - 2).until = now;
      }
    }
  }

  /** What it is; no change of it may be under way. */
  synchronized State state(String path) {
    List<Version> all = versions.getOrDefault(path, List.of());
    return all.isEmpty() ? new State(null, true) : all.get(all.size() - 1).state;
  }

  /** Why HDFS can't have shown this; null where it can. */
  synchronized String objection(Read read) {
    boolean isChanging = false;
    List<String> there = new ArrayList<>();
    for (Version version : versions.getOrDefault(read.path(), List.of())) {
      if (version.from > read.to() || version.until < read.from()) {
        continue;
      }
      // While HDFS truncates a file, it shows the blocks that are left as they were.
      boolean changes = version.done > read.from() || version.left <= read.to();
      isChanging |= changes;
      there.add(words(version.state));
      if (allows(version.state, read, changes)) {
        return null;
      }
    }
    if (isChanging && read.failure() != null && !isRefusal(read.failure())) {
      // Between two names it has none, and blocks go while they are read.
      return null;
    }
    return "%s in (%d, %d]: %s, but there was %s"
        .formatted(
            read.path(),
            read.from(),
            read.to(),
            read.failure() != null ? read.failure() : words(new State(read.bytes(), true)),
            there);
  }

  /**
   * @param isChanging to this or from it while it was read: a part of it may be there
   */
  private static boolean allows(State state, Read read, boolean isChanging) {
    if (read.failure() != null) {
      return switch (read.failure().getClass().getSimpleName()) {
        case "FileNotFoundException" -> state.bytes == null;
        case "AccessControlException" -> !state.mayRead;
        default -> false;
      };
    }
    if (state.bytes == null || !state.mayRead) {
      return false;
    }
    return isChanging
        ? read.bytes().length <= state.bytes.length
            && Arrays.equals(read.bytes(), Arrays.copyOf(state.bytes, read.bytes().length))
        : Arrays.equals(read.bytes(), state.bytes);
  }

  private static boolean isRefusal(Exception failure) {
    return failure.getClass().getSimpleName().equals("AccessControlException");
  }

  private static String words(State state) {
    return state.bytes == null
        ? "nothing"
        : "%d bytes of hash %x%s"
            .formatted(
                state.bytes.length,
                Arrays.hashCode(state.bytes),
                state.mayRead ? "" : ", not to be read");
  }
}
