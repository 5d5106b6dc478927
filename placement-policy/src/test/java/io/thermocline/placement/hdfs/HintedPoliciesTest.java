// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.BLOCK;
import static io.thermocline.placement.hdfs.FakeCluster.GB;
import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import io.thermocline.placement.model.DirectoryHints;
import io.thermocline.placement.model.DirectoryHints.Line;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the file of hints on directories does to new replicas. */
class HintedPoliciesTest {
  @TempDir Path directory;

  private final FakeCluster cluster = new FakeCluster();
  private final long[] now = {1_000_000};
  private final long[] nonce = {3};
  private final PolicyHost host =
      new PolicyHost(
          () -> 0,
          () -> now[0],
          () -> nonce[0]++,
          millis -> {
            throw new InterruptedException("refreshed by hand");
          },
          stage -> {});
  private final ThermoclinePlacementPolicy policy = new ThermoclinePlacementPolicy(host);
  private Path file;

  @BeforeEach
  void configure() {
    file = directory.resolve("directory-hints");
    cluster.conf().set(PolicySettings.DIRECTORY_HINTS_KEY, file.toString());
    // Room for cold data on one node of six.
    for (int node = 0; node < 6; node++) {
      cluster.add(
          "/r" + node % 3,
          DISK,
          100 * GB,
          SSD,
          100 * GB,
          ARCHIVE,
          node == 0 ? 100 * GB : BLOCK / 2);
    }
  }

  @Test
  void newBlocksFollowTheHintAsLongAsItHolds() throws IOException {
    write(
        now[0] + 10_000,
        Line.hint("/hot", "ONE_SSD", now[0] + 1_000),
        Line.hint("/all", "ALL_SSD", now[0] + 1_000),
        Line.usual("/all/but"));
    start();
    assertEquals("[DISK, DISK, SSD]", place("/hot/a/b", "HOT"));
    assertEquals("[SSD, SSD, SSD]", place("/all/x", "HOT"));
    assertEquals("[DISK, DISK, DISK]", place("/all/but/x", "HOT"));
    assertEquals("[DISK, DISK, DISK]", place("/else", "HOT"));
    assertEquals(2, count(Event.DIRECTORY_HINT));
    now[0] += 1_000;
    assertEquals("[DISK, DISK, DISK]", place("/hot/a/b", "HOT"));
    assertEquals(2, count(Event.DIRECTORY_HINT));
    assertEquals(0, count(Event.DIRECTORY_HINT_NO_PLACE));
  }

  @Test
  void policyThatSomebodyChoseStays() throws IOException {
    write(now[0] + 10_000, Line.hint("/hot", "ALL_SSD", Long.MAX_VALUE / 1024));
    start();
    assertEquals("[DISK, DISK, SSD]", place("/hot/a", "ONE_SSD"));
    assertEquals(0, count(Event.DIRECTORY_HINT));
  }

  @Test
  void replicasBesideOthersAreTheFilesOwn() throws IOException {
    write(now[0] + 10_000, Line.hint("/hot", "ALL_SSD", Long.MAX_VALUE / 1024));
    start();
    DatanodeStorageInfo[] targets =
        policy.chooseTarget(
            "/hot/a",
            1,
            null,
            new ArrayList<>(List.of(cluster.storage(0, 0), cluster.storage(1, 0))),
            false,
            new HashSet<>(),
            BLOCK,
            FakeCluster.storagePolicy("HOT"),
            EnumSet.noneOf(AddBlockFlag.class));
    assertEquals(DISK, targets[0].getStorageType());
  }

  @Test
  void blockThatIsThereAndHasNoLiveReplicaIsTheFilesOwn() throws IOException {
    write(now[0] + 10_000, Line.hint("/hot", "ALL_SSD", Long.MAX_VALUE / 1024));
    start();
    assertEquals("[SSD, SSD, SSD]", place("/hot/a", "HOT", EnumSet.noneOf(AddBlockFlag.class)));
    assertEquals("[DISK, DISK, DISK]", place("/hot/a", "HOT", null), "as HDFS copies it anew");
    assertEquals(1, count(Event.DIRECTORY_HINT));
  }

