// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Why a file is where it is, what would move it, and what that was reckoned from. Immutable.
 *
 * @param path of the file
 * @param standing null where the path is no file that decisions are made of
 * @param decision what the next plan will do with it, where it does
 * @param obstacles by storage type, what keeps its fastest copy from there
 * @param details how its pattern was found, or which actions were compared, in lines; none where only storage types by
 *     thresholds count
 */
public record Explanation(
    String path,
    Standing standing,
    Optional<Decision> decision,
    Map<StorageType, String> obstacles,
    List<String> details) {

  /** Where decisions don't go by patterns. */
  public Explanation(
      String path,
      Standing standing,
      Optional<Decision> decision,
      Map<StorageType, String> obstacles) {
    this(path, standing, decision, obstacles, List.of());
  }

  /**
   * Where a file stands.
   *
   * @param lead type of its fastest copy
   * @param bytes of its copies, by type
   * @param share of the disk time, cooled, of all files that decisions are made of: 0.01 is 1 %
   * @param rank from 1, the hottest byte, among all files that may be moved; 0 where this one may not
   * @param of so many
   * @param hold what keeps it from being moved
   * @param wouldLead type of its fastest copy, had what shadow mode says been done; null where it would be no other
   */
  public record Standing(
      HotFile hot,
      StorageType lead,
      Map<StorageType, Long> bytes,
      double share,
      int rank,
      int of,
      Hold hold,
      StorageType wouldLead) {

    Standing(HotFile hot, List<HotFile> files, int rank, int of, Hold hold) {
      this(hot, Layout.of(hot.file()), share(hot, files), rank, of, hold, null);
    }

    private Standing(
        HotFile hot,
        Layout layout,
        double share,
        int rank,
        int of,
        Hold hold,
        StorageType wouldLead) {
      this(hot, layout.lead(), layout.bytes(), share, rank, of, hold, wouldLead);
    }

    private Standing shownAs(FileView real) {
      StorageType shown = Layout.of(real).lead();
      return new Standing(
          hot.as(real), Layout.of(real), share, rank, of, hold, shown == lead ? null : lead);
    }

    static double share(HotFile hot, Iterable<HotFile> files) {
      double all = 0;
      for (HotFile each : files) {
        all += each.diskSeconds();
      }
      return all == 0 ? 0 : hot.diskSeconds() / all;
    }
  }

  public Explanation {
    obstacles = Map.copyOf(obstacles);
    details = List.copyOf(details);
  }

  /** The same with more to be said of the file. */
  public Explanation plus(List<String> more) {
    List<String> all = new ArrayList<>(details);
    all.addAll(more);
    return more.isEmpty() ? this : new Explanation(path, standing, decision, obstacles, all);
  }

  /**
   * The same of a file that decisions take for moved, as shadow mode would have.
   *
   * @param real the file as HDFS shows it
   */
  public Explanation shownAs(FileView real) {
    return new Explanation(path, standing.shownAs(real), decision, obstacles, details);
  }

  /** In words, a line each. */
  public List<String> lines() {
    if (standing == null && !details.isEmpty()) {
      return List.of(path + ": " + String.join("; ", details));
    }
    if (standing == null) {
      return List.of(
          path + ": no closed file below manage.paths, or its storage policy is another's");
    }
    List<String> lines = new ArrayList<>();
    lines.add(path + ": fastest copy on " + standing.lead + "; bytes by type " + standing.bytes);
    lines.add(
        standing.hot.counted()
            + String.format(Locale.ROOT, ", %.1f %% of all", 100 * standing.share)
            + (standing.rank == 0
                ? ""
                : String.format(
                    Locale.ROOT, "; number %d of %d files", standing.rank, standing.of)));
    if (standing.hot.hinted() != null) {
      lines.add(standing.hot.hinted().words());
    }
    if (standing.hot.forecast() != null) {
      lines.add(standing.hot.forecast().words());
    }
    if (standing.wouldLead != null) {
      lines.add(
          "in shadow mode; had it been moved as was said, its fastest copy would be on "
              + standing.wouldLead
              + ", and then:");
    }
    if (!standing.hold.reason().isEmpty()) {
      lines.add("held: " + standing.hold.reason());
    }
    lines.add(
        decision
            .map(next -> "next: " + next.target() + ": " + next.reason())
            .orElse("next: stays"));
    obstacles.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(obstacle -> lines.add("not " + obstacle.getKey() + ": " + obstacle.getValue()));
    lines.addAll(details);
    return lines;
  }
}
