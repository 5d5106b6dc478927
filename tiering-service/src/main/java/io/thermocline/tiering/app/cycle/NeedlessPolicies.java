// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Storage policies of ours that nothing needs any more: on a file that is back to the default, unless somebody had set
 * another that would be in force again, and on a directory of which
 * no file lies where the policy has it, or is to go there, as one that is empty by now. Stateless.
 */
public final class NeedlessPolicies {

  /** With one plan. */
  private static final int MOST = 1_000;

  private NeedlessPolicies() {}

  /**
   * One that is to be taken back.
   *
   * @param policy that we set on the path
   */
  public record Needless(String path, String policy, String reason) {}

  /**
   * @param ours policies that we set, by the paths that they are set on
   * @param files that are managed
   * @param areAll whether these are all of them; else HDFS is asked for what is in a directory
   * @param names of policies by id
   * @param isAgainst paths where the default of ours is in the place of another policy, by which no copy lies
   * @param underWay paths of which copies may still be made
   * @param abandoned whether a path with that policy is a directory below which HDFS has no file where the policy has it
   */
  static List<Needless> of(
      Map<String, String> ours,
      List<FileView> files,
      boolean areAll,
      Map<Integer, String> names,
      List<Decision> decisions,
      Predicate<String> isAgainst,
      Predicate<String> underWay,
      BiPredicate<String, String> abandoned) {
    if (ours.isEmpty()) {
      return List.of();
    }
    Map<String, String> wanted = new HashMap<>();
    decisions.forEach(
        decision -> wanted.put(decision.hot().file().path(), decision.target().storagePolicy()));
    Set<String> needed = new HashSet<>();
    Set<String> found = new HashSet<>();
    List<Needless> needless = new ArrayList<>();
    for (FileView file : files) {
      String path = file.path();
      String own = ours.get(path);
      if (own != null) {
        found.add(path);
        if (!wanted.containsKey(path) && !underWay.test(path)) {
          if (!own.equals(PolicyOwners.DEFAULT_POLICY)) {
            if (!lies(file, own)) {
              needless.add(new Needless(path, own, "no copy lies where it has one"));
            }
          } else if (nearest(ours, Paths.above(path)) == null && !isAgainst.test(path)) {
            needless.add(new Needless(path, own, "it is the default, and none of ours is above"));
          }
        }
        continue;
      }
      String directory = nearest(ours, Paths.above(path));
      if (directory != null) {
        String policy = ours.get(directory);
        boolean isIn = policy.equals(names.get(file.storagePolicy())) && lies(file, policy);
        if (isIn || policy.equals(wanted.get(path))) {
          needed.add(directory);
        }
      }
    }
    Set<String> inhabited = new HashSet<>();
    files.forEach(file -> addParents(file.path(), ours, inhabited));
    for (Map.Entry<String, String> each : ours.entrySet()) {
      String path = each.getKey();
      String policy = each.getValue();
      boolean isAgainstAbove =
          policy.equals(PolicyOwners.DEFAULT_POLICY) && nearest(ours, Paths.above(path)) != null;
      if (found.contains(path) || needed.contains(path) || isAgainstAbove) {
        continue;
      }
      if (areAll && inhabited.contains(path)) {
        needless.add(
            new Needless(
                path,
                policy,
                "none of its files lies where " + policy + " has it, or is to go there"));
      } else if (abandoned.test(path, policy)) {
        needless.add(
            new Needless(
                path,
                policy,
                areAll
                    ? "no file is managed there any more, and none lies where " + policy + " has it"
                    : "none of its files lies where " + policy + " has it"));
      }
    }
    return List.copyOf(needless.subList(0, Math.min(MOST, needless.size())));
  }

  private static void addParents(String path, Map<String, String> ours, Set<String> into) {
    for (String at = Paths.above(path); at != null; at = Paths.above(at)) {
      if (ours.containsKey(at)) {
        into.add(at);
      }
    }
  }

  /** The lowest directory with a policy of ours; null where there is none. */
  private static String nearest(Map<String, String> ours, String path) {
    for (String at = path; at != null; at = Paths.above(at)) {
      if (ours.containsKey(at)) {
        return at;
      }
    }
    return null;
  }

  /** Whether a copy lies on the type by which the policy differs from the default. */
  static boolean lies(FileView file, String policy) {
    return switch (policy) {
      case "HOT" -> false;
      case "WARM", "COLD" -> has(file, StorageType.ARCHIVE);
      default -> has(file, StorageType.SSD) || has(file, StorageType.NVDIMM);
    };
  }

  private static boolean has(FileView file, StorageType type) {
    return file.blocks().stream().anyMatch(block -> block.types().contains(type));
  }
}
