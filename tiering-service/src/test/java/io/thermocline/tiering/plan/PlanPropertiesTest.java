// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.readorder.ReadOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Decisions and plans together, over random clusters whose workload changes while plans are carried out: every rule
 * that decisions keep to is drawn at random, and so is whether thresholds or what was learned decides, and whether all
 * files are seen or only those that a survey kept.
 */
class PlanPropertiesTest {

  private static final long SEED = Long.getLong("test.seed", 0);
  private static final boolean SHORT = Boolean.getBoolean("test.short");
  private static final int WORLDS = SHORT ? 4 : 40;
  private static final int STEPS = 8;

  @Test
  void noStorageIsOverCommittedAtAnyInstantAndNothingPinnedMoves() {
    int moves = 0;
    Map<Decision.Cause, Integer> actions = new EnumMap<>(Decision.Cause.class);
    // More replicas are made in one world of thirty.
    int most = SHORT ? WORLDS : 20 * WORLDS;
    for (long seed = SEED; seed < SEED + (actions.size() == 4 ? WORLDS : most); seed++) {
      RandomWorld world = new RandomWorld(seed);
      for (int step = 0; step < STEPS; step++) {
        world.passTime();
        Plan plan = world.plan();
        moves += plan.moves().size();
        plan.actions().forEach(action -> actions.merge(action.decision().cause(), 1, Integer::sum));
        world.carryOutCheckingRoom(plan);
      }
    }
    assertTrue(moves > 10 * WORLDS, moves + " moves");
    assertTrue(SHORT || actions.size() == 4, () -> "not each action up and down: " + actions);
  }

  @Test
  void noPathTurnsRoundMoreThanItMay() {
    int turns = 0;
    for (long seed = SEED; seed < SEED + WORLDS; seed++) {
      RandomWorld world = new RandomWorld(seed);
      Map<String, List<Instant>> turned = new HashMap<>();
      Map<String, Boolean> ways = new HashMap<>();
      for (int step = 0; step < 3 * STEPS; step++) {
        world.passTime();
        Plan plan = world.plan();
        List<Decision> begun = new ArrayList<>();
        plan.files().forEach(file -> begun.add(file.decision()));
        plan.actions().forEach(action -> begun.add(action.decision()));
        for (Decision decision : begun) {
          String path = decision.hot().file().path();
          boolean up = decision.cause().isUp();
          Boolean before = ways.put(path, up);
          if (before != null && before != up) {
            turned.computeIfAbsent(path, first -> new ArrayList<>()).add(world.now);
          }
        }
        world.carryOutCheckingRoom(plan);
      }
      for (Map.Entry<String, List<Instant>> path : turned.entrySet()) {
        List<Instant> at = path.getValue();
        turns += at.size();
        for (int i = world.stability.flaps(); i < at.size(); i++) {
          Duration apart = Duration.between(at.get(i - world.stability.flaps()), at.get(i));
          assertTrue(
              apart.compareTo(world.stability.window()) >= 0,
              "seed " + seed + ": " + path + " with " + world.stability);
        }
      }
    }
    // The limit is met, not merely kept for want of turns.
    assertTrue(turns > WORLDS, turns + " turns");
  }

  @Test
  void theSamePlanForTheSameSnapshotAndNoneAfterItIsCarriedOut() {
    int planned = 0;
    for (long seed = SEED; seed < SEED + WORLDS; seed++) {
      RandomWorld world = new RandomWorld(seed);
      world.passTime();
      // Until the budget and the order of room no longer leave anything for a later plan.
      for (int round = 0; ; round++) {
        Plan plan = world.plan();
        Collections.shuffle(world.files, new Random(seed + round));
        assertEquals(words(plan), words(world.plan()), "seed " + seed);
        planned += plan.moves().size();
        if (plan.isEmpty()) {
          break;
        }
        assertTrue(round < 100, "seed " + seed + ": still " + words(plan));
        world.carryOutCheckingRoom(plan);
      }
    }
    assertTrue(planned > WORLDS, planned + " moves");
  }

  @Test
  void onePlanIsEnoughWhereNothingIsLeftForLater() {
    int plans = 0;
    for (long seed : withKnownWorld(SEED, 6 * WORLDS)) {
      // With HDFS's order only a copy that was moved tells which reads it serves.
      RandomWorld world = new RandomWorld(seed, ReadOrder.FASTEST);
      world.passTime();
      Plan plan = world.plan();
      // What a survey left out of one plan comes with a later one.
      if (world.surveys) {
        continue;
      }
      if (plan.unplaced().isEmpty() && !plan.isEmpty()) {
        plans++;
        world.carryOutCheckingRoom(plan);
        Plan second = world.plan();
        // A file gets one action in a plan: what came to its new type may be cached, or copied,
        // with
        // the next.
        Set<String> moved = plan.moves().stream().map(Move::path).collect(Collectors.toSet());
        List<ActionChange> actions =
            second.actions().stream().filter(action -> !moved.contains(action.path())).toList();
        Plan rest = new Plan(second.number(), second.files(), actions, second.unplaced());
        assertEquals(List.of(), words(rest), "seed " + seed);
      }
    }
    assertTrue(plans > WORLDS / 4, plans + " plans");
  }

  /** In the known one a file gets more replicas, but only once it is on DISK. */
  private static long[] withKnownWorld(long first, int worlds) {
    return LongStream.concat(LongStream.of(1_131_812_395), LongStream.range(first, first + worlds))
        .toArray();
  }

  private static List<String> words(Plan plan) {
    List<String> words = new ArrayList<>();
    plan.actions().forEach(action -> words.add(action.path() + " " + action.decision().target()));
    plan.moves().stream()
        .map(
            move ->
                move.path()
                    + " "
                    + move.block().id()
                    + " "
                    + move.source().storageId()
                    + " "
                    + move.targetStorage())
        .forEach(words::add);
    return words;
  }
}
