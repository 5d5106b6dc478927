// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActionCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MoverRulesTest {

  private static final MoverRules RULES =
      new MoverRules(
          List.of("/warehouse", "/logs/hot"),
          List.of("/warehouse/secret", "/warehouse/a/b/file"),
          Set.of("HOT", "ONE_SSD"),
          Set.of(StorageType.DISK, StorageType.SSD),
          Optional.of(new MoverRules.Factors(2, 5)),
          1);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/warehouse",
        "/warehouse/x",
        "/warehouse/a/b",
        "/warehouse/secrets",
        "/warehouse/name with blanks",
        "/logs/hot/..x"
      })
  void takesWhatIsBelowItsDirectories(String path) {
    assertEquals(Optional.empty(), RULES.objection(copy(path, StorageType.SSD)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "warehouse/x",
        "/warehouses/x",
        "/logs",
        "/logs/hotter/x",
        "/other/x",
        "/warehouse/secret",
        "/warehouse/secret/x",
        "/warehouse/a/b/file",
        "/warehouse/../other/x",
        "/warehouse/./secret/x",
        "/warehouse//secret/x",
        "/warehouse/secret/",
        "//warehouse/x",
        "/warehouse/x/..",
        "/.reserved/.inodes/16386",
        "/.reserved/raw/warehouse/x",
        "/warehouse/.snapshot/s1/x",
        "/warehouse/.reserved/x",
        "hdfs://other:8020/warehouse/x",
        "/warehouse/hdfs://other:8020/x",
        "/warehouse/\ud800"
      })
  void refusesAllElseHoweverItIsWritten(String path) {
    for (MoverRequest.Change change :
        List.of(
            copy(path, StorageType.SSD),
            new MoverRequest.Policy(path, "HOT"),
            new MoverRequest.Policy(path, ""),
            new MoverRequest.Replication(path, 3),
            new MoverRequest.Cache(path, 1),
            new MoverRequest.Uncache(path, new ActionCalls.Directive(1, 1, 1)))) {
      assertTrue(RULES.objection(change).isPresent(), change::toString);
    }
  }

  @Test
  void neitherSetsNorCachesWhatWouldReachWhatIsLeftAlone() {
    for (String path : List.of("/warehouse", "/warehouse/a", "/warehouse/a/b")) {
      assertTrue(RULES.objection(new MoverRequest.Policy(path, "HOT")).isPresent(), path);
      assertTrue(RULES.objection(new MoverRequest.Policy(path, "")).isPresent(), path);
      assertTrue(RULES.objection(new MoverRequest.Cache(path, 1)).isPresent(), path);
    }
    assertEquals(
        Optional.empty(), RULES.objection(new MoverRequest.Policy("/warehouse/a/c", "HOT")));
    assertEquals(Optional.empty(), RULES.objection(new MoverRequest.Policy("/logs/hot", "")));
  }

  @Test
  void looksAtNoFileThatThePolicyIsNotFor() {
    for (String path : List.of("/other/x", "/warehouse/ab", "/warehouse/a/c/../x")) {
      assertTrue(RULES.objection(planned("/warehouse/a/c", path)).isPresent(), path);
    }
    for (String path : List.of("/warehouse/a/c", "/warehouse/a/c/x")) {
      assertEquals(Optional.empty(), RULES.objection(planned("/warehouse/a/c", path)), path);
    }
  }

  private static MoverRequest.PlannedPolicy planned(String path, String file) {
    return new MoverRequest.PlannedPolicy(path, "HOT", new MoverRequest.Seen(file, 0, 3, 1, 1));
  }

  @Test
  void keepsToItsLists() {
    assertTrue(RULES.objection(copy("/warehouse/x", StorageType.NVDIMM)).isPresent());
    assertTrue(RULES.objection(new MoverRequest.Policy("/warehouse/x", "COLD")).isPresent());
    assertTrue(RULES.objection(new MoverRequest.Policy("/warehouse/x", "hot")).isPresent());
    for (int factor : new int[] {Integer.MIN_VALUE, -1, 0, 1, 6, Integer.MAX_VALUE}) {
      assertTrue(RULES.objection(new MoverRequest.Replication("/warehouse/x", factor)).isPresent());
      assertEquals(
          factor != 1, RULES.objection(new MoverRequest.Cache("/warehouse/x", factor)).isPresent());
    }
    for (int factor = 2; factor <= 5; factor++) {
      assertEquals(
          Optional.empty(), RULES.objection(new MoverRequest.Replication("/warehouse/x", factor)));
    }
  }

  @Test
  void pullsNoActionThatIsNotAllowed() {
    MoverRules none =
        new MoverRules(
            List.of("/"), List.of(), Set.of(), Set.of(StorageType.SSD), Optional.empty(), 0);

    assertTrue(none.objection(new MoverRequest.Replication("/x", 3)).isPresent());
    assertTrue(none.objection(new MoverRequest.Cache("/x", 1)).isPresent());
    assertEquals(
        Optional.empty(),
        none.objection(new MoverRequest.Uncache("/x", new ActionCalls.Directive(1, 1, 1))));
    assertEquals(Optional.empty(), none.objection(copy("/x", StorageType.SSD)));
  }

  @Test
  void aCapIsGivenAnewAfterAnHourAndNotBefore() {
    Instant[] now = {Instant.parse("2026-11-20T00:10:00Z")};
    HourlyCap cap = new HourlyCap(10, "10 bytes", () -> now[0]);

    assertTrue(!cap.admits(11) && cap.admits(10));
    assertTrue(cap.take(11).isPresent(), "not even first");
    assertTrue(cap.take(Long.MAX_VALUE).isPresent());
    assertTrue(cap.take(10).isEmpty());
    assertTrue(cap.take(1).isPresent());
    assertEquals(
        "the mover's cap of 10 bytes an hour is used up until 2026-11-20T01:10:00Z", cap.spent());
    now[0] = now[0].plus(Duration.ofMinutes(59));
    assertTrue(cap.take(1).isPresent());
    now[0] = now[0].plus(Duration.ofMinutes(1));
    assertEquals("", cap.spent());
    assertTrue(cap.take(9).isEmpty());
    assertTrue(cap.take(2).isPresent());
    cap.giveBack(9);
    assertTrue(cap.take(10).isEmpty());
    now[0] = Instant.EPOCH;
    assertTrue(cap.take(10).isEmpty(), "a clock that was set back keeps nobody waiting for years");
  }

  private static MoverRequest.Copy copy(String path, StorageType type) {
    return new MoverRequest.Copy(path, 1, "n1", StorageType.DISK, "n2", type);
  }
}
