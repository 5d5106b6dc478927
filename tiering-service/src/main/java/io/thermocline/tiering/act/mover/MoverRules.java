// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.Paths;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * What a mover lets itself be asked, whatever HDFS would let it do. Immutable.
 *
 * @param paths directories; these and all below
 * @param except directories and files below them that are left alone, with all below
 * @param policies that may be set; that one is taken away is always allowed
 * @param types of storages that replicas may come to
 * @param replication factors that may be set; empty: none
 * @param cachedCopies most copies of a block in memory; 0: nothing may be cached
 */
public record MoverRules(
    List<String> paths,
    List<String> except,
    Set<String> policies,
    Set<StorageType> types,
    Optional<Factors> replication,
    int cachedCopies) {

  public MoverRules {
    paths = List.copyOf(paths);
    except = List.copyOf(except);
    policies = Set.copyOf(policies);
    types = Set.copyOf(types);
  }

  /** From least to most. */
  public record Factors(int least, int most) {}

  /** Why it is refused; empty where these rules have nothing against it. */
  Optional<String> objection(MoverRequest.Change change) {
    String path = change.path();
    if (!isPlain(path)) {
      return Optional.of("expected the plain absolute path of a file or directory");
    }
    if (!Paths.isAtOrBelowAny(path, paths)) {
      return Optional.of("it is below none of the mover's directories, allow.paths");
    }
    if (Paths.isAtOrBelowAny(path, except)) {
      return Optional.of("the mover leaves it alone, allow.except");
    }
    // What lies below a directory would inherit its policy, and be cached with it.
    if (change instanceof MoverRequest.PolicyChange || change instanceof MoverRequest.Cache) {
      Optional<String> below =
          except.stream().filter(excepted -> Paths.isAtOrBelow(excepted, path)).findFirst();
      if (below.isPresent()) {
        return Optional.of(below.get() + " below it is left alone, allow.except");
      }
    }
    if (change instanceof MoverRequest.PlannedPolicy policy) {
      String file = policy.planned().path();
      if (!isPlain(file) || !Paths.isAtOrBelow(file, path)) {
        return Optional.of("expected a file that the policy is for");
      }
    }
    if (change instanceof MoverRequest.PolicyChange policy) {
      return policy.policy().isEmpty()
          ? Optional.empty()
          : notIn(policies, policy.policy(), "allow.policies");
    }
    if (change instanceof MoverRequest.Copy copy) {
      return notIn(types, copy.targetType(), "allow.types");
    }
    if (change instanceof MoverRequest.FactorChange factor) {
      return replication
              .filter(
                  factors ->
                      factor.factor() >= factors.least() && factor.factor() <= factors.most())
              .isPresent()
          ? Optional.empty()
          : Optional.of(
              "expected a factor "
                  + replication
                      .map(factors -> "from " + factors.least() + " to " + factors.most())
                      .orElse("of none")
                  + ", allow.replication");
    }
    if (change instanceof MoverRequest.Cache cache) {
      return cache.copies() >= 1 && cache.copies() <= cachedCopies
          ? Optional.empty()
          : Optional.of("expected at most " + cachedCopies + " copies, allow.cache");
    }
    return Optional.empty();
  }

  private static <T> Optional<String> notIn(Set<T> allowed, T value, String key) {
    return allowed.contains(value)
        ? Optional.empty()
        : Optional.of(value + " is not among what the mover may set, " + key);
  }

  /**
   * Whether it says by itself where it is: no way up, no name of the NameNode's own that leads
   * somewhere else (/.reserved/.inodes/16386) or to a snapshot. Symbolic links are not followed.
   */
  public static boolean isPlain(String path) {
    return DFSUtilClient.isValidName(path)
        // Half a character would be another name by the time that HDFS has it.
        && StandardCharsets.UTF_8.newEncoder().canEncode(path)
        && !path.contains("//")
        && (path.equals("/") || !path.endsWith("/"))
        && Arrays.stream(path.split("/"))
            .noneMatch(
                name -> name.equals(".reserved") || name.equals(".snapshot") || name.equals("."));
  }
}
