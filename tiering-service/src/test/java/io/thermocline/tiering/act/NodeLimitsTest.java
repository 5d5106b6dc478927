// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeLimitsTest {

  private static final long SECOND = 1_000_000_000L;
  private static final double PLENTY = Double.POSITIVE_INFINITY;
  private static final ActLimits LIMITS =
      new ActLimits(32, 3, 4, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMinutes(1));

  @Test
  void hasHalfAsManyEachTimeTheNameNodeIsBusy() {
    NodeLimits limits = new NodeLimits(LIMITS, Pacing.unlimited());
    assertEquals(32, limits.atOnce());
    for (int i = 0; i < 8; i++) {
      limits.begin(move("n" + i, DISK, "n" + i, SSD, 10), 0);
    }
    limits.nameNode(true);
    assertEquals(4, limits.atOnce(), "half of those that there were");
    limits.nameNode(true);
    limits.nameNode(true);
    limits.nameNode(true);
    assertEquals(1, limits.atOnce());
    assertEquals(4, limits.throttle().cuts());
    limits.nameNode(false);
    assertEquals(2, limits.atOnce());
    for (int i = 0; i < 9; i++) {
      limits.nameNode(false);
    }
    assertEquals(32, limits.atOnce());
  }

  @Test
  void slowsTheNodeAloneWhoseCopiesTakeLonger() {
    NodeLimits limits = new NodeLimits(LIMITS, Pacing.unlimited());
    Move slow = move("n1", DISK, "n1", SSD, 10);
    Move other = move("n2", DISK, "n2", SSD, 10);
    for (int i = 0; i < 24; i++) {
      limits.copied(slow, 1000, 0);
      limits.copied(other, 1000, 0);
    }
    for (int i = 0; i < 24; i++) {
      limits.copied(slow, 9000, 0);
      limits.copied(other, 1000, 0);
    }
    limits.begin(slow, 0);
    assertFalse(limits.admits(slow, 0), "half of 3 is 1");
    limits.begin(other, 0);
    limits.begin(other, 0);
    assertTrue(limits.admits(other, 0));
    assertEquals(1, limits.throttle().cuts());
    assertEquals(4, limits.throttle().allowed());
    assertEquals(6, limits.throttle().most());
  }

  @Test
  void boundsEachNodeAndNotThoseBeside() {
    NodeLimits limits = new NodeLimits(LIMITS, Pacing.unlimited());
    for (int i = 0; i < 3; i++) {
      Move move = move("n1", DISK, "n2", SSD, 10);
      assertTrue(limits.admits(move, 0));
      limits.begin(move, 0);
    }
    assertFalse(limits.admits(move("n1", DISK, "n3", SSD, 10), 0), "as source");
    assertFalse(limits.admits(move("n3", DISK, "n2", SSD, 10), 0), "as target");
    assertTrue(limits.admits(move("n3", DISK, "n4", SSD, 10), 0));
    limits.end(move("n1", DISK, "n2", SSD, 10), 0);
    assertTrue(limits.admits(move("n1", DISK, "n3", SSD, 10), 0));
  }

  @Test
  void takesOtherLimitsWhileCopiesRun() {
    NodeLimits limits = new NodeLimits(LIMITS, Pacing.unlimited());
    Move move = move("n1", DISK, "n2", SSD, 10);
    limits.begin(move, 0);
    limits.begin(move, 0);
    ActLimits one =
        new ActLimits(4, 2, 4, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMinutes(1));
    Pacing slow = new Pacing(1, Map.of(SSD, new Pacing.OfType(1, 1e9)), 1, Duration.ofDays(1));
    limits.limit(one, slow, Map.of("n7", "host7:9866"), 0);

    assertEquals(4, limits.atOnce());
    assertFalse(limits.admits(move("n1", DISK, "n3", DISK, 10), 0), "two run on n1");
    limits.end(move, 0);
    assertTrue(limits.admits(move("n1", DISK, "n3", DISK, 10), 0));
    assertTrue(limits.admits(move("n4", DISK, "n5", SSD, 10), 0), "of SSD none was counted before");
    limits.begin(move("n4", DISK, "n5", SSD, 10), 0);
    assertFalse(limits.admits(move("n6", DISK, "n8", SSD, 10), 0), "one at a time on SSD");
    assertFalse(limits.admits(move("n4", DISK, "n5", DISK, 10), 0), "10 s are 10 bytes now");

    Move excluded = move("n7", DISK, "n9", DISK, 10);
    assertEquals(
        "DataNode host7:9866 is excluded (act.exclude)", limits.excluded(excluded).orElseThrow());
    assertTrue(limits.admits(excluded, 0), "only to be ended");
    limits.limit(one, slow, Map.of(), 0);
    assertTrue(limits.excluded(excluded).isEmpty());
  }

  @Test
  void countsACopyWithinANodeOnce() {
    NodeLimits limits = new NodeLimits(LIMITS, Pacing.unlimited());
    for (int i = 0; i < 3; i++) {
      assertTrue(limits.admits(move("n1", DISK, "n1", SSD, 10), 0));
      limits.begin(move("n1", DISK, "n1", SSD, 10), 0);
    }
    assertFalse(limits.admits(move("n1", DISK, "n1", SSD, 10), 0));
  }

  @Test
  void takesOneAtATimeOfSparedNodesAndFewerOfThoseThatRefuse() {
    NodeLimits limits = new NodeLimits(LIMITS, Pacing.unlimited());
    limits.spare(Set.of("n1"));
    limits.begin(move("n1", DISK, "n2", SSD, 10), 0);
    assertFalse(limits.admits(move("n1", DISK, "n3", SSD, 10), 0));
    limits.spare(Set.of());
    assertTrue(limits.admits(move("n1", DISK, "n3", SSD, 10), 0));
    limits.refused(move("n3", DISK, "n2", SSD, 10), 0);
    assertFalse(limits.admits(move("n3", DISK, "n2", SSD, 10), 0), "half of 3 is 1");
  }

  @Test
  void hasNoMoreThanReadersLet() {
    NodeLimits limits = new NodeLimits(LIMITS, Pacing.unlimited());
    limits.atMost(1, "reads take long");
    assertEquals("reads take long", limits.throttle().why());
    assertEquals(1, limits.atOnce());
    limits.begin(move("n1", DISK, "n2", SSD, 10), 0);
    assertFalse(limits.admits(move("n3", DISK, "n4", SSD, 10), 0));
    limits.atMost(Integer.MAX_VALUE, "");
    assertTrue(limits.admits(move("n3", DISK, "n4", SSD, 10), 0));
    assertEquals(1, limits.throttle().running());
  }

  @Test
  void learnsNothingFromCopiesThatReadersKeepFew() {
    NodeLimits limits = new NodeLimits(LIMITS, Pacing.unlimited());
    Move move = move("n1", DISK, "n1", SSD, 0);
    for (int i = 0; i < 24; i++) {
      limits.copied(move, 1000, 0);
    }
    limits.atMost(1, "reads take long");
    for (int i = 0; i < 200; i++) {
      limits.copied(move, 1_000_000, 0);
    }
    assertEquals(0, limits.throttle().cuts(), "they took longer for readers' sake");
    limits.atMost(Integer.MAX_VALUE, "");
    assertEquals(32, limits.atOnce());
  }

  @Test
  void boundsTypesOverTheWholeCluster() {
    NodeLimits limits =
        new NodeLimits(
            LIMITS,
            new Pacing(
                PLENTY,
                Map.of(ARCHIVE, new Pacing.OfType(2, PLENTY)),
                PLENTY,
                Duration.ofMinutes(1)));
    limits.begin(move("n1", DISK, "n2", ARCHIVE, 10), 0);
    limits.begin(move("n3", ARCHIVE, "n4", DISK, 10), 0);
    assertFalse(limits.admits(move("n5", ARCHIVE, "n6", SSD, 10), 0));
    assertTrue(limits.admits(move("n5", DISK, "n6", SSD, 10), 0));
  }

  @Test
  void keepsNodesAndTypesWithinTheirBandwidth() {
    Pacing pacing =
        new Pacing(100, Map.of(SSD, new Pacing.OfType(9, 1000)), PLENTY, Duration.ofMinutes(1));
    NodeLimits node = new NodeLimits(LIMITS, pacing);
    run(node, move("n1", DISK, "n2", DISK, 155));
    assertFalse(node.admits(move("n1", DISK, "n9", DISK, 10), 0), "150 bytes are not paid for");
    assertTrue(node.admits(move("n3", DISK, "n4", DISK, 10), 0));
    assertFalse(node.admits(move("n1", DISK, "n9", DISK, 10), 149 * SECOND / 100));
    assertTrue(node.admits(move("n1", DISK, "n9", DISK, 10), 151 * SECOND / 100));

    NodeLimits type = new NodeLimits(LIMITS, pacing);
    run(type, move("n3", DISK, "n4", SSD, 1050));
    long early = 99 * SECOND / 100;
    assertFalse(type.admits(move("n5", DISK, "n6", SSD, 10), early), "1000 are not paid for");
    assertTrue(type.admits(move("n5", DISK, "n6", ARCHIVE, 10), early));
    assertTrue(type.admits(move("n5", DISK, "n6", SSD, 10), 101 * SECOND / 100));
  }

  private static void run(NodeLimits limits, Move move) {
    limits.begin(move, 0);
    limits.end(move, 0);
  }

  private static Move move(
      String from, StorageType source, String to, StorageType type, int bytes) {
    FileView.Replica replica = new FileView.Replica(from, from + "-" + source, source);
    FileView.Block block = new FileView.Block("BP-1", 1, 1, bytes, List.of(replica));
    return new Move("1-0", "/a", block, replica, to, to + "-" + type, type);
  }
}
