// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.hints.HintBook;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * HintStor's timer (thesis, chapter 2.3.2): each time, the files with the highest heat are
 * prefetched to the fastest type, as hints of the service that hold until the next time. One
 * thread.
 */
final class HottestFiles {

  private final HintOperations.Timer timer;
  private final HintBook book;
  private final Supplier<List<Profile>> profiles;
  private final Predicate<String> isManaged;
  private long dueMillis;

  /**
   * @param profiles of the hottest, in no order
   */
  HottestFiles(
      HintOperations.Timer timer,
      HintBook book,
      Supplier<List<Profile>> profiles,
      Predicate<String> isManaged) {
    this.timer = timer;
    this.book = book;
    this.profiles = profiles;
    this.isManaged = isManaged;
  }

  /** Makes the hints where it is time to; the first time is one interval after the start. */
  void note(long nowMillis) {
    long every = timer.every().toMillis();
    if (every == 0 || dueMillis == 0) {
      dueMillis = nowMillis + every;
    } else if (nowMillis >= dueMillis) {
      dueMillis = nowMillis + every;
      profiles.get().stream()
          .filter(profile -> isManaged.test(profile.path()) && isBelow(profile.path()))
          .sorted(Comparator.comparingDouble(Profile::heat).reversed().thenComparing(Profile::path))
          .limit(timer.files())
          .forEach(
              profile ->
                  OpenedFiles.give(
                      book,
                      profile.path(),
                      Operation.PREFETCH,
                      Temperature.HOT,
                      nowMillis,
                      timer.every()));
    }
  }

  private boolean isBelow(String path) {
    return timer.below().isEmpty()
        || timer.below().stream().anyMatch(directory -> HintBook.isAtOrBelow(path, directory));
  }
}
