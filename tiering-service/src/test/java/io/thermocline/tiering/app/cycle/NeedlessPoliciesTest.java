// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NeedlessPoliciesTest {

  private static final int ONE_SSD = 10;
  private static final int HOT = 7;

  private final List<FileView> files = new ArrayList<>();
  private final List<Decision> decisions = new ArrayList<>();
  private final List<String> against = new ArrayList<>();
  private final List<String> abandoned = new ArrayList<>();

  @Test
  void aFileThatIsBackNeedsNoneUnlessItsDirectoryHasAnother() {
    file("/a/back", HOT, DISK);
    file("/d/back", HOT, DISK);
    file("/d/up", ONE_SSD, SSD);

    assertEquals(
        List.of("/a/back"), needless(Map.of("/a/back", "HOT", "/d", "ONE_SSD", "/d/back", "HOT")));
  }

  /** What somebody had set has copies where none lies any more. */
  @Test
  void theDefaultStaysWhereItReplacedAnother() {
    file("/a/overridden", HOT, DISK);
    file("/a/back", HOT, DISK);
    against.add("/a/overridden");

    assertEquals(List.of("/a/back"), needless(Map.of("/a/overridden", "HOT", "/a/back", "HOT")));
  }

  @Test
  void aPolicyThatNoCopyFollowedIsNeededOnlyWhereOneIsToCome() {
    file("/a/failed", ONE_SSD, DISK);
    file("/a/next", ONE_SSD, DISK);
    file("/a/up", ONE_SSD, SSD);
    wanted(1);

    assertEquals(
        List.of("/a/failed"),
        needless(Map.of("/a/failed", "ONE_SSD", "/a/next", "ONE_SSD", "/a/up", "ONE_SSD")));
  }

  @Test
  void aDirectorysIsNeededWhileOneFileThatInheritsItLiesThereOrIsToCome() {
    file("/up/1", ONE_SSD, SSD);
    file("/up/2", ONE_SSD, DISK);
    file("/next/1", ONE_SSD, DISK);
    wanted(2);
    file("/over/1", ONE_SSD, DISK);
    file("/over/2", HOT, DISK);

    assertEquals(
        List.of("/over"),
        needless(
            Map.of(
                "/up", "ONE_SSD", "/next", "ONE_SSD", "/over", "ONE_SSD", "/over/2", "HOT", "/gone",
                "ONE_SSD")));
  }

  @Test
  void aDirectorysGoesWithItsLastFile() {
    abandoned.add("/empty");

    assertEquals(
        List.of("/empty"), needless(Map.of("/empty", "ONE_SSD", "/not/looked/at", "ONE_SSD")));
  }

  @Test
  void theDefaultOnADirectoryIsNeededBelowAnotherOfOurs() {
    file("/up/1", ONE_SSD, SSD);
    file("/up/down/1", HOT, DISK);
    file("/down/1", HOT, DISK);

    assertEquals(
        List.of("/down"), needless(Map.of("/up", "ONE_SSD", "/up/down", "HOT", "/down", "HOT")));
  }

  /** Only some of the files are known: HDFS is asked for what is in a directory. */
  @Test
  void ofManyFilesThoseThatAreLookedAtAreJudgedAndDirectoriesByWhatHdfsHas() {
    file("/back/1", HOT, DISK);
    file("/failed/1", ONE_SSD, DISK);
    file("/over/1", ONE_SSD, DISK);
    file("/next/1", ONE_SSD, DISK);
    wanted(3);
    abandoned.addAll(List.of("/over", "/next", "/unseen"));

    assertEquals(
        Set.of("/back/1", "/failed/1", "/over", "/unseen"),
        Set.copyOf(
            needless(
                Map.of(
                    "/back/1",
                    "HOT",
                    "/failed/1",
                    "ONE_SSD",
                    "/over",
                    "ONE_SSD",
                    "/next",
                    "ONE_SSD",
                    "/unseen",
                    "ONE_SSD",
                    "/unseen/up",
                    "ONE_SSD"),
                false)));
  }

  private List<String> needless(Map<String, String> ours) {
    return needless(ours, true);
  }

  private List<String> needless(Map<String, String> ours, boolean areAll) {
    return NeedlessPolicies.of(
            ours,
            files,
            areAll,
            Map.of(HOT, "HOT", ONE_SSD, "ONE_SSD"),
            decisions,
            against::contains,
            path -> false,
            (path, policy) -> abandoned.contains(path))
        .stream()
        .map(NeedlessPolicies.Needless::path)
        .toList();
  }

  private void file(String path, int policy, StorageType first) {
    files.add(
        new FileView(
            path,
            10,
            2,
            policy,
            List.of(
                new FileView.Block(
                    "pool",
                    files.size(),
                    1,
                    10,
                    List.of(
                        new FileView.Replica("n1", "s1", first),
                        new FileView.Replica("n2", "s2", DISK))))));
  }

  private void wanted(int index) {
    decisions.add(
        new Decision(
            new HotFile(files.get(index), 5),
            DISK,
            new Target(List.of(SSD, DISK), "ONE_SSD"),
            Decision.Cause.PROMOTED,
            "5.0 reads",
            new Gate.Benefit(2, 0, 1)));
  }
}
