// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

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
   * when it was not enough. What is read again in ARCHIVE comes back while DISK stays below W_l.
   *
   * Each rule counts with what the rules before it decided as if it were done, in both directions, and
   * so stops where a second plan after the moves would. Where what is decided last lets something through that an
   * earlier rule refused (a cap that has room again, a loser that is gone), the rules are asked again.
   */

  /** Fastest first. */
  private static final List<StorageType> FAST_TIERS = List.of(StorageType.NVDIMM, StorageType.SSD);

  /** Enough for any cluster of the tests; what is left after them comes with the next plan. */
  private static final int ROUNDS = 8;

  private final Tiering tiering;
  private final Rule bounds;
  private final List<Rule> rules = new ArrayList<>();
  private final List<StorageType> fastTiers;
  private final ActionRule actions;

  public TierDecider(Tiering tiering) {
    this.tiering = tiering;
    this.actions = new ActionRule(tiering);
    this.bounds = new BoundRule(tiering);
    Map<StorageType, TierLimits> limits = tiering.limits();
    this.fastTiers = FAST_TIERS.stream().filter(limits::containsKey).toList();
    fastTiers.forEach(tier -> rules.add(new FastTierRule(tier, tiering)));
    TierLimits disk = limits.get(StorageType.DISK);
    TierLimits archive = limits.get(StorageType.ARCHIVE);
    if (disk != null && archive != null) {
      rules.add(new ArchiveRule(disk, archive));
      rules.add(new RecallRule(disk, tiering.gate()));
    }
    if (tiering.prefetch().most() > 0) {
      rules.add(new PrefetchRule(fastTiers, tiering));
    }
  }

  /** The files whose copies should move, where nothing is learned, capped or held. */
  public List<Decision> decide(List<HotFile> files, ClusterView cluster) {
    return decide(files, Situation.of(cluster));
  }

  /**
   * The files whose copies should move. A file appears once at most.
   *
   * @param files everything there is to know of, also what is held; bytes of other data are seen through
   *     the cluster's occupancy
   */
  public List<Decision> decide(List<HotFile> files, Situation situation) {
    return outcome(files, situation, path -> false).decisions();
  }

  /** The limits that decisions keep to. */
  public Map<StorageType, TierLimits> limits() {
    return tiering.limits();
  }

  /** Why a file is where it is; what decisions on the same input make of it. */
  public Explanation explain(String path, List<HotFile> files, Situation situation) {
    return new Decided(files, situation, path::equals).explain(path);
  }

  /**
   * The same of each of the files. Takes as long as deciding, and a line of text for each file and storage type, when it is
   * first asked and after memory was short; else no time.
   */
  public Function<String, Explanation> explanations(List<HotFile> files, Situation situation) {
    return new Function<>() {
      private SoftReference<Decided> kept = new SoftReference<>(null);

      @Override
      public Explanation apply(String path) {
        return decided().explain(path);
      }

      /** Whoever asks meanwhile waits for the same. */
      private synchronized Decided decided() {
        Decided decided = kept.get();
        if (decided == null) {
          decided = new Decided(files, situation, path -> true);
          kept = new SoftReference<>(decided);
        }
        return decided;
      }
    };
  }

  /** What was decided, with what was said of some files on the way. Immutable. */
  private final class Decided {
    private final List<HotFile> files;
    private final Situation situation;
    private final Outcome outcome;
    private final Map<String, HotFile> byPath = new HashMap<>();
    private final Map<String, Integer> ranks = new HashMap<>();
    private final Map<String, Decision> decisions = new HashMap<>();

    /**
     * @param asked of which files it can be asked
     */
    Decided(List<HotFile> files, Situation situation, Predicate<String> asked) {
      this.files = files;
      this.situation = situation;
      this.outcome = outcome(files, situation, asked);
      List<Draft.Entry> ranked = outcome.draft().entries();
      for (int i = 0; i < ranked.size(); i++) {
        String path = ranked.get(i).hot().file().path();
        if (asked.test(path)) {
          ranks.put(path, i + 1);
        }
      }
      files.stream()
          .filter(hot -> asked.test(hot.file().path()))
          .forEach(hot -> byPath.put(hot.file().path(), hot));
      outcome.decisions().stream()
          .filter(each -> asked.test(each.hot().file().path()))
          .forEach(each -> decisions.put(each.hot().file().path(), each));
    }

    Explanation explain(String path) {
      HotFile hot = byPath.get(path);
      if (hot == null) {
        return new Explanation(path, null, Optional.empty(), Map.of(), List.of());
      }
      Draft draft = outcome.draft();
      Optional<Decision> decision = Optional.ofNullable(decisions.get(path));
      Explanation.Standing standing =
          new Explanation.Standing(
              hot,
              files,
              ranks.getOrDefault(path, 0),
              draft.entries().size(),
              situation.holds().apply(path));
      return new Explanation(
          path,
          standing,
          decision,
          decision.isPresent() ? draft.notes(path) : obstacles(standing, draft),
          Stream.concat(
                  draft.restNote(path),
                  outcome.compared().getOrDefault(path, List.of()).stream()
                      .map(action -> "action: " + action))
              .toList());
    }
  }

  /** Why its fastest copy is on no other type that the cluster has: what rules noted, or why they had nothing to say. */
  private Map<StorageType, String> obstacles(Explanation.Standing standing, Draft draft) {
    StorageType lead = standing.lead();
    Map<StorageType, String> notes = draft.notes(standing.hot().file().path());
    Map<StorageType, String> obstacles = new EnumMap<>(StorageType.class);
    for (StorageType type : StorageType.values()) {
      if (type != lead && type.isMovable() && draft.has(type)) {
        String noted = notes.get(type);
        obstacles.put(
            type,
            noted != null
                ? noted
                : standing.hold().allows(lead, type)
                    ? silence(standing.hot(), lead, type)
                    : "it is held");
      }
    }
    return obstacles;
  }

  private String silence(HotFile hot, StorageType lead, StorageType type) {
    TierLimits there = tiering.limits().get(type);
    TierLimits here = tiering.limits().get(lead);
    if (there == null) {
      return type == StorageType.NVDIMM
          ? "NVDIMM takes no part: decide.tiers leaves it out, or the NameNode runs without Thermocline's plugin"
          : type + " takes no part: decide.tiers leaves it out";
    }
    if (type.compareTo(lead) < 0) {
      if (here == null) {
        return lead + ", where it is, takes no part: decide.tiers leaves it out";
      }
      return String.format(
          Locale.ROOT,
          "data leaves %s for a slower type only when %s is above its upper watermark of %.0f %%",
          lead,
          lead,
          100 * here.upperWatermark());
    }
    if (hot.heat() == 0 || hot.rank() == 0) {
      return "no read of it counts now";
    }
    return hot.heat() < there.threshold()
        ? String.format(Locale.ROOT, "read less than %.1f times", there.threshold())
        : String.format(
            Locale.ROOT,
            "no room below the lower watermark of %.0f %%",
            100 * there.lowerWatermark());
  }

  /**
   * @param draft of layouts
   * @param changes of actions, by path
   * @param compared what was said of actions, by watched path
   */
  private record Outcome(
      Draft draft, Map<String, Decision> changes, Map<String, List<String>> compared) {

    List<Decision> decisions() {
      List<Decision> all = new ArrayList<>(changes.values());
      all.sort(Comparator.comparing(Decision::hot, HotFile.HOTTEST_FIRST));
      all.addAll(draft.decisions());
      // Stable, so the most urgent come first within a cause.
      all.sort(Comparator.comparing(Decision::cause));
      return all;
    }
  }

  /*
   * Actions and layouts depend on each other: what is cached needs no place on SSD, and what has one may not be worth
   * caching. So both are decided in turn, with the files still that the actions chose, until these choose the same. What is
   * chosen only where its copies go elsewhere first, goes there with this plan.
   */
  private Outcome outcome(List<HotFile> files, Situation situation, Predicate<String> watched) {
    if (!actions.isOn(situation.current())) {
      return new Outcome(draft(files, situation, watched), Map.of(), Map.of());
    }
    Set<String> chosen = Set.of();
    Set<String> later = new HashSet<>();
    Map<String, List<String>> compared = new HashMap<>();
    for (int round = 0; ; round++) {
      Set<String> still = chosen;
      Draft draft =
          draft(
              files,
              situation.still(path -> still.contains(path) || situation.current().isUp(path)),
              watched);
      Map<String, Decision> changes = actions.changes(files, situation, draft, still, later);
      still.stream().filter(path -> !changes.containsKey(path)).forEach(later::add);
      compared.putAll(draft.actionNotes());
      if (changes.keySet().equals(still) || round == ROUNDS) {
        // What was not held still while layouts were decided waits for the next plan.
        changes.keySet().removeIf(path -> !still.contains(path) && !situation.current().isUp(path));
        return new Outcome(draft, changes, compared);
      }
      chosen = Set.copyOf(changes.keySet());
    }
  }

  private Draft draft(List<HotFile> files, Situation situation, Predicate<String> watched) {
    Ladder ladder = new Ladder(tiering.promotion(), tiering.written(), situation.cluster());
    Draft draft = new Draft(files, situation, ladder);
    draft.watch(watched);
    boolean isTiered = draft.has(StorageType.ARCHIVE) || fastTiers.stream().anyMatch(draft::has);
    Map<Draft.Entry, Layout> before;
    int round = 0;
    do {
      before = draft.layouts();
      bounds.apply(draft);
      if (isTiered) {
        rules.forEach(rule -> rule.apply(draft));
      }
    } while (++round < ROUNDS && !before.equals(draft.layouts()));
    return draft;
  }
}
