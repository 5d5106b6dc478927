// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.index;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Numbers for the files that chunks are in. Bounded: the oldest file is forgotten first. Thread-safe. */
public final class KnownFiles {

  /** @param path below the gateway's directory */
  public record KnownFile(String tenant, String path) {}

  private final Map<Integer, KnownFile> files;
  private int next;

  public KnownFiles(int capacity) {
    this.files =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, KnownFile> eldest) {
            return size() > capacity;
          }
        };
  }

  /** The number of a file that isn't there yet: its chunks aren't found until {@link #add}. */
  public synchronized int reserve() {
    return next++;
  }

  public synchronized void add(int number, KnownFile file) {
    files.put(number, file);
  }

  /** Only the same tenant finds it. */
  public synchronized Optional<KnownFile> find(String tenant, int number) {
    return Optional.ofNullable(files.get(number)).filter(file -> file.tenant().equals(tenant));
  }
}
