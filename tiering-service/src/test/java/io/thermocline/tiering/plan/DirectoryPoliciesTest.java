// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.Scene;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class DirectoryPoliciesTest {

  private final Scene scene = new Scene().nodes(4, Map.of(DISK, 10_000L, SSD, 1000L));
  private final List<FileView> files = new ArrayList<>();
  private final List<Decision> decisions = new ArrayList<>();

  @Test
  void filesThatAgreeInheritFromTheirDirectory() {
    promoted("/a/1");
    promoted("/a/2");
    promoted("/b/1");
    stays("/b/2");
    promoted("/alone/1");
    promoted("/mixed/1");
    promoted("/mixed/2");

    assertEquals(
        List.of("/a", "/a", "/b/1", "/alone/1", "/mixed/1", "/mixed/2"),
        policyPaths(Set.of("/a", "/b", "/alone"), file -> false));
  }

  @Test
  void aDirectoryOfWhichFilesComeLaterKeepsWhatItHas() {
    for (int i = 0; i < 4; i++) {
      promoted("/a/" + i);
    }
    Plan plan = new Planner(new Budget(2, 1000, 0.9)).plan(1, decisions, cluster(), lines());

    List<Plan.FileMoves> moves = policies(Set.of("/a"), file -> false).apply(plan, files).files();

    assertEquals(List.of("/a/0", "/a/1"), moves.stream().map(Plan.FileMoves::policyPath).toList());
  }

  @Test
  void aFileWithAPolicyOfItsOwnGetsItItself() {
    promoted("/a/1");
    promoted("/a/2");

    assertEquals(
        List.of("/a", "/a/2"), policyPaths(Set.of("/a"), file -> file.path().equals("/a/2")));
  }

  /** Else it would count as the service's own afterwards, by the policy of its directory. */
  @Test
  void aFileOnWhichSomebodySetTheSamePolicyNeverAgrees() {
    promoted("/a/1");
    promoted("/a/2");
    stays("/a/theirs");
    Plan plan = new Planner(new Budget(100, 1000, 0.9)).plan(1, decisions, cluster(), lines());
    Predicate<FileView> isTheirs = file -> file.path().equals("/a/theirs");

    List<Plan.FileMoves> moves =
        new DirectoryPolicies(Set.of("/a"), isTheirs, isTheirs, file -> "ONE_SSD")
            .apply(plan, files)
            .files();

    assertEquals(List.of("/a/1", "/a/2"), moves.stream().map(Plan.FileMoves::policyPath).toList());
  }

  @Test
  void aFileThatHasThePolicyFromTheServiceAgrees() {
    promoted("/a/1");
    stays("/a/2");
    Plan plan = new Planner(new Budget(100, 1000, 0.9)).plan(1, decisions, cluster(), lines());

    List<Plan.FileMoves> moves =
        new DirectoryPolicies(
                Set.of("/a"), file -> file.path().equals("/a/2"), file -> false, file -> "ONE_SSD")
            .apply(plan, files)
            .files();

    assertEquals(List.of("/a"), moves.stream().map(Plan.FileMoves::policyPath).toList());
  }

  @Test
  void newFilesDoNotInheritAllCopiesOnSsd() {
    promoted("/a/1", new Target(List.of(SSD, SSD), "ALL_SSD"));
    promoted("/a/2", new Target(List.of(SSD, SSD), "ALL_SSD"));

    assertEquals(List.of("/a/1", "/a/2"), policyPaths(Set.of("/a"), file -> false));
  }

  @Test
  void theReasonSaysWhomThePolicyReaches() {
    promoted("/a/1");
    promoted("/a/2");
    Plan plan = new Planner(new Budget(100, 1000, 0.9)).plan(1, decisions, cluster(), lines());

    assertEquals(
        "5.0 reads; ONE_SSD is set on /a, for its 2 files and new ones",
        policies(Set.of("/a"), file -> false)
            .apply(plan, files)
            .files()
            .get(0)
            .decision()
            .reason());
  }

  private List<String> policyPaths(Set<String> whole, Predicate<FileView> hasOwn) {
    Plan plan = new Planner(new Budget(100, 1000, 0.9)).plan(1, decisions, cluster(), lines());
    return policies(whole, hasOwn).apply(plan, files).files().stream()
        .map(Plan.FileMoves::policyPath)
        .toList();
  }

  private static DirectoryPolicies policies(Set<String> whole, Predicate<FileView> hasOwn) {
    return new DirectoryPolicies(whole, hasOwn, file -> false, file -> "HOT");
  }

  private ClusterView cluster() {
    return scene.cluster();
  }

  private NumberLines lines() {
    return NumberLines.empty().update(cluster(), Map.of());
  }

  private FileView stays(String path) {
    FileView file = scene.file(path, 10, "n1-DISK", "n3-DISK");
    files.add(file);
    return file;
  }

  private void promoted(String path) {
    promoted(path, new Target(List.of(SSD, DISK), "ONE_SSD"));
  }

  private void promoted(String path, Target target) {
    decisions.add(
        new Decision(
            new HotFile(stays(path), 5),
            DISK,
            target,
            Decision.Cause.PROMOTED,
            "5.0 reads",
            new Gate.Benefit(2, 0, 1)));
  }
}
