// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.savings;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What one day's moves cost, and what fast types served on it. Types are names of storage types;
 * times are UTC, ISO 8601. A read stands for one of the whole file, from the types that serve it by
 * the NameNodes' read order, as the file lay at the plan before: so reads of a type may be fractions.
 *
 * @param day in the zone of the logs
 * @param updated when it was written last
 * @param plans made on that day
 * @param served what reads were served from, as is estimated
 * @param otherReads of files that no plan was made of yet, or that aren't managed
 * @param moves of replicas by from and to, "DISK to SSD"
 * @param failedMoves that HDFS didn't make
 * @param writtenBytes by moves, of each type
 * @param seconds of time, of readers and of devices
 * @param mispredictions moves that should not have been, worst first
 * @param followed files that were moved of late
 * @param seen of the journal: what is in it up to this time, and no more, is counted
 * @param measured what reads were served from, as DataNodes logged it; null where none did
 */
public record SavingsDay(
    String day,
    String updated,
    long plans,
    Map<String, Reads> served,
    long otherReads,
    Map<String, Flow> moves,
    long failedMoves,
    Map<String, Long> writtenBytes,
    Seconds seconds,
    // Its name in day files of earlier versions.
    @JsonAlias("regrets") List<Misprediction> mispredictions,
    List<TrackedFile> followed,
    String seen,
    Measured measured) {

  public SavingsDay {
    Instant.parse(updated);
    Instant.parse(seen);
    served = Map.copyOf(served);
    moves = Map.copyOf(moves);
    writtenBytes = Map.copyOf(writtenBytes);
    mispredictions = List.copyOf(mispredictions);
    followed = List.copyOf(followed);
  }

  /** With all its mispredictions, and nothing that is followed. */
  SavingsDay followingNothing() {
    return new SavingsDay(
        day,
        updated,
        plans,
        served,
        otherReads,
        moves,
        failedMoves,
        writtenBytes,
        seconds,
        mispredictions,
        List.of(),
        seen,
        measured);
  }

  static SavingsDay begin(String day, String now) {
    return new SavingsDay(
        day,
        now,
        0,
        Map.of(),
        0,
        Map.of(),
        0,
        Map.of(),
        new Seconds(0, 0, 0),
        List.of(),
        List.of(),
        now,
        null);
  }

  /** Reads of one type, and their bytes. */
  public record Reads(double reads, double bytes) {
    Reads plus(Reads other) {
      return new Reads(reads + other.reads, bytes + other.bytes);
    }
  }

  /**
   * Reads that DataNodes logged, each for itself: of one file there may be many.
   *
   * @param since when the first of them ended, as with the day's times
   * @param until when the last did
   * @param served those of replicas whose type is known for sure
   * @param others the other ones
   * @param withoutBytes how many of all these have no bytes, since readers had the file from the DataNode
   * @param dataNodes that logged reads since the service started
   * @param allDataNodes there were then
   */
  public record Measured(
      String since,
      String until,
      Map<String, Reads> served,
      Reads others,
      long withoutBytes,
      int dataNodes,
      int allDataNodes) {
    public Measured {
      Instant.parse(since);
      Instant.parse(until);
      served = Map.copyOf(served);
    }
  }

  /** Replicas that went one way. */
  public record Flow(long moves, long bytes) {
    Flow plus(Flow other) {
      return new Flow(moves + other.moves, bytes + other.bytes);
    }
  }

  /**
   * By the speeds of decide.benefit, for one reader at a time.
   *
   * @param read that readers waited
   * @param readOfDisk that they would have, had what they read from fast types lain on DISK
   * @param copied that devices spent on moves
   */
  public record Seconds(double read, double readOfDisk, double copied) {
    Seconds plus(Seconds other) {
      return new Seconds(read + other.read, readOfDisk + other.readOfDisk, copied + other.copied);
    }
  }

  /** What is wrong with a move, as is seen later. */
  public enum Kind {
    /** To a faster type, and not read there for as long as it has to stay. */
    UP_AND_NOT_READ,
    /** To a slower type, and read again. */
    DOWN_AND_READ
  }

  /**
   * A move that should not have been.
   *
   * @param at when its first copy was there
   * @param bytes of its copies
   * @param reads since then, as far as the faster type serves them
   * @param why it was made
   */
  public record Misprediction(
      Kind kind,
      String path,
      String at,
      String from,
      String to,
      long bytes,
      long reads,
      String why) {}

  /**
   * A file that was moved.
   *
   * @param up whether to a faster type
   * @param reads since then: that the faster type served, or would have had it not been moved down
   */
  public record TrackedFile(
      String path,
      boolean up,
      String at,
      String from,
      String to,
      long bytes,
      double reads,
      String why) {

    /** With more bytes moved. */
    TrackedFile with(long more) {
      return new TrackedFile(path, up, at, from, to, bytes + more, reads, why);
    }

    /**
     * @param more below zero where some were no reads after all
     */
    TrackedFile read(double more) {
      return new TrackedFile(path, up, at, from, to, bytes, Math.max(0, reads + more), why);
    }

    TrackedFile named(String name) {
      return new TrackedFile(name, up, at, from, to, bytes, reads, why);
    }
  }
}
