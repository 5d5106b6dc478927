// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * SUORA's hotness, thresholds and watermarks (sections 3.3, 3.4 and algorithm 2) on a snapshot of
 * HDFS. Pure: the same input gives the same decisions, and nothing is read or changed.
 */
public final class TierDecider {

  /*
   * The fast tiers, fastest first. For each, three steps:
   *
   * 1. Cold migration (algorithm 2): above W_u, the coldest files leave until W_l is reached.
   * 2. Promotion: files above the threshold, hottest byte first, while the tier stays below W_l.
   * 3. Displacement: where the tier is full to W_l, a hotter file takes the place of the coldest one,
   *    if it is hotter by the margin.
   *
   * Promotion stops at W_l and cold migration begins at W_u. The paper lets both meet at one mark and
   * subtracts the lower bucket's threshold from what was moved down, so that it is not promoted again
   * at once; with thresholds {0, 1, 26, 281, 306} a file moved from b2 to b1 loses 1 of its 26 or
   * more reads and comes straight back. The band between the marks and the margin are what makes a
   * second plan on the same snapshot empty.
   *
   * What leaves a tier goes to the next one where it beats what is there, else to DISK. DISK above its
   * W_u sends copies of its coldest files to ARCHIVE: all but the fastest copy first, that one too
   * when it was not enough.
   */

  private static final List<StorageType> FAST_TIERS = List.of(StorageType.NVDIMM, StorageType.SSD);

  private final Map<StorageType, TierLimits> limits;
  private final double margin;

  /**
   * @param limits for each storage type that takes part; a type without limits is left alone
   * @param margin by how much hotter data must be than what it displaces: 0.2 is 20 %
   */
  public TierDecider(Map<StorageType, TierLimits> limits, double margin) {
    this.limits = new EnumMap<>(limits);
    this.margin = margin;
  }

  /**
   * The files whose copies should move. A file appears once at most.
   *
   * @param files everything that may be moved; bytes of other data are seen through the cluster's
   *     occupancy
   */
  public List<Decision> decide(List<HotFile> files, ClusterView cluster) {
    Map<StorageType, ClusterView.Occupancy> occupancy = cluster.occupancy();
    if (FAST_TIERS.stream().noneMatch(tier -> takesPart(tier, occupancy))) {
      return List.of();
    }
    List<HotFile> byHeat = new ArrayList<>(files);
    byHeat.removeIf(hot -> hot.file().length() == 0);
    byHeat.sort(HotFile.HOTTEST_FIRST);
    Map<HotFile, Decision> decisions = new HashMap<>();
    for (StorageType tier : FAST_TIERS) {
      if (takesPart(tier, occupancy)) {
        fill(tier, byHeat, occupancy.get(tier), decisions);
      }
    }
    if (takesPart(StorageType.ARCHIVE, occupancy) && takesPart(StorageType.DISK, occupancy)) {
      archive(byHeat, occupancy, decisions);
    }
    return decisions.values().stream()
        .sorted(
            Comparator.comparing(Decision::cause)
                .thenComparing(Decision::hot, HotFile.HOTTEST_FIRST))
        .toList();
  }

  private boolean takesPart(StorageType tier, Map<StorageType, ClusterView.Occupancy> occupancy) {
    return limits.containsKey(tier)
        && occupancy.containsKey(tier)
        && occupancy.get(tier).capacity() > 0;
  }

  private void fill(
      StorageType tier,
      List<HotFile> byHeat,
      ClusterView.Occupancy occupancy,
      Map<HotFile, Decision> decisions) {
    TierLimits limit = limits.get(tier);
    long ceiling = (long) (limit.upperWatermark() * occupancy.capacity());
    long full = (long) (limit.lowerWatermark() * occupancy.capacity());
    long used = occupancy.used();
    // Hottest first, so the coldest is taken from the end.
    List<HotFile> residents = new ArrayList<>();
    List<HotFile> candidates = new ArrayList<>();
    for (HotFile hot : byHeat) {
      Decision earlier = decisions.get(hot);
      if (earlier != null && earlier.target().lead().compareTo(tier) > 0) {
        continue;
      }
      if (hot.lead() == tier) {
        residents.add(hot);
      } else if (hot.lead().compareTo(tier) < 0 || earlier != null) {
        candidates.add(hot);
      }
    }
    if (used > ceiling) {
      while (used > full && !residents.isEmpty()) {
        HotFile coldest = residents.remove(residents.size() - 1);
        used -= coldest.bytesOn(tier);
        decisions.put(
            coldest,
            decision(
                coldest,
                StorageType.DISK,
                Decision.Cause.COLD_MIGRATION,
                "%s is above its upper watermark of %.0f %%, and this is its coldest data: %s",
                tier,
                limit.upperWatermark() * 100,
                numbers(coldest)));
      }
    }
    for (HotFile candidate : candidates) {
      if (candidate.heat() < limit.threshold()) {
        continue;
      }
      long needed = candidate.file().length();
      List<HotFile> displaced = new ArrayList<>();
      long freed = 0;
      while (used - freed + needed > full
          && displaced.size() < residents.size()
          && beats(candidate, residents.get(residents.size() - 1 - displaced.size()))) {
        HotFile coldest = residents.get(residents.size() - 1 - displaced.size());
        displaced.add(coldest);
        freed += coldest.bytesOn(tier);
      }
      if (used - freed + needed > full) {
        continue;
      }
      used += needed - freed;
      for (HotFile loser : displaced) {
        residents.remove(loser);
        decisions.put(
            loser,
            decision(
                loser,
                StorageType.DISK,
                Decision.Cause.DISPLACED,
                "gives its place on %s to hotter data: %s against %s of %s",
                tier,
                numbers(loser),
                numbers(candidate),
                candidate.file().path()));
      }
      decisions.put(
          candidate,
          decision(
              candidate,
              tier,
              candidate.lead().compareTo(tier) < 0
                  ? Decision.Cause.PROMOTED
                  : Decision.Cause.DISPLACED,
              "%s, at least the threshold of %.1f reads for %s, among the hottest that fit below %.0f %%",
              numbers(candidate),
              limit.threshold(),
              tier,
              limit.lowerWatermark() * 100));
    }
  }

