// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.placement.model.DirectoryHints;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.observe.Paths;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Which hints on directories are for NameNodes to place new files by (HintStor's REDIRECT, thesis chapter 2.3.2), and what
 * keeps the others from it. A hint never beats what a person said: a rule, a storage policy, a quota, a cap. Immutable.
 *
 * @param hints by directory
 * @param usual directories below these ones whose new files are placed as ever
 */
public record HintedDirectories(List<One> hints, List<String> usual) {

  public static final HintedDirectories NONE = new HintedDirectories(List.of(), List.of());

  /** More are not looked at: each costs a call of the NameNode. */
  public static final int MOST = 1_000;

  private static final String NAMELESS =
      "a control character, more than "
          + DirectoryHints.DEEPEST
          + " names, or more than "
          + DirectoryHints.LONGEST
          + " bytes";

  /** Lines that are left for directories below. */
  static final int MOST_USUAL = DirectoryHints.MOST_LINES - MOST;

  public HintedDirectories {
    hints = List.copyOf(hints);
    usual = List.copyOf(usual);
  }

  /**
   * A hint of a directory.
   *
   * @param policy that new files are placed by; empty where the hint asks for none
   * @param objection why NameNodes aren't told of it; empty where they are
   */
  public record One(GivenHint hint, String policy, String objection) {

    public boolean counts() {
      return objection.isEmpty();
    }

    /** "new files below /a are placed by ONE_SSD until ...: the hint 1.redirect of etl". */
    public String words() {
      String whose = "the hint " + hint.id() + " of " + hint.hint().owner();
      return counts()
          ? "new files below "
              + hint.path()
              + " are placed by "
              + policy
              + " until "
              + Instant.ofEpochMilli(hint.hint().leaseExpiryMillis())
              + ": "
              + whose
          : "new files below "
              + hint.path()
              + " are placed as ever, not by "
              + whose
              + ": "
              + objection;
    }
  }

  /**
   * What HDFS has at a path.
   *
   * @param policy storage policy that somebody set on it or above; empty where nobody did
   * @param trouble what HDFS has against looking at it; empty for nothing
   */
  public record Seen(String policy, boolean isDirectory, boolean isCoded, String trouble) {}

  /**
   * What hints are held against.
   *
   * @param policies storage policy by what is needed
   * @param seen of a hinted directory; empty where nothing is there
   * @param ruled what rules have against the fastest copies of what is below a directory being on a type; empty for nothing
   * @param caps quotas, and what users may take
   * @param chosen directories in which somebody chose the policy that files have anyway
   */
  public record Facts(
      Map<Requirement, String> policies,
      Function<String, Optional<Seen>> seen,
      BiFunction<String, StorageType, String> ruled,
      List<Cap> caps,
      ClusterView cluster,
      Map<StorageType, TierLimits> limits,
      Collection<String> chosen) {}

  /** Without some that are over by now. */
  public HintedDirectories without(Predicate<One> over) {
    return new HintedDirectories(hints.stream().filter(over.negate()).toList(), usual);
  }

  /** The same with none that counts. */
  public HintedDirectories withheld(String why) {
    return new HintedDirectories(
        hints.stream()
            .map(one -> one.counts() ? new One(one.hint(), one.policy(), why) : one)
            .toList(),
        usual);
  }

  /**
   * Those that are looked at where there are more: of each owner the first ones, as many of one as of another, and what
   * some don't need is the others'.
   */
  public static List<GivenHint> first(List<GivenHint> given) {
    Map<String, Integer> places = new HashMap<>();
    Map<GivenHint, Integer> rank = new HashMap<>();
    given.stream()
        .sorted(Comparator.comparingLong(GivenHint::givenMillis).thenComparing(GivenHint::id))
        .forEach(one -> rank.put(one, places.merge(one.hint().owner(), 1, Integer::sum)));
    return given.stream()
        .sorted(
            Comparator.<GivenHint>comparingInt(rank::get)
                .thenComparing(GivenHint::givenMillis)
                .thenComparing(GivenHint::id))
        .limit(MOST)
        .toList();
  }

  /** Of the hints that hold. */
  public static HintedDirectories of(HintsInForce hints, Facts facts) {
    List<GivenHint> given = hints.onDirectories(Operation.REDIRECT);
    List<GivenHint> first = first(given);
    Map<GivenHint, One> all = new HashMap<>();
    for (GivenHint each : given) {
      String tooMany =
          "of " + given.size() + " hints only " + MOST + " are looked at, as many of each owner";
      all.put(each, new One(each, policy(each, facts), tooMany));
    }
    for (GivenHint each : first) {
      String objection = objection(each, hints.reliability(each.hint().owner()), facts);
      all.put(each, new One(each, policy(each, facts), objection));
    }
    TreeSet<String> exceptions = new TreeSet<>(facts.chosen());
    all.values().stream()
        .filter(one -> !one.counts() && DirectoryHints.takes(one.hint().path()))
        .forEach(one -> exceptions.add(one.hint().path()));
    TreeSet<String> usual = new TreeSet<>();
    for (GivenHint each : first) {
      One one = all.get(each);
      if (one.counts()) {
        TreeSet<String> more = below(each.path(), exceptions, lead(one.policy()), facts.caps());
        String objection = crowded(usual, more);
        if (objection.isEmpty()) {
          usual.addAll(more);
        } else {
          all.put(each, new One(each, one.policy(), objection));
          // Its own line is free for it.
          exceptions.add(each.path());
        }
      }
    }
    Set<String> counting = new HashSet<>();
    all.values().stream().filter(One::counts).forEach(one -> counting.add(one.hint().path()));
    all.values().stream()
        .filter(one -> !one.counts() && exceptions.contains(one.hint().path()))
        .map(one -> one.hint().path())
        .filter(path -> !counting.contains(path) && isBelowAny(path, counting))
        .forEach(usual::add);
    return new HintedDirectories(given.stream().map(all::get).toList(), List.copyOf(usual));
  }

