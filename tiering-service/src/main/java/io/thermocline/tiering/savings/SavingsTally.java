// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.savings;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.readorder.MeasuredReads;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A day as it grows. One thread. */
final class SavingsTally {

  private static final int MAX_MISPREDICTIONS = 1_000;

  private final String day;
  private final Map<StorageType, TierSpeed> speeds;
  private final Map<String, SavingsDay.Reads> served;
  private final Map<String, SavingsDay.Flow> moves;
  private final Map<String, Long> written;
  private final List<SavingsDay.Misprediction> ended;
  private SavingsDay.Seconds seconds;
  private long plans;
  private long otherReads;
  private long failed;

  /** Null where nothing was measured. */
  private SavingsDay.Measured measured;

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
    this.measured = begun.measured();
    // Those of files that are followed are found again.
    Map<String, String> followed =
        begun.followed().stream()
            .collect(Collectors.toMap(SavingsDay.TrackedFile::path, SavingsDay.TrackedFile::at));
    this.ended =
        new ArrayList<>(
            begun.mispredictions().stream()
                .filter(
                    misprediction -> !misprediction.at().equals(followed.get(misprediction.path())))
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

  /** @param allDataNodes there are */
  void measured(MeasuredReads.Taken more, int allDataNodes) {
    if (more.isNothing()) {
      return;
    }
    Map<String, SavingsDay.Reads> byType =
        new HashMap<>(measured == null ? Map.of() : measured.served());
    more.byType()
        .forEach((type, read) -> byType.merge(type.name(), of(read), SavingsDay.Reads::plus));
    boolean isFirst = measured == null;
    Instant first = Instant.ofEpochMilli(more.firstMillis());
    Instant last = Instant.ofEpochMilli(more.lastMillis());
    boolean hasMost = isFirst || more.dataNodes() >= measured.dataNodes();
    measured =
        new SavingsDay.Measured(
            (isFirst ? first : earlier(first, Instant.parse(measured.since()))).toString(),
            (isFirst ? last : later(last, Instant.parse(measured.until()))).toString(),
            byType,
            isFirst ? of(more.others()) : measured.others().plus(of(more.others())),
            more.withoutBytes() + (isFirst ? 0 : measured.withoutBytes()),
            hasMost ? more.dataNodes() : measured.dataNodes(),
            hasMost ? allDataNodes : measured.allDataNodes());
  }

  private static SavingsDay.Reads of(MeasuredReads.Served read) {
    return new SavingsDay.Reads(read.reads(), read.bytes());
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
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

  void ended(List<SavingsDay.Misprediction> mispredictions) {
    ended.addAll(mispredictions);
  }

  SavingsDay shown(
      String now,
      List<SavingsDay.Misprediction> standing,
      List<SavingsDay.TrackedFile> files,
      String seen) {
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
                Comparator.comparingLong(SavingsDay.Misprediction::reads)
                    .thenComparing(SavingsDay.Misprediction::bytes)
                    .reversed()
                    .thenComparing(SavingsDay.Misprediction::path))
            .limit(MAX_MISPREDICTIONS)
            .toList(),
        files,
        seen,
        measured);
  }
}
