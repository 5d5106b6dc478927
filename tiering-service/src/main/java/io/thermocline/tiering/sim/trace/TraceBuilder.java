// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.trace;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.TracedFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects accesses by path. A path stands for a file until it is renamed or deleted; what a whole access has read
 * or written is known only when all sizes are.
 */
final class TraceBuilder {
  private static final long WHOLE = -1;
  private static final long UNKNOWN = -1;

  private final NavigableMap<String, Integer> current = new TreeMap<>();
  private final List<String> paths = new ArrayList<>();
  private final List<Long> sizes = new ArrayList<>();
  private final List<Pending> accesses = new ArrayList<>();

  private record Pending(long micros, int file, long bytes, boolean write) {}

  /** A read of the whole file. */
  void wholeRead(long micros, String path) {
    accesses.add(new Pending(micros, file(path), WHOLE, false));
  }

  /** A write of the whole file. */
  void wholeWrite(long micros, String path) {
    accesses.add(new Pending(micros, file(path), WHOLE, true));
  }

  /** A read or write of some bytes. */
  void part(long micros, String path, long bytes, boolean write) {
    accesses.add(new Pending(micros, file(path), bytes, write));
  }

  /** The file has at least so many bytes. */
  void atLeast(String path, long bytes) {
    int file = file(path);
    sizes.set(file, Math.max(sizes.get(file), bytes));
  }

  /** The path, or all below it, stands for what it stood for no more. */
  void forget(String path) {
    current.remove(path);
    below(path).clear();
  }

  /** What stood at a path, and below, stands at another. */
  void rename(String from, String to) {
    SortedMap<String, Integer> moved = new TreeMap<>(below(from));
    Integer file = current.get(from);
    forget(from);
    forget(to);
    if (file != null) {
      current.put(to, file);
    }
    moved.forEach((path, below) -> current.put(to + path.substring(from.length()), below));
  }

  private SortedMap<String, Integer> below(String path) {
    // '0' is the character after '/'.
    return current.subMap(path + "/", path + "0");
  }

  /** Whether an access named a file that has this path now. */
  boolean isKnown(String path) {
    return current.containsKey(path);
  }

  private int file(String path) {
    Integer known = current.putIfAbsent(path, paths.size());
    if (known == null) {
      paths.add(path);
      sizes.add(UNKNOWN);
      return paths.size() - 1;
    }
    return known;
  }

  /** How many files there are whose size nobody said. */
  long unknownSizes() {
    return sizes.stream().filter(size -> size == UNKNOWN).count();
  }

  /**
   * Times count from the first access on.
   *
   * @param otherwise size of the files whose size nobody said
   */
  Trace build(String name, long otherwise) {
    List<TracedFile> files = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      long size = sizes.get(i);
      files.add(new TracedFile(paths.get(i), size == UNKNOWN ? otherwise : size));
    }
    List<Pending> ordered = new ArrayList<>(accesses);
    ordered.sort(Comparator.comparingLong(Pending::micros));
    long begin = ordered.isEmpty() ? 0 : ordered.get(0).micros();
    return new Trace(
        name,
        files,
        ordered.stream()
            .map(
                a ->
                    new FileAccess(
                        a.micros() - begin,
                        a.file(),
                        a.bytes() == WHOLE ? files.get(a.file()).bytes() : a.bytes(),
                        a.write()))
            .toList());
  }
}
