// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.savings;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Stability;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.heat.OpenTally;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.shadow.DayFiles;
import io.thermocline.tiering.shadow.ReadTally;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What the fast types serve and what moves cost, where they are carried out: reads and the
 * journal's moves, added up and written for each day with each plan. Days of more than a year ago
 * are deleted. One thread plans; any may tell of reads.
 */
public final class SavingsLedger {

  /** Of moves that people ask for, or take back. */
  private static final Set<String> PEOPLES =
      Set.of(
          Decision.Cause.UNDONE.name(),
          Decision.Cause.ORDERED_UP.name(),
          Decision.Cause.ORDERED_DOWN.name());

  private final Settings settings;
  private final DayFiles<SavingsDay> files;
  private final ReadTally tally = new ReadTally();
  private final Follows follows;

  /** By path, of the moves that may still come to their end. */
  private final Map<String, JournalEntry.Planned> reasons = new LinkedHashMap<>();

  private Map<Long, Standing> standing = Map.of();
  private SavingsTally day;
  private Instant seen;

  /**
   * @param directory of the days
   * @param nameservice as {@link PathKey#nameservice}
   * @param speeds of types, for what readers wait and copies take
   * @param stability after how long a move that brought nothing is a regret
   * @param longestStop after a longer one others may have acted, and reads were missed: what was
   *     moved before is followed no more then, and moves count from now on
   * @param zone of the days
   */
  public record Settings(
      Path directory,
      long nameservice,
      Map<StorageType, TierSpeed> speeds,
      Stability stability,
      Duration longestStop,
      ZoneId zone,
      Clock clock) {}

  /**
   * A file at a plan, with the share of its reads that each type serves.
   *
   * @param reach share that one copy on a fast type would serve; of files that were moved down
   */
  private record Standing(
      String path, int blocks, long length, Map<StorageType, Double> served, double reach) {
    double reads(OpenTally opens) {
      return HotFile.reads(path, blocks, length, opens.opens());
    }
  }

  private SavingsLedger(Settings settings) throws IOException {
    this.settings = settings;
    this.files = files(settings.directory());
    Instant now = settings.clock().instant();
    List<String> days = files.days();
    Optional<SavingsDay> last =
        days.isEmpty()
            ? Optional.empty()
            : files.readOrSetAside(LocalDate.parse(days.get(days.size() - 1)));
    Optional<SavingsDay> before =
        last.filter(
            each -> Instant.parse(each.updated()).isAfter(now.minus(settings.longestStop())));
    this.follows =
        new Follows(settings.stability(), before.map(SavingsDay::followed).orElse(List.of()));
    this.seen = before.map(each -> Instant.parse(each.seen())).orElse(now);
    this.day = open(today(), before.isPresent());
    tally.take(keys(Map.of()));
  }

  /**
   * Goes on where it ended.
   *
   * @throws IOException where the directory can't be used
   */
  public static SavingsLedger open(Settings settings) throws IOException {
    return new SavingsLedger(settings);
  }

  /** The days of a directory. */
  public static DayFiles<SavingsDay> files(Path directory) {
    return new DayFiles<>(directory, "savings", SavingsDay.class);
  }

  /**
   * @param goesOn whether what is followed is known still
   */
  private SavingsTally open(LocalDate date, boolean goesOn) throws IOException {
    files.deleteBefore(date.minus(DayFiles.KEPT));
    SavingsDay begun =
        files
            .readOrSetAside(date)
            .orElseGet(
                () -> SavingsDay.begin(date.toString(), settings.clock().instant().toString()));
    return new SavingsTally(goesOn ? begun : begun.followingNothing(), settings.speeds());
  }

  private LocalDate today() {
    return settings.clock().instant().atZone(settings.zone()).toLocalDate();
  }

  /** From any thread. */
  public void accept(Access access) {
    tally.accept(access);
    follows.accept(access);
  }

  /**
   * A plan is made: what was read and moved since the one before is known now.
   *
   * @param shown the plan's files as HDFS shows them
   * @param entries of the journal since the plan before; those that are counted already are
   *     passed over
   * @param shares which type serves the reads of a file
   * @throws IOException where the day can't be written; it is with the next plan
   */
  public void planned(List<FileView> shown, List<JournalEntry> entries, ReadShares shares)
      throws IOException {
    Instant now = settings.clock().instant();
    // Before the moves: what was read meanwhile was read from where it lay before them.
    credit(tally.take());
    entries.forEach(this::remember);
    entries.stream()
        .map(entry -> Instant.parse(entry.at()))
        .filter(at -> at.isAfter(seen))
        .max(Comparator.naturalOrder())
        .ifPresent(latest -> seen = latest);
    follows.trim(now);
    follow(shown, shares);
    day.ended(follows.takeEnded());
    SavingsTally before = day;
    LocalDate date = today();
    if (!day.day().equals(date.toString())) {
      day = open(date, true);
    }
    day.planned();
    write(day, now, follows.all());
    if (before != day) {
      // Files are followed on the new day: looked for in one place, and kept in one.
      write(before, now, List.of());
    }
  }

