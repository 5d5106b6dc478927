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
import io.thermocline.tiering.readorder.MeasuredReads;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
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

  private static final Set<String> READABLE = Set.of("VISIBLE", "VERIFIED");

  private final Settings settings;
  private final DayFiles<SavingsDay> files;
  private final ReadTally tally = new ReadTally();
  private final MoveOutcomeTracker follows;

  /** By path, of the moves that may still come to their end. */
  private final Map<String, JournalEntry.Planned> reasons = new LinkedHashMap<>();

  private Map<Long, Standing> standing = Map.of();
  private SavingsTally day;
  private Instant seen;

  /**
   * @param directory of the days
   * @param nameservice as {@link PathKey#nameservice}
   * @param speeds of types, for what readers wait and copies take
   * @param stability after how long a move that brought nothing is a misprediction
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
        new MoveOutcomeTracker(
            settings.stability(), before.map(SavingsDay::followed).orElse(List.of()));
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
   * @param measured what DataNodes logged of reads since the plan before
   * @throws IOException where the day can't be written; it is with the next plan
   */
  public void planned(
      List<FileView> shown,
      List<JournalEntry> entries,
      ReadShares shares,
      MeasuredReads.Taken measured)
      throws IOException {
    Instant now = settings.clock().instant();
    Map<Long, Standing> next = new HashMap<>();
    shown.forEach(file -> next.put(key(file.path()), standing(file, shares.of(file), 1)));
    Map<Long, List<Long>> arrivals = arrivals(entries);
    credit(tally.take(), next, arrivals);
    day.measured(measured, shares.racks().size());
    entries.forEach(this::remember);
    entries.stream()
        .map(entry -> Instant.parse(entry.at()))
        .filter(at -> at.isAfter(seen))
        .max(Comparator.naturalOrder())
        .ifPresent(latest -> seen = latest);
    follows.trim(now);
    reach(shown, shares, next);
    credit(tally.take(keys(next)), next, arrivals);
    standing = next;
    day.ended(follows.takeEnded());
    SavingsTally ended = day;
    LocalDate date = today();
    if (!day.day().equals(date.toString())) {
      day = open(date, true);
    }
    day.planned();
    write(day, now, follows.all());
    if (ended != day) {
      // Files are followed on the new day: looked for in one place, and kept in one.
      write(ended, now, List.of());
    }
  }

  private void write(SavingsTally of, Instant now, List<SavingsDay.TrackedFile> followed)
      throws IOException {
    files.write(
        of.day(), of.shown(now.toString(), follows.mispredictions(now), followed, seen.toString()));
  }

  /** Of files that were moved down it counts what a fast copy would serve. */
  private void reach(List<FileView> shown, ReadShares shares, Map<Long, Standing> next) {
    Set<String> down =
        follows.all().stream()
            .filter(file -> !file.up())
            .map(SavingsDay.TrackedFile::path)
            .collect(Collectors.toSet());
    for (FileView file : shown) {
      if (down.contains(file.path())) {
        next.computeIfPresent(
            key(file.path()),
            (key, stands) -> standing(file, stands.served(), shares.fastWithOneCopy(file)));
      }
    }
  }

  private static Standing standing(FileView file, Map<StorageType, Double> served, double reach) {
    return new Standing(file.path(), HotFile.blocks(file), file.length(), served, reach);
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

  /**
   * When the copies of each moved file came since the plan before, in milliseconds since 1970. Readers find a copy as
   * soon as HDFS lists it, which may be before its source is gone.
   */
  private Map<Long, List<Long>> arrivals(List<JournalEntry> entries) {
    Map<Long, List<Long>> arrivals = new HashMap<>();
    Set<String> found = new HashSet<>();
    for (JournalEntry entry : entries) {
      if (entry instanceof JournalEntry.Moved moved
          && READABLE.contains(moved.state())
          && found.add(moved.move())) {
        arrivals
            .computeIfAbsent(key(moved.path()), any -> new ArrayList<>())
            .add(Instant.parse(moved.at()).toEpochMilli());
      }
    }
    return arrivals;
  }

  /** The share of a file's reads that came before its copies did, the mean over copies. */
  private static double before(OpenTally opens, List<Long> arrivals) {
    return arrivals.stream()
        .mapToDouble(opens::shareBefore)
        .filter(share -> !Double.isNaN(share))
        .average()
        .orElse(0.5);
  }

  /**
   * @param next where files are now
   */
  private void credit(
      ReadTally.Taken taken, Map<Long, Standing> next, Map<Long, List<Long>> arrivals) {
    for (int i = 0; i < taken.keys().length; i++) {
      OpenTally opens = taken.opens()[i];
      Standing file = standing.get(taken.keys()[i]);
      if (opens != null && opens.all() > 0) {
        if (file == null) {
          day.readOthers(Math.round(opens.opens().whole()));
        } else {
          double reads = file.reads(opens);
          Standing then = next.getOrDefault(taken.keys()[i], file);
          double old = before(opens, arrivals.getOrDefault(taken.keys()[i], List.of()));
          file.served()
              .forEach((type, share) -> day.read(type, file.length(), share * reads * old));
          then.served()
              .forEach((type, share) -> day.read(type, file.length(), share * reads * (1 - old)));
        }
      }
    }
    for (SavingsDay.TrackedFile file : follows.all()) {
      OpenTally opens = taken.of(key(file.path()));
      if (opens != null) {
        follows.read(file.path(), reads(opens, file, standing.get(key(file.path()))));
      }
    }
    day.readOthers(taken.others());
  }

  /** Of the faster type that the file was moved to or from. Of a file that was read at all, at least one in all. */
  private static double reads(OpenTally opens, SavingsDay.TrackedFile moved, Standing file) {
    double reads = opens.all();
    if (reads > 0) {
      reads = Math.max(1, Math.round(file == null ? opens.opens().whole() : file.reads(opens)));
    }
    return file == null ? reads : reads * share(moved, file);
  }

  private static double share(SavingsDay.TrackedFile moved, Standing file) {
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
      if (reasons.size() > MoveOutcomeTracker.MOST) {
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
