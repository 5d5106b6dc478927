// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.heat.OpenTally;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.readorder.ReadShares;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What shadow mode would have done: keeps a layout as if it had been, so that later plans build on earlier ones, and
 * a report of each day. Its own journal beside the service's has every move that would have been made, and is replayed at
 * the start. Reports of more than a year ago are deleted. One thread plans; any may tell of reads.
 */
public final class ShadowLedger implements Overlay, Closeable {

  private final Settings settings;
  private final Journal journal;
  private final ReportFiles files;
  private final VirtualLayout layout = new VirtualLayout();
  private final ReadTally tally = new ReadTally();
  private final List<JournalEntry> untaken = new ArrayList<>();
  private Map<Long, DayTally.Standing> standing = Map.of();
  private ClusterView real;
  private DayTally day;
  private volatile Totals totals = new Totals(0, 0);

  /**
   * @param directory of the reports and the ledger
   * @param nameservice as {@link PathKey#nameservice}
   * @param speeds of types, for what readers wait and copies take
   * @param applied paths where plans are carried out, and nothing is imagined
   * @param rule of the room that moves which weren't made would have left
   * @param zone of the days
   */
  public record Settings(
      Path directory,
      long nameservice,
      Map<StorageType, TierSpeed> speeds,
      Predicate<String> applied,
      RoomRule rule,
      ZoneId zone,
      Clock clock) {}

  /** Whether room that moves would have made counts. */
  public enum RoomRule {
    AS_IT_WOULD_BE,
    /** Where some plans are carried out: a copy needs room that is there. */
    NEVER_MORE_THAN_THERE_IS
  }

  /** Moves that would have been made since the start, and their bytes. */
  public record Totals(long moves, long bytes) {}

  private ShadowLedger(Settings settings) throws IOException {
    this.settings = settings;
    this.journal = Journal.open(settings.directory());
    this.files = new ReportFiles(settings.directory());
    for (JournalEntry entry : journal.takeMoves()) {
      if (entry instanceof JournalEntry.Moved moved) {
        replay(moved);
      }
      // Where plans are carried out by now, nothing was moved yet.
      if (!settings.applied().test(pathOf(entry))) {
        untaken.add(entry);
      }
    }
    this.day = open(today());
  }

  /**
   * Goes on where it ended.
   *
   * @throws IOException where the directory can't be used
   */
  public static ShadowLedger open(Settings settings) throws IOException {
    return new ShadowLedger(settings);
  }

  private DayTally open(LocalDate date) throws IOException {
    files.deleteBefore(date.minus(DayFiles.KEPT));
    String now = settings.clock().instant().toString();
    return new DayTally(
        files.read(date).orElseGet(() -> ShadowReport.begin(date.toString(), now)),
        settings.speeds());
  }

  private static String pathOf(JournalEntry entry) {
    return entry instanceof JournalEntry.Moved moved
        ? moved.path()
        : ((JournalEntry.Planned) entry).path();
  }

  private LocalDate today() {
    return settings.clock().instant().atZone(settings.zone()).toLocalDate();
  }

  // --- what a plan is made of ---

  /** Room on the storages as it would be; where plans are carried out too, never more than there is. */
  @Override
  public ClusterView over(ClusterView cluster) {
    real = cluster;
    return layout.over(cluster, settings.rule());
  }

  @Override
  public FileView over(FileView file) {
    if (settings.applied().test(file.path())) {
      layout.forget(file.path());
      return file;
    }
    return layout.over(file);
  }

  @Override
  public Optional<String> policy(String path) {
    return layout.policy(path);
  }

  @Override
  public void passed(FileView file) {
    layout.passed(file);
  }

  @Override
  public void endOfPass() {
    layout.endOfPass();
  }

  @Override
  public List<JournalEntry> takeMoves() {
    List<JournalEntry> taken = List.copyOf(untaken);
    untaken.clear();
    return taken;
  }

  public long lastPlan() {
    return journal.lastPlan();
  }

  // --- what happens ---

  /** From any thread. */
  public void accept(Access access) {
    tally.accept(access);
  }

  public Totals totals() {
    return totals;
  }

  /**
   * Takes a plan for done, and writes the day's report.
   *
   * @param plan what isn't carried out of it
   * @param before all files of the plan as HDFS shows them
   * @param after the same, as they would be without this plan
   * @param shares which type serves the reads of a file
   */
  public void planned(Plan plan, List<FileView> before, List<HotFile> after, ReadShares shares)
      throws IOException {
    Instant now = settings.clock().instant();
    LocalDate date = today();
    Map<String, String> reasons = reasons(plan);
    credit(before, after, shares, reasons);
    if (!day.day().equals(date.toString())) {
      files.write(day.report(now.toString()));
      day = open(date);
    }
    day.planned();
    for (Plan.FileMoves file : plan.files()) {
      imagine(plan.number(), file, now);
    }
    plan.actions().forEach(day::taken);
    if (real != null) {
      day.filled(real, layout.over(real, settings.rule()));
    }
    files.write(day.report(now.toString()));
  }

