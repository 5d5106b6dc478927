// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Sets one storage policy on a directory where its files agree on it: they inherit it, which costs the NameNode one
 * operation, not one for each file. Where they don't agree each file has its own.
 */
public final class DirectoryPolicies {

  /*
   * A directory counts only where all it has are files that may be moved: what can't be seen, such as a file that
   * is being written, or what was left out, would inherit the policy too.
   */

  private final Set<String> wholeDirectories;
  private final Predicate<FileView> hasOwn;
  private final Predicate<FileView> isTheirs;
  private final Function<FileView, String> policyNow;

  /**
   * @param wholeDirectories those that hold nothing but files of the snapshot
   * @param hasOwn whether a policy may have been set on this very file, so that it inherits none
   * @param isTheirs whether a policy is in force on a file that the service didn't set
   * @param policyNow name of the storage policy in force on a file
   */
  public DirectoryPolicies(
      Set<String> wholeDirectories,
      Predicate<FileView> hasOwn,
      Predicate<FileView> isTheirs,
      Function<FileView, String> policyNow) {
    this.wholeDirectories = Set.copyOf(wholeDirectories);
    this.hasOwn = hasOwn;
    this.isTheirs = isTheirs;
    this.policyNow = policyNow;
  }

  /**
   * The plan, with policies on directories where that is the same: where each of a directory's files is moved by this plan, or
   * has the policy already, and not from somebody else.
   *
   * @param files all files of the snapshot
   */
  public Plan apply(Plan plan, List<FileView> files) {
    Map<String, String> wanted = new HashMap<>();
    Set<String> touched = new HashSet<>();
    for (Plan.FileMoves file : plan.files()) {
      wanted.put(file.path(), file.storagePolicy());
      touched.add(parent(file.path()));
    }
    touched.retainAll(wholeDirectories);
    Map<String, Set<String>> byDirectory = new HashMap<>();
    Map<String, Integer> sizes = new HashMap<>();
    for (FileView file : files) {
      String directory = parent(file.path());
      if (touched.contains(directory)) {
        String policy = wanted.get(file.path());
        byDirectory
            .computeIfAbsent(directory, first -> new HashSet<>())
            .add(policy == null ? agreed(file) : policy);
        sizes.merge(directory, 1, Integer::sum);
      }
    }
    List<Plan.FileMoves> moves = new ArrayList<>();
    for (Plan.FileMoves file : plan.files()) {
      String directory = parent(file.path());
      boolean agree =
          file.storagePolicy() != null
              && !isOnAllCopies(file)
              && byDirectory.getOrDefault(directory, Set.of()).equals(Set.of(file.storagePolicy()));
      boolean inherits =
          agree && sizes.get(directory) > 1 && !hasOwn.test(file.decision().hot().file());
      moves.add(inherits ? file.withPolicyOn(directory, sizes.get(directory)) : file);
    }
    return plan.withFiles(moves);
  }

  /** A file with somebody's policy agrees with none: with ours above it, it would pass for ours. */
  private String agreed(FileView file) {
    return isTheirs.test(file) ? "" : policyNow.apply(file);
  }

  /** On a directory it would have all copies of new files on SSD, which nobody has read yet. */
  private static boolean isOnAllCopies(Plan.FileMoves file) {
    return file.storagePolicy().equals("ALL_SSD") && !file.decision().hot().file().isErasureCoded();
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }
}