  @Test
  void withoutRoomForTheHintTheUsualChoiceIsMade() throws IOException {
    write(now[0] + 10_000, Line.hint("/cold", "COLD", Long.MAX_VALUE / 1024));
    start();
    assertEquals("[DISK, DISK, DISK]", place("/cold/a", "HOT"));
    assertEquals(0, count(Event.DIRECTORY_HINT));
    assertEquals(1, count(Event.DIRECTORY_HINT_NO_PLACE));
    assertEquals(1, count(Event.ANSWERED), "no call of the stock policy");
  }

  @Test
  void fileThatCannotBeUsedCountsAsEmptyAndIsSaidOnce() throws IOException {
    HintedPolicies hints = new HintedPolicies(file, host, "HOT");
    hints.refresh();
    hints.refresh();
    assertEquals(1, count(Event.DIRECTORY_HINTS_REJECTED), "not there");
    assertTrue(hints.isBad());
    Line good = Line.hint("/hot", "ONE_SSD", now[0] + 100_000);
    write(now[0] + 10_000, good);
    hints.refresh();
    assertFalse(hints.isBad());
    assertEquals("ONE_SSD", hints.of("/hot/a", FakeCluster.storagePolicy("HOT")).getName());
    List<String> bad =
        List.of(
            "\n",
            DirectoryHints.text(now[0] + 1, List.of(Line.hint("/hot", "LAZY_PERSIST", 1))),
            DirectoryHints.text(now[0] + 1, List.of(Line.hint("/hot", "NO_SUCH", 1))));
    int rejected = 1;
    for (String text : bad) {
      move(text);
      hints.refresh();
      hints.refresh();
      assertEquals(++rejected, count(Event.DIRECTORY_HINTS_REJECTED), text);
      assertTrue(hints.isBad());
      assertEquals(null, hints.of("/hot/a", FakeCluster.storagePolicy("HOT")), text);
    }
    try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
      huge.setLength(DirectoryHints.MOST_BYTES + 1L);
    }
    hints.refresh();
    hints.refresh();
    assertEquals(++rejected, count(Event.DIRECTORY_HINTS_REJECTED));
    write(now[0] + 10_000, good);
    hints.refresh();
    assertFalse(hints.isBad());
    now[0] += 10_000;
    hints.refresh();
    hints.refresh();
    assertTrue(hints.isBad());
    assertEquals(1, count(Event.DIRECTORY_HINTS_STALE));
    assertEquals(null, hints.of("/hot/a", FakeCluster.storagePolicy("HOT")));
  }

  private void start() {
    policy.initialize(cluster.conf(), FakeCluster.stats(), cluster.topology(), null);
    FakeCluster.await(() -> count(Event.DIRECTORY_HINTS_LOADED) > 0, "the file");
    policy.refresh();
  }

  private long count(Event event) {
    return host.counters().get(event);
  }

  private void write(long goodUntil, Line... lines) throws IOException {
    move(DirectoryHints.text(goodUntil, List.of(lines)));
  }

  private void move(String text) throws IOException {
    Path fresh = directory.resolve("fresh");
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private String place(String path, String storagePolicy) {
    return place(path, storagePolicy, EnumSet.noneOf(AddBlockFlag.class));
  }

  private String place(String path, String storagePolicy, EnumSet<AddBlockFlag> flags) {
    return Arrays.stream(
            policy.chooseTarget(
                path,
                3,
                null,
                new ArrayList<>(),
                false,
                new HashSet<>(),
                BLOCK,
                FakeCluster.storagePolicy(storagePolicy),
                flags))
        .map(one -> one.getStorageType().name())
        .sorted()
        .collect(Collectors.toList())
        .toString();
  }
}
