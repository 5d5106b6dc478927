// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Small traces for tests. */
public final class Traces {
  private static final long SECOND = 1_000_000;

  private Traces() {}

  /**
   * Reads, as in {@code "a b@10 c:4 a"}: a name, its size after a colon where it isn't 1, the second after an @ where it
   * isn't one after the read before.
   */
  public static Trace of(String text) {
    Map<String, Integer> indexes = new LinkedHashMap<>();
    List<TracedFile> files = new ArrayList<>();
    List<FileAccess> accesses = new ArrayList<>();
    long second = -1;
    for (String word : text.split(" ")) {
      String[] timed = word.split("@");
      String[] sized = timed[0].split(":");
      second = timed.length == 2 ? Long.parseLong(timed[1]) : second + 1;
      Integer file = indexes.putIfAbsent(sized[0], files.size());
      if (file == null) {
        file = files.size();
        files.add(new TracedFile(sized[0], sized.length == 2 ? Long.parseLong(sized[1]) : 1));
      }
      accesses.add(new FileAccess(second * SECOND, file, files.get(file).bytes(), false));
    }
    return new Trace(text, files, accesses);
  }

  /**
   * Reads of files whose popularity falls off as one over the rank, some seconds apart.
   *
   * @param largest sizes are from 1 to it
   */
  public static Trace random(long seed, int files, int reads, int largest) {
    SplittableRandom random = new SplittableRandom(seed);
    List<TracedFile> all = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      all.add(new TracedFile("f" + i, 1 + random.nextInt(largest)));
    }
    List<FileAccess> accesses = new ArrayList<>();
    long second = 0;
    for (int i = 0; i < reads; i++) {
      int file = (int) Math.pow(files, random.nextDouble()) - 1;
      second += random.nextInt(20);
      accesses.add(new FileAccess(second * SECOND, file, all.get(file).bytes(), false));
    }
    return new Trace("seed " + seed, all, accesses);
  }

  /** A slow tier for everything, and a fast one; both move so many bytes a second. */
  public static List<SimTier> tiers(long fastBytes, double bytesPerSecond) {
    return List.of(
        new SimTier("DISK", Long.MAX_VALUE / 2, bytesPerSecond, bytesPerSecond, false),
        new SimTier("SSD", fastBytes, bytesPerSecond, bytesPerSecond, true));
  }

  /** Runs a policy, with a clock that stands. */
  public static RunResult run(
      PolicyFactory policy, Trace trace, List<SimTier> tiers, MoveMode mode) {
    return new Simulation(trace, tiers, Simulation.Settings.of(mode), () -> 0)
        .run(policy.make().apply(new PolicyFactory.Setting(trace, tiers, 0, mode, 1)));
  }
}
