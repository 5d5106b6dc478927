// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.GB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FakeDatanode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables in a directory, on a clock that the test sets. */
class DurableTableTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path directory;

  private final Configuration conf = new Configuration(false);
  private final Map<String, FakeDatanode> nodes = new HashMap<>();

  @BeforeEach
  void settings() {
    conf.set(PolicySettings.TABLE_DIR_KEY, directory.toString());
    conf.set(PolicySettings.SETTLE_KEY, "30000");
    conf.set(PolicySettings.FORGET_KEY, "3600000");
  }

  @Test
  void restartsInAnyOrderOfRegistrationGiveTheSameLines() throws IOException {
    NameNode first = new NameNode();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      ids.add("DS-" + i);
    }
    first.refresh(ids);
    first.pass(30);
    first.refresh(ids);
    // Some join later, first by id.
    ids.addAll(List.of("AA-1", "AA-2"));
    first.refresh(ids);
    String text = Files.readString(table());
    Map<Long, String> homes = first.homes();
    long seed = 9;
    Random random = new Random(seed);
    for (int restart = 0; restart < 10; restart++) {
      NameNode again = new NameNode();
      List<String> order = new ArrayList<>(ids);
      Collections.shuffle(order, random);
      for (int seen = 1; seen <= order.size(); seen++) {
        again.refresh(order.subList(0, seen));
        again.pass(40);
      }
      assertEquals(homes, again.homes(), "seed " + seed + ": " + order);
      assertEquals(first.table.figures().fingerprint(), again.table.figures().fingerprint());
    }
    assertEquals(text, Files.readString(table()));
  }

  @Test
  void firstAssignmentWaitsForTheWholeCluster() throws IOException {
    NameNode nameNode = new NameNode();
    List<String> seen = new ArrayList<>();
    for (int i = 9; i >= 0; i--) {
      seen.add("DS-" + i);
      assertNotNull(nameNode.refresh(seen));
      nameNode.pass(20);
      assertFalse(Files.exists(table()), "written before all were there");
    }
    nameNode.refresh(seen);
    nameNode.pass(20);
    nameNode.refresh(seen);
    List<String> lines = Files.readAllLines(table());
    assertEquals(2, lines.size());
    assertTrue(lines.get(1).contains("DS-0 ") && lines.get(1).endsWith("DS-9"), lines.get(1));
  }

  @Test
  void storageThatIsAwayKeepsItsPlaceUntilItIsForgotten() throws IOException {
    NameNode nameNode = settled("DS-1", "DS-2", "DS-3");
    Map<Long, String> homes = nameNode.homes();
    nameNode.refresh(List.of("DS-1", "DS-3"));
    assertEquals(1, nameNode.table.figures().away());
    assertFalse(nameNode.homes().containsValue("DS-2"));
    nameNode.pass(3599);
    nameNode.refresh(List.of("DS-1", "DS-3"));
    nameNode.refresh(List.of("DS-1", "DS-2", "DS-3"));
    assertEquals(homes, nameNode.homes());
    nameNode.refresh(List.of("DS-1", "DS-3"));
    nameNode.pass(3600);
    nameNode.refresh(List.of("DS-1", "DS-3"));
    assertEquals(0, nameNode.table.figures().away());
    assertTrue(Files.readString(table()).endsWith(" remove DS-2\n"));
  }

  @Test
  void growthToMoreThanDoubleIsAppended() throws IOException {
    NameNode nameNode = settled("DS-1", "DS-2");
    nameNode.refresh(List.of("DS-1", "DS-2", "A-1", "A-2", "A-3", "A-4", "A-5"));
    List<String> lines = Files.readAllLines(table());
    assertEquals(3, lines.size());
    assertTrue(lines.get(2).contains(" append "), lines.get(2));
  }

  @Test
  void lineThatNoLongerPaysIsAssignedAnewAndThatIsWritten() throws IOException {
    conf.set(PolicySettings.FORGET_KEY, "0");
    NameNode nameNode = settled("DS-1", "DS-2");
    for (int i = 0; i < 30; i++) {
      nameNode.refresh(List.of("DS-1", "T-" + i));
    }
    String text = Files.readString(table());
    assertTrue(text.split(" assign ").length > 3, text);
    NameNode again = new NameNode();
    again.refresh(List.of("DS-1", "T-29"));
    assertEquals(nameNode.homes(), again.homes());
    assertEquals(text, Files.readString(table()));
  }

  @Test
  void nameNodesThatShareTheDirectoryHaveOneTable() throws IOException {
    NameNode active = new NameNode();
    NameNode standby = new NameNode();
    long seed = 13;
    Random random = new Random(seed);
    List<String> ids = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      ids.add(String.format("DS-%03d", random.nextInt(1000)));
      if (step % 7 == 6) {
        ids.remove(random.nextInt(ids.size()));
      }
      // Each sees the change first, now and then.
      List<NameNode> order =
          random.nextBoolean() ? List.of(active, standby) : List.of(standby, active);
      for (NameNode one : order) {
        one.refresh(ids);
        one.pass(31);
      }
      for (NameNode one : order) {
        one.refresh(ids);
      }
      standby.refresh(ids);
      active.refresh(ids);
      assertEquals(
          active.table.figures().fingerprint(),
          standby.table.figures().fingerprint(),
          "seed " + seed + ", step " + step);
      assertNotEquals(0, active.table.figures().fingerprint());
    }
    assertEquals(0, active.failures() + standby.failures());
  }

  @Test
  void damagedTableIsKeptAsideAndTheNameNodeGoesOn() throws IOException {
    NameNode nameNode = settled("DS-1", "DS-2", "DS-3");
    nameNode.refresh(List.of("DS-1", "DS-2", "DS-3", "DS-0"));
    Map<Long, String> homes = nameNode.homes();
    String good = Files.readString(table());
    damage(good.indexOf("assign"));
    nameNode.refresh(List.of("DS-1", "DS-2", "DS-3", "DS-0"));
    assertEquals(homes, nameNode.homes());
    assertEquals(1, nameNode.host.counters().get(Event.TABLE_DAMAGED));
    assertEquals(good, Files.readString(table()));
    assertEquals(1, filesNamed("damaged"));
    // A NameNode that starts takes what stands before the damage, and goes on from there.
    damage(good.indexOf("append"));
    NameNode again = new NameNode();
    again.refresh(List.of("DS-1", "DS-2", "DS-3", "DS-0"));
    assertEquals(homes, again.homes());
    assertEquals(2, filesNamed("damaged"));
  }

  @Test
  void nameNodeServesOnWithoutItsDirectoryAndWritesWhenItIsBack() throws IOException {
    NameNode nameNode = settled("DS-1", "DS-2");
    Path away = directory.resolveSibling(directory.getFileName() + "-away");
    Files.move(directory, away);
    Files.createFile(directory);
    nameNode.refresh(List.of("DS-1", "DS-2", "A-1"));
    assertTrue(nameNode.homes().containsValue("A-1"));
    assertTrue(nameNode.failures() > 0);
    Files.delete(directory);
    Files.move(away, directory);
    nameNode.refresh(List.of("DS-1", "DS-2", "A-1"));
    nameNode.refresh(List.of("DS-1", "DS-2", "A-1"));
    assertTrue(Files.readString(table()).contains("A-1"));
    Map<Long, String> homes = nameNode.homes();
    NameNode again = new NameNode();
    again.refresh(List.of("A-1", "DS-1", "DS-2"));
    assertEquals(homes, again.homes());
  }

  @Test
  void nothingIsWrittenForABucketWithoutStorages() throws IOException {
    NameNode nameNode = new NameNode();
    assertNull(nameNode.refresh(List.of()));
    nameNode.pass(60);
    assertNull(nameNode.refresh(List.of()));
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(0, files.count());
    }
  }

  private NameNode settled(String... ids) {
    NameNode nameNode = new NameNode();
    nameNode.refresh(List.of(ids));
    nameNode.pass(31);
    nameNode.refresh(List.of(ids));
    nameNode.refresh(List.of(ids));
    assertTrue(Files.exists(table()));
    return nameNode;
  }

  private Path table() {
    return directory.resolve("DISK.segments");
  }

  private long filesNamed(String part) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(one -> one.toString().contains(part)).count();
    }
  }

  private void damage(int at) throws IOException {
    byte[] bytes = Files.readString(table()).getBytes(StandardCharsets.UTF_8);
    bytes[at] = '?';
    Path fresh = directory.resolve("fresh");
    Files.write(fresh, bytes);
    Files.move(fresh, table(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  /** One that looks after the bucket DISK, with a clock of its own. */
  private final class NameNode {
    private long nanos;
    private final PolicyHost host = new PolicyHost(() -> nanos, () -> 0, Thread::sleep);
    private final BucketTable table =
        new BucketTable(
            io.thermocline.placement.model.StorageType.DISK,
            new TableKeeping(host, PolicySettings.of(conf, host.counters())),
            new LineSelection());
    private BucketLine line;

    BucketLine refresh(List<String> ids) {
      SortedMap<String, DatanodeStorageInfo> present = new TreeMap<>();
      for (String id : ids) {
        FakeDatanode node =
            nodes.computeIfAbsent(
                id,
                key -> new FakeDatanode(nodes.size(), "/r").with(StorageType.DISK, id, 100 * GB));
        present.put(id, node.node().getStorageInfo(id));
      }
      line = table.refresh(present, Set.of());
      return line;
    }

    void pass(int seconds) {
      nanos += seconds * SECOND;
    }

    long failures() {
      return host.counters().get(Event.TABLE_FAILED);
    }

    Map<Long, String> homes() {
      Map<Long, String> homes = new HashMap<>();
      for (long key = 0; key < 500; key++) {
        homes.put(key, line.place(key, any -> true).getStorageID());
      }
      return homes;
    }
  }
}