  private static Map<String, String> reasons(Plan plan) {
    Map<String, String> reasons = new HashMap<>();
    plan.unplaced().forEach(later -> reasons.put(path(later.decision()), later.reason()));
    plan.files().forEach(file -> reasons.put(file.path(), "this plan would move it"));
    return reasons;
  }

  private static String path(Decision decision) {
    return decision.hot().file().path();
  }

  /** What was read since the last plan was read from where files lay, and would have lain, at that time. */
  private void credit(
      List<FileView> before, List<HotFile> after, ReadShares shares, Map<String, String> reasons) {
    Map<String, FileView> shown =
        before.stream().collect(Collectors.toMap(FileView::path, file -> file, (a, b) -> b));
    Map<Long, DayTally.Standing> next = new HashMap<>();
    for (HotFile hot : after) {
      FileView file = hot.file();
      FileView now = shown.getOrDefault(file.path(), file);
      next.put(
          PathKey.of(settings.nameservice(), file.path()),
          new DayTally.Standing(
              file.path(), HotFile.blocks(file), file.length(), shares.of(now), shares.of(file)));
    }
    ReadTally.Taken taken = tally.take(next.keySet().stream().mapToLong(Long::longValue).toArray());
    for (int i = 0; i < taken.keys().length; i++) {
      DayTally.Standing file = standing.get(taken.keys()[i]);
      OpenTally opens = taken.opens()[i];
      if (file != null && opens != null && opens.all() > 0) {
        day.read(file, opens, path -> why(file, path, reasons));
      }
    }
    day.readOthers(taken.others());
    standing = next;
  }

  private static String why(DayTally.Standing file, String path, Map<String, String> reasons) {
    Optional<StorageType> fastest =
        file.servedIf().keySet().stream().max(Comparator.naturalOrder());
    if (fastest.filter(StorageType::isFast).isPresent()) {
      return "would be on "
          + fastest.get()
          + (file.fastIf() > 0.995
              ? ""
              : String.format(
                  Locale.ROOT,
                  ", which serves %.0f %% of its reads by the read order",
                  100 * file.fastIf()));
    }
    return reasons.getOrDefault(
        path, "not decided to move: thermocline explain says what keeps it where it is");
  }

  private void imagine(long number, Plan.FileMoves file, Instant now) throws IOException {
    Decision decision = file.decision();
    append(
        new JournalEntry.Planned(
            now.toString(),
            number,
            file.path(),
            decision.cause().name(),
            decision.target().toString(),
            file.moves().size(),
            decision.reason(),
            decision.from().name(),
            file.moves().stream().mapToLong(move -> move.bytes()).sum()));
    for (Move move : file.moves()) {
      // The journal's form of a move has no storages; what it says in words has.
      append(
          new JournalEntry.Moved(
              now.toString(),
              move.id(),
              move.path(),
              move.block().id(),
              move.source().node() + " " + move.source().type(),
              move.targetNode() + " " + move.targetType(),
              "VERIFIED",
              move.source().storageId() + " " + move.targetStorage() + " " + file.storagePolicy(),
              move.bytes()));
      step(
          move.path(),
          file.storagePolicy(),
          new VirtualLayout.Step(
              move.block().id(),
              move.bytes(),
              move.source(),
              new FileView.Replica(move.targetNode(), move.targetStorage(), move.targetType())));
      day.moved(move);
    }
  }

  private void append(JournalEntry entry) throws IOException {
    journal.append(entry);
    untaken.addAll(journal.takeMoves());
  }

  private void replay(JournalEntry.Moved moved) {
    String[] words = moved.detail().split(" ");
    if (words.length == 3) {
      step(
          moved.path(),
          words[2],
          new VirtualLayout.Step(
              moved.block(),
              moved.bytes(),
              replica(moved.from(), words[0]),
              replica(moved.to(), words[1])));
    }
  }

  private void step(String path, String policy, VirtualLayout.Step step) {
    layout.move(path, policy, step);
    totals = new Totals(totals.moves() + 1, totals.bytes() + step.bytes());
  }

  /** Of "node TYPE". */
  private static FileView.Replica replica(String text, String storage) {
    int space = text.lastIndexOf(' ');
    return new FileView.Replica(
        text.substring(0, space), storage, StorageType.valueOf(text.substring(space + 1)));
  }

  @Override
  public void close() throws IOException {
    journal.close();
  }
}
