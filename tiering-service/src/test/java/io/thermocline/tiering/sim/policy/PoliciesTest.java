// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.sim.MoveMode;
import io.thermocline.tiering.sim.PolicyFactory;
import io.thermocline.tiering.sim.RunResult;
import io.thermocline.tiering.sim.SimTier;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.Traces;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoliciesTest {

  private static final long SEED = Long.getLong("test.seed", 1);

  private static final double FAST = 1e12;

  private static PolicyFactory policy(String name) {
    return Stream.concat(
            Stream.of(Policies.oracle(), Policies.oracleOfSecondReads()),
            Policies.compared().stream())
        .filter(policy -> policy.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static RunResult run(String name, String trace, long capacity, MoveMode mode) {
    return Traces.run(policy(name), Traces.of(trace), Traces.tiers(capacity, FAST), mode);
  }

  /** Each worked out by hand. Fast tier in bytes, reads it serves, bytes that go up. */
  @ParameterizedTest
  @CsvSource({
    "stock, a a a, 9, 0, 0",
    // a and b stay, as c is needed last and would only be the third.
    "oracle, a b c a b c, 2, 2, 2",
    // Read again soonest, but the two small ones together need less room until then.
    "oracle, a b c:2 c a b, 2, 1, 2",
    // The small one is known at first sight, the large one from its second read on.
    "second_reads, a b:100000000000 a b b, 100000000001, 2, 100000000001",
    "oracle, a b:100000000000 a b b, 100000000001, 3, 100000000001",
    "lru, a b c a b c, 2, 0, 6",
    "lru, a b a c a b, 2, 2, 4",
    "lru, a:3 a, 2, 0, 0",
    // b is the one that was read least, when c needs room.
    "lfu, a a b c a, 2, 2, 3",
    "lru, a a b c a, 2, 1, 4",
    // As LFU while all is fresh; a day later a's two reads count less than b's one.
    "lrfu, a a b c a, 2, 2, 3",
    "lrfu, a a b@86400 c@86401 a@86402, 2, 1, 4",
    // d weighs 1, and a and b, whose room it would need, 3.
    "exd, a a b d:2 a, 2, 2, 2",
    "exd, a a b c a, 2, 2, 3",
    // A read of 4 bytes is worth a quarter of a read of one.
    "gdsf, a d:4 a, 4, 1, 1",
    // What left was worth 1: c starts above, and a, read twice in the past, is 2 as well.
    "gdsf, a b c a a, 1, 1, 4",
    "gdsf, x:3 x x, 600, 2, 3",
    "gdsf_filtered, x:3 x x, 600, 1, 3",
    "gdsf_filtered, x:2 x x, 600, 2, 2",
    // The tenth would fill more than 90 %: a and b go.
    "osa, a b c d e f g h i j a, 10, 0, 11",
    "osa, a b c d e f g h i j c, 10, 1, 10",
    "lru, a b c d e f g h i j a, 10, 1, 10",
    // The hand has passed a, and meets d and e before it comes back.
    "sieve, a b c a d e f a, 3, 2, 6",
    "lru, a b c a d e f a, 3, 1, 7",
    // Room for d:2 takes the two that weren't read again.
    "sieve, a b c a d:2 a b, 3, 2, 6",
    // a was read twice more in the small queue, and is in the main one when d needs room.
    "s3fifo, a a a b c d a, 3, 3, 4",
    "lru, a a a b c d a, 3, 2, 5",
    // a comes back soon after it left, and into the main queue.
    "s3fifo, a b c d a e f g a, 3, 1, 8",
    "lru, a b c d a e f g a, 3, 0, 9",
    "s3fifo, a:4 a, 3, 0, 0",
    // More than three in five minutes.
    "ssm, a a a a, 1, 0, 1",
    "ssm, a a a a a, 1, 1, 1",
    "ssm, a a a a@300 a@600, 1, 0, 0",
    // Archived when it wasn't read for an hour.
    "ssm, a a a a b@7200 a@7201, 1, 0, 1",
    // At the end of 20 minutes a has two reads and b one.
    "iops, a a b b@1200 a@1201, 1, 1, 1",
    // By byte b has more; a, of 4, doesn't fit beside it.
    "edt, a:4 a a b a@1200 b@1201, 4, 1, 1",
    "iops, a:4 a a b a@1200 b@1201, 4, 0, 4",
    // What the first hour showed stays for good.
    "manual, a a b b@3600 a@3601 b@8000 b@8001 a@8002, 1, 2, 1",
    // The younger displaces the older, and not the other way round.
    "age, a@0 a@10 b@20 a@30 b@40, 1, 2, 2",
    "age, a@0 a@3601 a@3602, 1, 2, 1",
  })
  void atOnce(String name, String trace, long capacity, long hits, long bytesUp) {
    RunResult result = run(name, trace, capacity, MoveMode.IMMEDIATE);

    assertEquals(
        List.of((double) hits, (double) bytesUp),
        List.of(result.reads()[1], (double) result.bytesUp()));
  }

  /** Decisions at 30, 60, ... seconds; moves as good as at once. */
  @ParameterizedTest
  @CsvSource({
    "stock, a a@40, 9, 0, 0",
    "lru, a a@29 a@31, 1, 1, 1",
    // b was read later, and displaces a at 60.
    "lru, a a@31 b@40 a@59 b@61, 1, 2, 1",
    "lru, a a@31 b@59 a@61 b@62, 1, 2, 2",
    "lfu, a a b a@31 b@32, 1, 1, 1",
    "gdsf, a d:4 a@31 d@32, 4, 1, 1",
    "gdsf_filtered, x:3 x@31 x@61, 600, 1, 3",
    "osa, a b c d e f g h i j c@31 a@32, 10, 1, 9",
    "sieve, a a@31 b@32, 1, 1, 1",
    "s3fifo, a a a b c a@31 c@32 b@33, 2, 2, 2",
    "ssm, a a a a a@31, 1, 1, 1",
    "iops, a a b a@1229 a@1231, 1, 2, 1",
    "edt, a:4 a a b b@1231 a@1232, 4, 1, 1",
    "manual, a a b a@3631 b@3632, 1, 1, 1",
    "age, a b b@31 a@32, 1, 1, 1",
    "exd, a a b d:2 d@31 b@32, 2, 1, 2",
    "lrfu, a a b a@31 b@32, 1, 1, 1",
    // Only b and c are read again, and both fit.
    "oracle, a b c b@31 c@32, 2, 2, 2",
    // Too late for the read at 29, in time for the one at 31.
    "oracle, a a@29 a@31 b@32, 1, 1, 1",
  })
  void live(String name, String trace, long capacity, long hits, long bytesUp) {
    RunResult result = run(name, trace, capacity, MoveMode.LIVE);

    assertEquals(
        List.of((double) hits, (double) bytesUp),
        List.of(result.reads()[1], (double) result.bytesUp()));
  }

  @Test
  void namesAreUnique() {
    List<String> names = Policies.compared().stream().map(PolicyFactory::name).toList();

    assertEquals(names.stream().distinct().toList(), names);
  }

  /**
   * With files of one size the oracle can't be beaten by what, as it does, moves only what was just read. The epochs of the
   * others decide seldom, and don't reach it either.
   */
  @Test
  void nobodyHitsMoreThanTheOracleWhereFilesAreOfOneSize() {
    int seeds = Boolean.getBoolean("test.short") ? 6 : 12;
    for (long seed = SEED; seed < SEED + seeds; seed++) {
      Trace trace = Traces.random(seed, 60, 600, 1);
      for (long capacity : new long[] {1, 4, 15}) {
        double best = hits(Policies.oracle(), trace, capacity);
        for (PolicyFactory policy : Policies.compared()) {
          double found = hits(policy, trace, capacity);
          assertTrue(
              found <= best,
              () ->
                  "%s, capacity %d: %s hits %.0f times, the oracle %.0f"
                      .formatted(trace.name(), capacity, policy.title(), found, best));
        }
      }
    }
  }

  private static double hits(PolicyFactory policy, Trace trace, long capacity) {
    return Traces.run(policy, trace, Traces.tiers(capacity, FAST), MoveMode.IMMEDIATE).reads()[1];
  }

  /** As {@link OracleFiguresTest} has it of a real trace; the trace is the same each time, since its figures are its own. */
  @Test
  void oursNearsTheOracleOnAGeneratedTrace() {
    Trace trace = Traces.random(7, 9_000, 13_483, 1_000);
    long fast = trace.uniqueBytes() / 100;
    List<SimTier> tiers = Traces.tiers(fast, 1e12);
    RunResult oracle = Traces.run(Policies.oracle(), trace, tiers, MoveMode.IMMEDIATE);

    RunResult found = Traces.run(Policies.learnedCache(), trace, tiers, MoveMode.IMMEDIATE);

    double hits = found.hitShare(1) / oracle.hitShare(1);
    double bytes = (double) found.bytesUp() / oracle.bytesUp();
    assertTrue(hits >= .84 && hits <= 1, "hits " + hits);
    assertTrue(bytes <= 1.1, "bytes moved " + bytes);
  }
}
