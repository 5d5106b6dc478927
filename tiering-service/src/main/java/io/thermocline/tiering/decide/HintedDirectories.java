// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.placement.model.DirectoryHints;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintsInForce;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
   */
  public record Seen(String policy, boolean isDirectory, boolean isCoded) {}

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

  /** Of the hints that hold. */
  public static HintedDirectories of(HintsInForce hints, Facts facts) {
    List<One> all = new ArrayList<>();
    TreeSet<String> usual = new TreeSet<>();
    List<GivenHint> given = hints.onDirectories(Operation.REDIRECT);
    for (GivenHint each : given.subList(0, Math.min(MOST, given.size()))) {
      String policy = facts.policies().getOrDefault(each.hint().need(), "");
      String objection =
          policy.isEmpty()
              ? "it says neither what is needed nor how hot its data will be"
              : objection(each, hints.belief(each.hint().owner()), policy, facts);
      all.add(new One(each, policy, objection));
      if (objection.isEmpty()) {
        StorageType lead = lead(policy);
        facts.chosen().stream().filter(one -> isBelow(one, each.path())).forEach(usual::add);
        for (Cap cap : facts.caps()) {
          if (cap.type() == lead
              && cap.scope() instanceof Cap.Scope.Below below
              && isBelow(below.directory(), each.path())) {
            usual.add(below.directory());
          }
        }
      }
    }
    return new HintedDirectories(all, usual.stream().filter(DirectoryHints::takes).toList());
  }

  private static String objection(GivenHint given, double belief, String policy, Facts facts) {
    String directory = given.path();
    StorageType lead = lead(policy);
    if (!DirectoryHints.takes(directory)) {
      return "its path has a control character, or more than " + DirectoryHints.DEEPEST + " names";
    }
    if (belief < PrefetchRule.LEAST_BELIEF) {
      return String.format(Locale.ROOT, "its owner is believed %.2f only", belief);
    }
    Optional<Seen> seen = facts.seen().apply(directory);
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
      // the quota.
      boolean isAbout =
          cap.scope() instanceof Cap.Scope.Below below
              ? below.directory().equals(directory) || isBelow(directory, below.directory())
              : cap.scope() instanceof Cap.Scope.Owner owner
                  && owner.user().equals(given.hint().owner());
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

  private static boolean isBelow(String path, String directory) {
    return path.length() > directory.length()
        && path.startsWith(directory.equals("/") ? directory : directory + "/");
  }

  /** What is said of new files beside a path: by the hint of the innermost directory; empty for nothing. */
  public Optional<One> of(String path) {
    return hints.stream()
        .filter(each -> each.hint().path().equals(path) || isBelow(path, each.hint().path()))
        .max(Comparator.comparingInt(each -> each.hint().path().length()));
  }
}