  private boolean beats(HotFile candidate, HotFile resident) {
    return candidate.density() > resident.density() * (1 + margin);
  }

  private void archive(
      List<HotFile> byHeat,
      Map<StorageType, ClusterView.Occupancy> occupancy,
      Map<HotFile, Decision> decisions) {
    TierLimits disk = limits.get(StorageType.DISK);
    ClusterView.Occupancy now = occupancy.get(StorageType.DISK);
    long used = now.used();
    for (Decision decision : decisions.values()) {
      used += diskDelta(decision);
    }
    long full = (long) (disk.lowerWatermark() * now.capacity());
    if (used > disk.upperWatermark() * now.capacity()) {
      TierLimits archive = limits.get(StorageType.ARCHIVE);
      ClusterView.Occupancy below = occupancy.get(StorageType.ARCHIVE);
      long room = (long) (archive.upperWatermark() * below.capacity()) - below.used();
      String why =
          String.format(
              Locale.ROOT,
              "DISK is above its upper watermark of %.0f %%, and this is its coldest data",
              disk.upperWatermark() * 100);
      for (int pass = 0; pass < 2; pass++) {
        Target target =
            pass == 0
                ? new Target(StorageType.DISK, StorageType.ARCHIVE)
                : new Target(StorageType.ARCHIVE, StorageType.ARCHIVE);
        for (int i = byHeat.size() - 1; i >= 0 && used > full; i--) {
          HotFile hot = byHeat.get(i);
          long stays = pass == 0 ? hot.file().length() : 0;
          long leaving = hot.bytesOn(StorageType.DISK) - stays;
          Decision earlier = decisions.get(hot);
          boolean free = earlier == null || earlier.cause() == Decision.Cause.ARCHIVED;
          if (!free || hot.lead().isFast() || leaving <= 0 || leaving > room) {
            continue;
          }
          long already = earlier == null ? 0 : hot.bytesOn(StorageType.DISK) - hot.file().length();
          used -= leaving - already;
          room -= leaving - already;
          decisions.put(
              hot,
              new Decision(
                  hot, hot.lead(), target, Decision.Cause.ARCHIVED, why + ": " + numbers(hot)));
        }
      }
      return;
    }
    for (HotFile hot : byHeat) {
      long back = hot.file().length();
      boolean hotEnough = hot.heat() > 0 && hot.heat() >= disk.threshold();
      if (hotEnough
          && used + back <= full
          && hot.lead() == StorageType.ARCHIVE
          && !decisions.containsKey(hot)) {
        used += back;
        decisions.put(
            hot,
            decision(
                hot,
                StorageType.DISK,
                Decision.Cause.RECALLED,
                "%s, at least the threshold of %.1f reads for DISK",
                numbers(hot),
                disk.threshold()));
      }
    }
  }

  /** What a decision adds to DISK: a copy promoted from there leaves it, one sent down comes. */
  private static long diskDelta(Decision decision) {
    long length = decision.hot().file().length();
    if (decision.target().lead() == StorageType.DISK) {
      return length;
    }
    return decision.from() == StorageType.DISK ? -length : 0;
  }

  private static Decision decision(
      HotFile hot, StorageType lead, Decision.Cause cause, String reason, Object... numbers) {
    return new Decision(
        hot,
        hot.lead(),
        new Target(lead, null),
        cause,
        String.format(Locale.ROOT, reason, numbers));
  }

  private static String numbers(HotFile hot) {
    return String.format(Locale.ROOT, "%.1f reads, %.1f a MB", hot.heat(), hot.readsPerMegabyte());
  }
}