  private static String policy(GivenHint given, Facts facts) {
    return facts.policies().getOrDefault(given.hint().need(), "");
  }

  /** Directories below one whose new files a hint on it doesn't lead. */
  private static TreeSet<String> below(
      String directory, TreeSet<String> exceptions, StorageType lead, List<Cap> caps) {
    String above = directory.equals("/") ? directory : directory + "/";
    TreeSet<String> below = new TreeSet<>();
    for (String each : exceptions.tailSet(above, false)) {
      if (!each.startsWith(above) || below.size() > MOST_USUAL) {
        break;
      }
      below.add(each);
    }
    for (Cap cap : caps) {
      if (cap.type() == lead
          && cap.scope() instanceof Cap.Scope.Below quota
          && Paths.isBelow(quota.directory(), directory)) {
        below.add(quota.directory());
      }
    }
    return below;
  }

  /** Why directories can't be left out; empty where they can. */
  private static String crowded(Set<String> usual, Set<String> more) {
    Optional<String> nameless = more.stream().filter(one -> !DirectoryHints.takes(one)).findFirst();
    if (nameless.isPresent()) {
      return "below it new files are placed as ever in a directory that NameNodes can't be told of: "
          + NAMELESS;
    }
    long fresh = more.stream().filter(one -> !usual.contains(one)).count();
    return usual.size() + fresh > MOST_USUAL
        ? "below it new files are placed as ever in more directories than NameNodes are told of, "
            + MOST_USUAL
        : "";
  }

  private static boolean isBelowAny(String path, Set<String> directories) {
    for (int end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
      if (path.length() > 1 && directories.contains(path.substring(0, Math.max(1, end)))) {
        return true;
      }
    }
    return false;
  }

  private static String objection(GivenHint given, double reliability, Facts facts) {
    String directory = given.path();
    String policy = policy(given, facts);
    if (policy.isEmpty()) {
      return "it says neither what is needed nor how hot its data will be";
    }
    StorageType lead = lead(policy);
    if (!DirectoryHints.takes(directory)) {
      return "its path has " + NAMELESS;
    }
    if (reliability < HotFile.LEAST_BELIEF) {
      return String.format(Locale.ROOT, "its owner is believed %.2f only", reliability);
    }
    Optional<Seen> seen = facts.seen().apply(directory);
    if (seen.isPresent() && !seen.get().trouble().isEmpty()) {
      return "HDFS answers a look at it with " + seen.get().trouble();
    }
    if (seen.isEmpty() || !seen.get().isDirectory()) {
      return "there is no such directory any more";
    }
    if (seen.get().isCoded()) {
      return "files there are erasure-coded";
    }
    if (!seen.get().policy().isEmpty()) {
      return "the storage policy " + seen.get().policy() + " is set on it or above";
    }
    String rule = facts.ruled().apply(directory, lead);
    if (!rule.isEmpty()) {
      return rule;
    }
    for (Cap cap : facts.caps()) {
      // HDFS counts a file by its policy, not by where it lies: what is led elsewhere would pass by
      // the quota. And whoever a share is of may write here.
      boolean isAbout =
          !(cap.scope() instanceof Cap.Scope.Below below)
              || Paths.isAtOrBelow(directory, below.directory());
      if (cap.type() == lead && isAbout) {
        return cap.reason() + ", and new files aren't counted in time";
      }
    }
    return full(lead, facts);
  }

  private static String full(StorageType lead, Facts facts) {
    ClusterView.Occupancy used = facts.cluster().occupancy().get(lead);
    TierLimits limits = facts.limits().get(lead);
    if (used == null) {
      return "the cluster has no " + lead;
    }
    return limits != null && used.fraction() > limits.upperWatermark()
        ? String.format(
            Locale.ROOT,
            "%s is %.0f %% full, above its watermark of %.0f %%",
            lead,
            100 * used.fraction(),
            100 * limits.upperWatermark())
        : "";
  }

  /** Where a policy of new files differs from the usual one. */
  private static StorageType lead(String policy) {
    return policy.equals("WARM") ? StorageType.ARCHIVE : Survey.leadOf(policy);
  }

  /** What is said of new files beside a path: by the hint of the innermost directory; empty for nothing. */
  public Optional<One> of(String path) {
    return hints.stream()
        .filter(each -> Paths.isAtOrBelow(path, each.hint().path()))
        .max(Comparator.comparingInt(each -> each.hint().path().length()));
  }
}
