// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.readorder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.ServedCounters;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeDifferenceTest {

  private static final long BLOCK = 100;

  private final NodeDifference difference = new NodeDifference(BLOCK);
  private final Map<String, ServedCounters> counters = new HashMap<>();
  private Instant now = Instant.parse("2026-11-20T10:00:00Z");

  @Test
  void theSameSharesAreNoDifferenceWhateverTheBytes() {
    count("a", 1_000_000, 77, 5);
    count("b", 0, 0, 0);
    plan(Map.of("a", 1e9));
    count("a", 3000, 600, 0);
    count("b", 1000, 400, 0);
    plan(Map.of("a", 1500.0, "b", 500.0));
    assertEquals(
        new NodeDifference.Known(
            0, Optional.empty(), 2, 2, Instant.parse("2026-11-20T10:01:00Z"), now),
        difference.last().orElseThrow());
    assertEquals(Optional.empty(), difference.last().get().finding());
  }

  @Test
  void saysHowManyOfTheBytesCameFromOtherDataNodes() {
    begin("a", "b", "c");
    count("a", 50, 1000, 0);
    count("b", 30, 0, 0);
    count("c", 20, 0, 0);
    plan(Map.of("a", 20.0, "b", 30.0, "c", 50.0));
    NodeDifference.Known known = difference.last().orElseThrow();
    assertEquals(0.3, known.share(), 1e-9);
    assertEquals(1, known.times(), 1e-9);
    String finding = known.finding().orElseThrow();
    assertTrue(finding.startsWith("30 % of the bytes"), finding);
    assertTrue(finding.contains("clients with an order of their own"), finding);
  }

  @Test
  void waitsUntilThereAreReadsEnough() {
    begin("a", "b");
    count("a", 10, 600, 0);
    count("b", 0, 0, 0);
    plan(Map.of("a", 10.0));
    assertEquals(Optional.empty(), difference.last());
    count("a", 0, 0, 0);
    count("b", 30, 400, 0);
    plan(Map.of("b", 30.0));
    assertEquals(0, difference.last().orElseThrow().share(), 1e-9);
    assertEquals(
        Instant.parse("2026-11-20T10:01:00Z"), difference.last().get().since(), "both plans");
    Instant until = now;
    count("a", 40, 1000, 0);
    plan(Map.of("b", 40.0));
    assertEquals(1, difference.last().orElseThrow().share(), 1e-9, "it begins anew");
    assertEquals(until, difference.last().get().since());
  }

  @Test
  void chanceIsNoReasonWhereThereAreManyDataNodes() {
    String[] nodes = new String[50];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = "n" + i;
    }
    begin(nodes);
    for (String node : nodes) {
      count(node, 1, 99, 0);
    }
    plan(Map.of());
    assertEquals(Optional.empty(), difference.last());
    for (String node : nodes) {
      count(node, 1, 1, 0);
    }
    plan(Map.of());
    assertEquals(50, difference.last().orElseThrow().dataNodes());
  }

  @Test
  void saysThatReadsAreNotInTheAuditLog() {
    begin("a", "b");
    count("a", 100, 1000, 0);
    plan(Map.of("b", 20.0));
    assertTrue(finding().contains("5.0 times as many bytes as expected"), this::finding);
    count("a", 100, 1000, 0);
    plan(Map.of());
    assertTrue(finding().contains("bytes where none were expected"), this::finding);
  }

  @Test
  void saysThatDataNodesDoNotCountReads() {
    begin("a", "b");
    count("a", 10, 1000, 0);
    plan(Map.of("b", 100.0));
    assertTrue(finding().contains("10 % of the bytes that were expected"), this::finding);
    assertTrue(finding().contains("short-circuit"), this::finding);
  }

  @Test
  void aDataNodeThatStartedAnewOrIsSilentIsNotCompared() {
    begin("a", "b", "c");
    count("a", 50, 1000, 0);
    counters.put("b", new ServedCounters(1, 1, 0, Map.of()));
    counters.remove("c");
    plan(Map.of("a", 50.0, "b", 50.0, "c", 50.0));
    NodeDifference.Known known = difference.last().orElseThrow();
    assertEquals(1, known.dataNodes());
    assertEquals(0, known.share(), 1e-9);
    assertEquals(1, known.times(), 1e-9);
  }

  @Test
  void aDataNodeThatMayHaveServedMostlyCopiesIsNotCompared() {
    begin("a", "b");
    count("a", 2000, 1000, 1);
    count("b", 1999, 1000, 1);
    plan(Map.of("a", 2000.0, "b", 7.0));
    NodeDifference.Known known = difference.last().orElseThrow();
    assertEquals(1, known.dataNodes());
    assertEquals(1, known.times(), 1e-9);
  }

  @Test
  void comparesTypesWhereDataNodesCountByVolume() {
    begin("a", "b");
    Map<StorageType, Long> before = Map.of(StorageType.SSD, 5L, StorageType.DISK, 5L);
    counters.put("a", new ServedCounters(0, 0, 0, before));
    plan(Map.of());
    counters.put(
        "a", new ServedCounters(100, 1000, 0, Map.of(StorageType.SSD, 35L, StorageType.DISK, 15L)));
    count("b", 100, 1000, 0);
    plan(Map.of("a", 100.0, "b", 100.0));
    NodeDifference.Known known = difference.last().orElseThrow();
    assertEquals(0, known.share(), 1e-9);
    assertEquals(0.25, known.typeShare().orElseThrow(), 1e-9, "expected all from SSD");
    assertTrue(finding().startsWith("25 % of the bytes that DataNodes served"), this::finding);
    assertTrue(finding().contains("other storage types"), this::finding);
  }

  private String finding() {
    return difference.last().orElseThrow().finding().orElseThrow();
  }

  private void begin(String... nodes) {
    for (String node : nodes) {
      count(node, 7, 7, 7);
    }
    plan(Map.of());
  }

  private void count(String node, long bytes, long reads, long copies) {
    ServedCounters was = counters.getOrDefault(node, new ServedCounters(0, 0, 0, Map.of()));
    counters.put(
        node,
        new ServedCounters(
            was.bytes() + bytes, was.reads() + reads, was.copies() + copies, was.requests()));
  }

  private void plan(Map<String, Double> expected) {
    now = now.plusSeconds(60);
    Map<String, Map<StorageType, Double>> onSsd = new HashMap<>();
    expected.forEach((node, bytes) -> onSsd.put(node, Map.of(StorageType.SSD, bytes)));
    difference.planned(onSsd, counters, now);
  }
}