  private void write(SavingsTally of, Instant now, List<SavingsDay.Followed> followed)
      throws IOException {
    files.write(
        of.day(), of.shown(now.toString(), follows.regrets(now), followed, seen.toString()));
  }

  /** From now on these, and what was moved of late. */
  private void follow(List<FileView> shown, ReadShares shares) {
    Map<Long, Standing> next = new HashMap<>();
    Set<String> down =
        follows.all().stream()
            .filter(file -> !file.up())
            .map(SavingsDay.Followed::path)
            .collect(Collectors.toSet());
    shown.forEach(
        file ->
            next.put(
                key(file.path()),
                new Standing(
                    file.path(),
                    HotFile.blocks(file),
                    file.length(),
                    shares.of(file),
                    down.contains(file.path()) ? shares.fastWithOneCopy(file) : 1)));
    credit(tally.take(keys(next)));
    standing = next;
  }

  /**
   * Where there are very many files, a plan is of some of them; those that were moved count all the
   * same.
   */
  private long[] keys(Map<Long, Standing> files) {
    return LongStream.concat(
            files.keySet().stream().mapToLong(Long::longValue),
            follows.all().stream().mapToLong(file -> key(file.path())))
        .distinct()
        .toArray();
  }

  private long key(String path) {
    return PathKey.of(settings.nameservice(), path);
  }

  private void credit(ReadTally.Taken taken) {
    for (int i = 0; i < taken.keys().length; i++) {
      OpenTally opens = taken.opens()[i];
      Standing file = standing.get(taken.keys()[i]);
      if (opens != null && opens.all() > 0) {
        if (file == null) {
          day.readOthers(Math.round(opens.opens().whole()));
        } else {
          double reads = file.reads(opens);
          file.served().forEach((type, share) -> day.read(type, file.length(), share * reads));
        }
      }
    }
    for (SavingsDay.Followed file : follows.all()) {
      OpenTally opens = taken.of(key(file.path()));
      if (opens != null) {
        follows.read(file.path(), reads(opens, file, standing.get(key(file.path()))));
      }
    }
    day.readOthers(taken.others());
  }

  /** Of the faster type that the file was moved to or from. Of a file that was read at all, at least one in all. */
  private static double reads(OpenTally opens, SavingsDay.Followed moved, Standing file) {
    double reads = opens.all();
    if (reads > 0) {
      reads = Math.max(1, Math.round(file == null ? opens.opens().whole() : file.reads(opens)));
    }
    return file == null ? reads : reads * share(moved, file);
  }

  private static double share(SavingsDay.Followed moved, Standing file) {
    if (moved.up()) {
      StorageType to = StorageType.valueOf(moved.to());
      return file.served().entrySet().stream()
          .filter(each -> each.getKey().compareTo(to) >= 0)
          .mapToDouble(Map.Entry::getValue)
          .sum();
    }
    return StorageType.valueOf(moved.from()).isFast() ? file.reach() : 1;
  }

  private void remember(JournalEntry entry) {
    Instant at = Instant.parse(entry.at());
    if (entry instanceof JournalEntry.Planned planned) {
      reasons.remove(planned.path());
      reasons.put(planned.path(), planned);
      if (reasons.size() > Follows.MOST) {
        reasons.remove(reasons.keySet().iterator().next());
      }
    } else if (entry instanceof JournalEntry.Moved moved && moved.isFinal() && at.isAfter(seen)) {
      if (moved.state().equals("VERIFIED")) {
        StorageType from = type(moved.from());
        StorageType to = type(moved.to());
        day.moved(from, to, moved.bytes());
        JournalEntry.Planned planned = reasons.get(moved.path());
        if (planned != null && PEOPLES.contains(planned.cause())) {
          // Whoever asked for it knows why: it ends what the service did, and is no mistake of its
          // own.
          follows.ended(moved.path(), at);
        } else {
          String why = planned == null ? "" : planned.reason();
          follows.moved(moved.path(), from, to, moved.bytes(), at, why);
        }
      } else if (moved.state().equals("FAILED")) {
        day.failed();
      }
    }
  }

  /** Of "node TYPE". */
  private static StorageType type(String replica) {
    return StorageType.valueOf(replica.substring(replica.lastIndexOf(' ') + 1));
  }
}
