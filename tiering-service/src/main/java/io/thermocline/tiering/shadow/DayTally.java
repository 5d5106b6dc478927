// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.plan.LeverChange;
import io.thermocline.tiering.plan.Move;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A day's report as it grows. One thread. */
final class DayTally {

  /** Files that are remembered as read from slow types; of more, those with the most reads. */
  private static final int MOST_REGRETS = 10_000;

  /** Of them in the report. */
  private static final int SHOWN_REGRETS = 1_000;

  private final String day;
  private final Map<StorageType, TierSpeed> speeds;
  private final Map<String, ShadowReport.Flow> moves;
  private final Map<String, Integer> levers;
  private final Map<String, ShadowReport.Served> served;
  private final Map<String, ShadowReport.Regret> regrets = new HashMap<>();
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
    this.levers = new HashMap<>(begun.levers());
    this.served = new HashMap<>(begun.served());
    this.storage = begun.storage();
    this.seconds = begun.seconds();
    this.plans = begun.plans();
    this.otherReads = begun.otherReads();
    begun.regrets().forEach(regret -> regrets.put(regret.path(), regret));
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

  void pulled(LeverChange change) {
    levers.merge(change.decision().cause().name(), 1, Integer::sum);
  }

  /** A file was read, from where it lay at the plan before. */
  void read(Standing file, int reads, Function<String, String> why) {
    long bytes = reads * file.length();
    served.merge(
        file.lead().name(), new ShadowReport.Served(reads, bytes, 0, 0), ShadowReport.Served::plus);
    served.merge(
        file.leadIf().name(),
        new ShadowReport.Served(0, 0, reads, bytes),
        ShadowReport.Served::plus);
    seconds =
        seconds.plus(
            new ShadowReport.Seconds(
                reads * waited(file, file.lead()), reads * waited(file, file.leadIf()), 0));
    if (!file.lead().isFast()) {
      regrets.merge(
          file.path(),
          new ShadowReport.Regret(
              file.path(),
              file.length(),
              reads,
              file.lead().name(),
              file.leadIf().isFast() ? reads : 0,
              why.apply(file.path())),
          (before, now) ->
              new ShadowReport.Regret(
                  now.path(),
                  now.length(),
                  before.reads() + now.reads(),
                  now.from(),
                  before.readsIf() + now.readsIf(),
                  now.why()));
      if (regrets.size() > MOST_REGRETS) {
        List<ShadowReport.Regret> most = most(MOST_REGRETS / 2);
        regrets.clear();
        most.forEach(regret -> regrets.put(regret.path(), regret));
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

  private List<ShadowReport.Regret> most(int count) {
    return regrets.values().stream()
        .sorted(
            Comparator.comparingLong(ShadowReport.Regret::reads)
                .reversed()
                .thenComparing(ShadowReport.Regret::path))
        .limit(count)
        .toList();
  }

  ShadowReport report(String now) {
    return new ShadowReport(
        day, now, plans, moves, levers, served, otherReads, seconds, storage, most(SHOWN_REGRETS));
  }

  /**
   * A file at a plan.
   *
   * @param lead type of its fastest copy
   * @param leadIf what that would be
   */
  record Standing(String path, long length, StorageType lead, StorageType leadIf) {}
}
