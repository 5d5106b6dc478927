// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.trace;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Happened;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.TracedFile;
import java.util.ArrayList;
import java.util.BitSet;
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
  private final List<Happened.Name> names = new ArrayList<>();
  private final List<TracedFile> others = new ArrayList<>();

  /** Of each file, where its first name is among the names. */
  private final List<Integer> first = new ArrayList<>();

  private final BitSet written = new BitSet();
  private final BitSet read = new BitSet();

  private record Pending(long micros, int file, long bytes, boolean write) {}

  /** A read of the whole file. */
  void wholeRead(long micros, String path) {
    int file = file(micros, path);
    read.set(file);
    accesses.add(new Pending(micros, file, WHOLE, false));
  }

  /** Whether the file of this path was read as a whole before. */
  boolean isRead(String path) {
    Integer file = current.get(path);
    return file != null && read.get(file);
  }

  /** A write of the whole file. */
  void wholeWrite(long micros, String path) {
    int file = file(micros, path);
    written.set(file);
    accesses.add(new Pending(micros, file, WHOLE, true));
  }

  /** A read or write of some bytes. */
  void part(long micros, String path, long bytes, boolean write) {
    accesses.add(new Pending(micros, file(micros, path), bytes, write));
  }

  /** The file has at least so many bytes. */
  void atLeast(String path, long bytes) {
    int file = file(0, path);
    sizes.set(file, Math.max(sizes.get(file), bytes));
  }

  /** There is such a file, and was before the first access unless one made it. */
  void exists(String path, long bytes) {
    Integer file = current.get(path);
    if (file == null) {
      others.add(new TracedFile(path, bytes));
      return;
    }
    atLeast(path, bytes);
    if (!written.get(file)) {
      Happened.Name name = names.get(first.get(file));
      names.set(first.get(file), new Happened.Name(Long.MIN_VALUE, file, name.path()));
    }
  }

  /** The path, or all below it, stands for what it stood for no more. */
  void forget(long micros, String path) {
    below(path).values().forEach(file -> names.add(new Happened.Name(micros, file, null)));
    below(path).clear();
    Integer file = current.remove(path);
    if (file != null) {
      names.add(new Happened.Name(micros, file, null));
    }
  }

  /** What stood at a path, and below, stands at another. */
  void rename(long micros, String from, String to) {
    SortedMap<String, Integer> moved = new TreeMap<>(below(from));
    Integer file = current.get(from);
    below(from).clear();
    current.remove(from);
    forget(micros, to);
    if (file != null) {
      put(micros, to, file);
    }
    moved.forEach((path, below) -> put(micros, to + path.substring(from.length()), below));
  }

  private void put(long micros, String path, int file) {
    current.put(path, file);
    names.add(new Happened.Name(micros, file, path));
  }

  private SortedMap<String, Integer> below(String path) {
    // '0' is the character after '/'.
    return current.subMap(path + "/", path + "0");
  }

  private int file(long micros, String path) {
    Integer known = current.putIfAbsent(path, paths.size());
    if (known == null) {
      paths.add(path);
      sizes.add(UNKNOWN);
      first.add(names.size());
      names.add(new Happened.Name(micros, paths.size() - 1, path));
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
    return build(name, otherwise, null);
  }

  /**
   * The same.
   *
   * @param told what the service is told; null: no more than the accesses
   */
  Trace build(String name, long otherwise, List<Access> told) {
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
            .toList(),
        told == null ? null : happened(begin, told));
  }

  private Happened happened(long begin, List<Access> told) {
    return new Happened(
        begin / 1_000,
        names.stream()
            .map(
                name ->
                    new Happened.Name(
                        Math.max(0, Math.max(begin, name.atMicros()) - begin),
                        name.file(),
                        name.path()))
            .sorted(Comparator.comparingLong(Happened.Name::atMicros))
            .toList(),
        others,
        told,
        true);
  }
}
