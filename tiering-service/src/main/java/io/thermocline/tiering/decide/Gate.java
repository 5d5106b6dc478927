// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadShares;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Whether what a move saves its readers is worth the move. Immutable.
 *
 * <p>Both sides are seconds of devices and readers: what the expected reads over the horizon take less from the
 * faster type, against reading the copies where they lie and writing them where they go, times a factor. What
 * has to make room is part of it: its copies, and what its own readers lose.
 */
public final class Gate {

  /** Of moves that nobody weighed: they make room, and don't ask. */
  static final Benefit UNWEIGHED = new Benefit(Double.NaN, Double.NaN, Double.NaN);

  private static final Gate OPEN = new Gate(Duration.ZERO, 0, null, Map.of());

  private final Duration horizon;
  private final double factor;
  private final ExpectedReads reads;
  private final Map<StorageType, TierSpeed> speeds;

  /**
   * What a move brings and takes, in seconds.
   *
   * @param saved by readers of the file over the horizon
   * @param lost by readers of what makes room for it
   * @param cost of all copies, less that of the copies that are made otherwise
   */
  public record Benefit(double saved, double lost, double cost) {

    boolean isWeighed() {
      return !Double.isNaN(saved);
    }
  }

  /**
   * A file, what its copies will lie on, and which type serves its reads.
   *
   * @param target null where they stay
   * @param otherwise what they will lie on if the change is not made; null where they stay
   */
  record Change(HotFile hot, Target target, Target otherwise, ReadShares shares) {
    Change(HotFile hot, Target target, ReadShares shares) {
      this(hot, target, null, shares);
    }
  }

  /** Readers at once of the busiest copy, with the copies that there are and with those that are wanted. */
  record Crowd(double atBusiest, double atBusiestThen) {}

  /**
   * @param horizon over which a move must pay
   * @param factor how many times its cost a move must save
   * @param speeds of each type that decisions know
   */
  public Gate(
      Duration horizon, double factor, ExpectedReads reads, Map<StorageType, TierSpeed> speeds) {
    if (horizon.isNegative() || !(factor >= 0)) {
      throw new IllegalArgumentException(
          "horizon " + horizon + ", factor " + factor + ": expected at least 0");
    }
    this.horizon = horizon;
    this.factor = factor;
    this.reads = reads;
    this.speeds = Map.copyOf(speeds);
  }

  /** Whether it can tell what anything is worth. */
  boolean weighs() {
    return reads != null;
  }

  /** Reads a second of the whole file that are expected. */
  double rate(HotFile hot) {
    return reads.of(hot, horizon) / Math.max(1, horizon.toSeconds());
  }

  /**
   * What it brings to keep copies in memory, once they lie as the target has them. Readers don't look for memory, and
   * DataNodes choose what they cache: a cached copy serves as much as any. DataNodes read each copy once.
   */
  Benefit weighCaching(Change change, TierSpeed memory, int copies) {
    FileView file = change.hot.file();
    double from =
        seconds(file, change.shares.of(file, block -> applied(change, change.target, block)));
    double share = file.replication() == 0 ? 1 : Math.min(1, (double) copies / file.replication());
    double less = share * (from - seconds(file, memory));
    return new Benefit(reads.of(change.hot, horizon) * less, 0, copies * from);
  }

  /** What more copies bring to readers who come at the same time and wait at the busiest one. */
  Benefit weighCopies(HotFile hot, StorageType type, int have, int want, Crowd crowd) {
    double alone = seconds(hot.file(), type);
    double less = crowd.atBusiest() - Math.max(1, crowd.atBusiestThen());
    TierSpeed speed = speeds.get(type);
    double copy = alone + hot.file().length() / speed.write();
    return new Benefit(reads.of(hot, horizon) * alone * less, 0, (want - have) * copy);
  }

  /** Lets every move through. */
  public static Gate open() {
    return OPEN;
  }

  /** What a change brings, with those that make room for it. */
  Benefit weigh(Change change, List<Change> room) {
    if (reads == null) {
      return UNWEIGHED;
    }
    double lost = 0;
    double cost = cost(change);
    for (Change other : room) {
      lost -= saved(other);
      cost += cost(other);
    }
    return new Benefit(saved(change), lost, cost);
  }

  /** Whether it is worth it; always where the gate is open. */
  boolean passes(Benefit benefit) {
    return !benefit.isWeighed() || benefit.saved - benefit.lost >= factor * benefit.cost;
  }

  /** The weights in words; empty where nothing was weighed. */
  String words(Benefit benefit) {
    if (!benefit.isWeighed()) {
      return "";
    }
    String lost =
        benefit.lost == 0
            ? ""
            : String.format(Locale.ROOT, " and costs others %.2f s", benefit.lost);
    return String.format(
        Locale.ROOT,
        "saves %.2f s of reading in %s%s, for %.2f s of copying",
        benefit.saved,
        words(horizon),
        lost,
        benefit.cost);
  }

  private static String words(Duration time) {
    return time.toMinutes() < 120 ? time.toMinutes() + " min" : time.toHours() + " h";
  }

  private double saved(Change change) {
    FileView file = change.hot.file();
    double less =
        seconds(file, change.shares.of(file, block -> applied(change, change.otherwise, block)))
            - seconds(file, change.shares.of(file, block -> applied(change, change.target, block)));
    return reads.of(change.hot, horizon) * less;
  }

  /** Of the copies that may go, a plan takes the same. */
  private static List<StorageType> applied(Change change, Target target, FileView.Block block) {
    if (target == null) {
      return block.types();
    }
    List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
    for (Target.Shift shift : target.shifts(block.types())) {
      FileView.Replica moved =
          replicas.stream()
              .filter(each -> each.type() == shift.from())
              .max(
                  Comparator.comparingDouble(
                      each -> change.shares.gainOfMove(each, each.node(), shift.to(), replicas)))
              .orElseThrow();
      replicas.set(
          replicas.indexOf(moved),
          new FileView.Replica(moved.node(), moved.storageId(), shift.to()));
    }
    return replicas.stream().map(FileView.Replica::type).toList();
  }

  private double seconds(FileView file, Map<StorageType, Double> shares) {
    return shares.entrySet().stream()
        .mapToDouble(each -> each.getValue() * seconds(file, each.getKey()))
        .sum();
  }

  /**
   * For a reader of the whole file. Of an erasure-coded one all data blocks of a group are read at the same time, and no
   * parity.
   */
  double seconds(FileView file, StorageType type) {
    return seconds(file, speeds.get(type));
  }

  private static double seconds(FileView file, TierSpeed speed) {
    double atOnce = file.isErasureCoded() ? file.coding().data() + file.coding().parity() : 1;
    return file.length() / atOnce / speed.read() + file.blocks().size() / atOnce * speed.latency();
  }

  private double cost(Change change) {
    FileView file = change.hot.file();
    return cost(file, change.target) - cost(file, change.otherwise);
  }

  private double cost(FileView file, Target target) {
    double seconds = 0;
    for (FileView.Block block : target == null ? List.<FileView.Block>of() : file.blocks()) {
      for (Target.Shift shift : target.shifts(block.types())) {
        TierSpeed from = speeds.get(shift.from());
        TierSpeed to = speeds.get(shift.to());
        seconds += block.length() / from.read() + from.latency();
        seconds += block.length() / to.write() + to.latency();
      }
    }
    return seconds;
  }
}
