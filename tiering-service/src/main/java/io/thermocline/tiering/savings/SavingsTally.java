// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.savings;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.TierSpeed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A day as it grows. One thread. */
final class SavingsTally {

  private static final int MOST_REGRETS = 1_000;

  private final String day;
  private final Map<StorageType, TierSpeed> speeds;
  private final Map<String, SavingsDay.Reads> served;
  private final Map<String, SavingsDay.Flow> moves;
  private final Map<String, Long> written;
  private final List<SavingsDay.Regret> ended;
  private SavingsDay.Seconds seconds;
  private long plans;
  private long otherReads;
  private long failed;

  /**
   * @param begun what was written of the day so far
   */
  SavingsTally(SavingsDay begun, Map<StorageType, TierSpeed> speeds) {
    this.day = begun.day();
    this.speeds = speeds;
    this.served = new HashMap<>(begun.served());
    this.moves = new HashMap<>(begun.moves());
    this.written = new HashMap<>(begun.writtenBytes());
    this.seconds = begun.seconds();
    this.plans = begun.plans();
    this.otherReads = begun.otherReads();
    this.failed = begun.failedMoves();
    // Those of files that are followed are found again.
    Map<String, String> followed =
        begun.followed().stream()
            .collect(Collectors.toMap(SavingsDay.Followed::path, SavingsDay.Followed::at));
    this.ended =
        new ArrayList<>(
            begun.regrets().stream()
                .filter(regret -> !regret.at().equals(followed.get(regret.path())))
                .toList());
  }

  String day() {
    return day;
  }

  void planned() {
    plans++;
  }

  /** @param reads of the whole file */
  void read(StorageType from, long length, double reads) {
    served.merge(from.name(), new SavingsDay.Reads(reads, reads * length), SavingsDay.Reads::plus);
    double waited = waited(from, length);
    double ofDisk = from.isFast() ? waited(StorageType.DISK, length) : waited;
    seconds = seconds.plus(new SavingsDay.Seconds(reads * waited, reads * ofDisk, 0));
  }

  private double waited(StorageType type, long length) {
    TierSpeed speed = speeds.get(type);
    return speed == null ? 0 : speed.toRead(length);
  }

  void readOthers(long reads) {
    otherReads += reads;
  }

  void moved(StorageType from, StorageType to, long bytes) {
    moves.merge(from + " to " + to, new SavingsDay.Flow(1, bytes), SavingsDay.Flow::plus);
    written.merge(to.name(), bytes, Long::sum);
    if (speeds.containsKey(from) && speeds.containsKey(to)) {
      double copied = speeds.get(from).toCopy(speeds.get(to), bytes);
      seconds = seconds.plus(new SavingsDay.Seconds(0, 0, copied));
    }
  }

  void failed() {
    failed++;
  }

  void ended(List<SavingsDay.Regret> regrets) {
    ended.addAll(regrets);
  }

  SavingsDay shown(
      String now, List<SavingsDay.Regret> standing, List<SavingsDay.Followed> files, String seen) {
    return new SavingsDay(
        day,
        now,
        plans,
        served,
        otherReads,
        moves,
        failed,
        written,
        seconds,
        Stream.concat(ended.stream(), standing.stream())
            .sorted(
                Comparator.comparingLong(SavingsDay.Regret::reads)
                    .thenComparing(SavingsDay.Regret::bytes)
                    .reversed()
                    .thenComparing(SavingsDay.Regret::path))
            .limit(MOST_REGRETS)
            .toList(),
        files,
        seen);
  }
}
