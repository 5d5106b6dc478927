// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.Wakeup;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathKey;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The hints that the service makes itself: a file on ARCHIVE that somebody opens is prefetched (HintStor's dynamic hint
 * "open a file", thesis table 2.1), and one that was said to be cold and is read is warm. Thread-safe: one thread
 * accepts, another notes.
 */
final class OpenedFiles {

  /** Who is judged for them: no name of a user in HDFS. */
  static final String OWNER = "the service itself";

  private static final Duration LEASE = Duration.ofHours(1);

  /** Of more, the rest is noticed when it is opened after later plans. */
  private static final int MOST = 1_000_000;

  private static final int MOST_OPENED = 10_000;

  private final HintRegistry registry;
  private final long nameservice;

  /** Keys of the files whose fastest copy is on ARCHIVE. */
  private volatile Set<Long> archived = Set.of();

  private Set<String> opened = new LinkedHashSet<>();

  OpenedFiles(HintRegistry registry, long nameservice) {
    this.registry = registry;
    this.nameservice = nameservice;
  }

  void accept(Access access) {
    if (access.kind() == Access.Kind.READ && archived.contains(access.key())) {
      synchronized (this) {
        if (opened.size() < MOST_OPENED) {
          opened.add(access.path());
        }
      }
    }
  }

  /** Takes where files lie now. */
  void see(Collection<FileView> files) {
    Set<Long> keys = new HashSet<>();
    for (FileView file : files) {
      if (keys.size() < MOST && isArchived(file)) {
        keys.add(PathKey.of(nameservice, file.path()));
      }
    }
    archived = keys;
  }

  private static boolean isArchived(FileView file) {
    return !file.blocks().isEmpty()
        && file.blocks().stream()
            .flatMap(block -> block.types().stream())
            .allMatch(type -> type == StorageType.ARCHIVE);
  }

  /** Makes hints of what was opened since the last time. */
  void note(long nowMillis) {
    Set<String> taken;
    synchronized (this) {
      taken = opened;
      opened = new LinkedHashSet<>();
    }
    for (String path : taken) {
      give(registry, path, Operation.PREFETCH, Temperature.HOT, nowMillis, LEASE);
    }
    for (Wakeup asked : registry.due(owner -> true, nowMillis)) {
      GivenHint hint = asked.hint();
      if (asked.reason() == Wakeup.Reason.TURNED_HOT && hint.hint().scope() == Scope.FILE) {
        give(registry, hint.path(), Operation.ADVISE, Temperature.WARM, nowMillis, LEASE);
      }
    }
  }

  /** Gives a hint of the service's own. */
  static void give(
      HintRegistry registry,
      String path,
      Operation operation,
      Temperature temperature,
      long nowMillis,
      Duration lease) {
    Hint hint =
        Hint.onFile(operation, path)
            .temperature(temperature)
            .source(Source.SERVICE)
            .owner(OWNER)
            .leaseExpiryMillis(nowMillis + lease.toMillis())
            .build();
    GivenHint given = new GivenHint(hint, 0, path, nowMillis);
    // One that holds is judged before the next.
    if (registry.hint(given.id()).isEmpty()) {
      registry.give(given, nowMillis);
    }
  }
}
