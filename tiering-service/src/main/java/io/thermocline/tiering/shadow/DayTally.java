// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.heat.OpenTally;
import io.thermocline.tiering.plan.ActionChange;
import io.thermocline.tiering.plan.Move;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A day's report as it grows. One thread. */
final class DayTally {

  /** Files that are remembered as read from slow types; of more, those with the most reads. */
  private static final int MAX_SLOW_READS = 10_000;

  /** Of them in the report. */
  private static final int MAX_REPORTED = 1_000;

  private final String day;
  private final Map<StorageType, TierSpeed> speeds;
  private final Map<String, ShadowReport.Flow> moves;
  private final Map<String, Integer> actions;
  private final Map<String, ShadowReport.Served> served;
  private final Map<String, ShadowReport.SlowRead> slowReads = new HashMap<>();
  private Map<String, ShadowReport.Room> storage;
  private ShadowReport.Seconds seconds;
  private long plans;
  private long otherReads;

  /**
   * @param begun what was reported of the day so far
   * @param speeds of the types
   */
  DayTally(ShadowReport begun, Map<StorageType, TierSpeed> speeds) {
    this.day = begun.day();
    this.speeds = speeds;
    this.moves = new HashMap<>(begun.moves());
    this.actions = new HashMap<>(begun.actions());
    this.served = new HashMap<>(begun.served());
    this.storage = begun.storage();
    this.seconds = begun.seconds();
    this.plans = begun.plans();
    this.otherReads = begun.otherReads();
    begun.slowReads().forEach(slowRead -> slowReads.put(slowRead.path(), slowRead));
  }

  String day() {
    return day;
  }

  void planned() {
    plans++;
  }

  void moved(Move move) {
    StorageType from = move.source().type();
    StorageType to = move.targetType();
    moves.merge(
        from + " to " + to, new ShadowReport.Flow(1, move.bytes()), ShadowReport.Flow::plus);
    double copied = speeds.get(from).toCopy(speeds.get(to), move.bytes());
    seconds = seconds.plus(new ShadowReport.Seconds(0, 0, copied));
  }

  void taken(ActionChange change) {
    actions.merge(change.decision().cause().name(), 1, Integer::sum);
  }

  /** A file was read, from where it lay at the plan before. */
  void read(Standing file, OpenTally opens, Function<String, String> why) {
    double reads = HotFile.reads(file.path(), file.blocks(), file.length(), opens.opens());
    double bytes = reads * file.length();
    file.served()
        .forEach(
            (type, share) -> {
              served.merge(
                  type.name(),
                  new ShadowReport.Served(share * reads, share * bytes, 0, 0),
                  ShadowReport.Served::plus);
              seconds =
                  seconds.plus(new ShadowReport.Seconds(share * reads * waited(file, type), 0, 0));
            });
    file.servedIf()
        .forEach(
            (type, share) -> {
              served.merge(
                  type.name(),
                  new ShadowReport.Served(0, 0, share * reads, share * bytes),
                  ShadowReport.Served::plus);
              seconds =
                  seconds.plus(new ShadowReport.Seconds(0, share * reads * waited(file, type), 0));
            });
    double slow = reads * (1 - file.fast());
    if (slow >= 0.5 || reads > 0 && file.fast() == 0) {
      long shown = Math.max(1, Math.round(slow));
      long less = Math.round(reads * (file.fastIf() - file.fast()));
      slowReads.merge(
          file.path(),
          new ShadowReport.SlowRead(
              file.path(),
              file.length(),
              shown,
              file.slow().name(),
              Math.min(shown, Math.max(0, less)),
              why.apply(file.path())),
          (before, now) ->
              new ShadowReport.SlowRead(
                  now.path(),
                  now.length(),
                  before.reads() + now.reads(),
                  now.from(),
                  before.readsIf() + now.readsIf(),
                  now.why()));
      if (slowReads.size() > MAX_SLOW_READS) {
        List<ShadowReport.SlowRead> most = most(MAX_SLOW_READS / 2);
        slowReads.clear();
        most.forEach(slowRead -> slowReads.put(slowRead.path(), slowRead));
      }
    }
  }

  private double waited(Standing file, StorageType type) {
    TierSpeed speed = speeds.get(type);
    return speed == null ? 0 : speed.toRead(file.length());
  }

  void readOthers(long reads) {
    otherReads += reads;
  }

  void filled(ClusterView real, ClusterView virtual) {
    Map<StorageType, ClusterView.Occupancy> now = real.occupancy();
    Map<StorageType, ClusterView.Occupancy> then = virtual.occupancy();
    Map<String, ShadowReport.Room> rooms = new HashMap<>();
    now.forEach(
        (type, used) ->
            rooms.put(
                type.name(),
                new ShadowReport.Room(used.used(), then.get(type).used(), used.capacity())));
    storage = rooms;
  }

  private List<ShadowReport.SlowRead> most(int count) {
    return slowReads.values().stream()
        .sorted(
            Comparator.comparingLong(ShadowReport.SlowRead::reads)
                .reversed()
                .thenComparing(ShadowReport.SlowRead::path))
        .limit(count)
        .toList();
  }

  ShadowReport report(String now) {
    return new ShadowReport(
        day, now, plans, moves, actions, served, otherReads, seconds, storage, most(MAX_REPORTED));
  }

  /**
   * A file at a plan.
   *
   * @param served share of its reads that each type serves
   * @param servedIf what that would be
   */
  record Standing(
      String path,
      int blocks,
      long length,
      Map<StorageType, Double> served,
      Map<StorageType, Double> servedIf) {

    double fast() {
      return fast(served);
    }

    double fastIf() {
      return fast(servedIf);
    }

    /** That most of what isn't read from fast types is read from. */
    StorageType slow() {
      return served.entrySet().stream()
          .filter(each -> !each.getKey().isFast())
          .max(Map.Entry.comparingByValue())
          .map(Map.Entry::getKey)
          .orElse(StorageType.DISK);
    }

    private static double fast(Map<StorageType, Double> served) {
      return served.entrySet().stream()
          .filter(each -> each.getKey().isFast())
          .mapToDouble(Map.Entry::getValue)
          .sum();
    }
  }
}
