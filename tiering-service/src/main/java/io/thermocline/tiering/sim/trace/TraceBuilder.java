// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.trace;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.TracedFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects accesses by name; what a whole read has read is known only when all sizes are. */
final class TraceBuilder {
  private static final long WHOLE = -1;

  private final String name;
  private final Map<String, Integer> indexes = new HashMap<>();
  private final List<String> paths = new ArrayList<>();
  private final List<Long> sizes = new ArrayList<>();
  private final List<Pending> accesses = new ArrayList<>();

  private record Pending(long micros, int file, long bytes) {}

  TraceBuilder(String name) {
    this.name = name;
  }

  /** A read of the whole file, which has at least so many bytes. */
  void wholeRead(long micros, String path, long bytes) {
    accesses.add(new Pending(micros, index(path, bytes), WHOLE));
  }

  private int index(String path, long bytes) {
    Integer known = indexes.putIfAbsent(path, paths.size());
    if (known == null) {
      paths.add(path);
      sizes.add(bytes);
      return paths.size() - 1;
    }
    sizes.set(known, Math.max(sizes.get(known), bytes));
    return known;
  }

  /** Times count from the first access on. */
  Trace build() {
    long begin = accesses.isEmpty() ? 0 : accesses.get(0).micros();
    List<TracedFile> files = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      files.add(new TracedFile(paths.get(i), sizes.get(i)));
    }
    return new Trace(
        name,
        files,
        accesses.stream()
            .map(a -> new FileAccess(a.micros() - begin, a.file(), read(a), false))
            .toList());
  }

  private long read(Pending access) {
    return access.bytes() == WHOLE ? sizes.get(access.file()) : access.bytes();
  }
}
