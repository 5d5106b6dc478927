// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.testbed.cluster.TestFiles;
import io.thermocline.testbed.device.DeviceCounts;
import io.thermocline.testbed.device.DeviceTime;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class ReplayTest {

  private static final long BLOCK = 64 * 1024;
  private static final short REPLICATION = 2;

  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start(@TempDir java.nio.file.Path temp) throws IOException {
    List<NodeLayout> nodes =
        IntStream.rangeClosed(1, REPLICATION)
            .mapToObj(
                node ->
                    new NodeLayout(
                        "dn" + node + ".test",
                        "/rack" + node,
                        Map.of(StorageType.DISK, 1_000 * BLOCK)))
            .toList();
    cluster =
        EmbeddedCluster.builder(temp)
            .layout(new ClusterLayout(nodes, BLOCK))
            .logFragment(TestFiles.resource("/audit-log4j.properties"))
            .create();
    cluster.start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void whatWasWrittenIsReplayedAndFoundIntact() throws IOException, InterruptedException {
    List<WorkloadFile> files = files("/intact", 20);
    List<Long> written = new ArrayList<>();
    population().write(files, (done, total) -> written.add(done));
    assertEquals(IntStream.rangeClosed(1, 20).mapToObj(Long::valueOf).toList(), written);

    List<Access> window = accesses(50, files.size());
    DeviceCounts before = cluster.devices().counts();
    List<Long> read = new ArrayList<>();
    WindowResult result = replayer(files).replay(window, (done, total) -> read.add(done));
    DeviceCounts counts = cluster.devices().counts().minus(before);

    assertEquals(List.of(), result.failures());
    assertEquals(50, result.reads());
    assertEquals(50, read.size());
    long bytes = window.stream().mapToLong(access -> files.get(access.file()).bytes()).sum();
    assertEquals(bytes, result.bytes());
    assertEquals(bytes, counts.total().clientBytesRead());
    assertTrue(result.readsPerSecond() > 0);
    assertEquals(List.of(), check().check(files, Progress.NONE));
    Eventually.holds("bob's opens and the check's own in the audit log", () -> audited("bob"));
  }

  @Test
  void aFileThatCannotBeReadIsReported() throws IOException, InterruptedException {
    List<WorkloadFile> files = files("/missing", 4);
    population().write(files, Progress.NONE);
    String lost = files.get(2).path();
    cluster.fileSystem().delete(new Path(lost), false);

    WindowResult result = replayer(files).replay(accesses(8, 4), Progress.NONE);
    assertEquals(6, result.reads());
    assertEquals(List.of(lost, lost), result.failures().stream().map(FailedRead::path).toList());
    assertTrue(
        result.failures().get(0).cause().contains("FileNotFoundException"),
        result.failures().toString());
    assertEquals(
        List.of(new Mismatch(lost, "does not exist")), check().check(files, Progress.NONE));
  }

  @Test
  void theCheckSeesContentLengthAndReplication() throws IOException, InterruptedException {
    List<WorkloadFile> files = files("/changed", 3);
    population().write(files, Progress.NONE);
    DistributedFileSystem superuser = cluster.fileSystem();
    WorkloadFile first = files.get(0);
    // Same length, other content.
    superuser.delete(new Path(first.path()), false);
    try (var out = superuser.create(new Path(first.path()))) {
      FileContents.writeTo(out, new WorkloadFile(first.path(), first.bytes(), first.seed() + 1));
    }
    try (var out = superuser.append(new Path(files.get(1).path()))) {
      out.write(1);
    }
    superuser.setReplication(new Path(files.get(2).path()), (short) 1);

    List<Mismatch> found = check().check(files, Progress.NONE);
    assertTrue(problem(found, 0, files).startsWith("has CRC-32C "), found.toString());
    assertTrue(
        found.contains(
            new Mismatch(
                files.get(1).path(),
                "has %d bytes, not %d".formatted(files.get(1).bytes() + 1, files.get(1).bytes()))),
        found.toString());
    assertTrue(
        found.contains(new Mismatch(files.get(2).path(), "replication is 1, not 2")),
        found.toString());
  }

  @Test
  void anInterruptStopsAReplayThatWaitsForItsDevices() throws Exception {
    List<WorkloadFile> files = files("/stopped", 2);
    population().write(files, Progress.NONE);
    cluster.devices().pace();
    try {
      CountDownLatch reading = new CountDownLatch(1);
      List<Throwable> thrown = new ArrayList<>();
      // Days of work.
      List<Access> window = accesses(10_000_000, 2);
      Thread replay =
          new Thread(
              () ->
                  thrown.add(
                      assertThrows(
                          InterruptedException.class,
                          () ->
                              replayer(files)
                                  .replay(window, (done, total) -> reading.countDown()))));
      replay.start();
      reading.await();
      replay.interrupt();
      replay.join(60_000);
      assertEquals(1, thrown.size(), "stopped long before its work is done");
      Eventually.holds(
          "no thread of the replay is left",
          () ->
              Thread.getAllStackTraces().keySet().stream()
                  .noneMatch(thread -> thread.getName().equals("replay")));
    } finally {
      cluster.devices().fullSpeed();
    }
  }

  private static boolean audited(String user) throws IOException {
    List<String> lines = Files.readAllLines(cluster.auditLog());
    boolean replayed =
        lines.stream().anyMatch(line -> line.contains("ugi=" + user) && line.contains("cmd=open"));
    boolean checked =
        lines.stream()
            .filter(line -> line.contains("ugi=checker") && line.contains("cmd=open"))
            .allMatch(line -> line.contains("callerContext=" + ContentCheck.CALLER_CONTEXT));
    return replayed && checked;
  }

  private static String problem(List<Mismatch> found, int file, List<WorkloadFile> files) {
    return found.stream()
        .filter(mismatch -> mismatch.path().equals(files.get(file).path()))
        .findFirst()
        .orElseThrow()
        .problem();
  }

  private static Population population() throws IOException {
    return new Population(cluster.fileSystem(), cluster::fileSystem, "etl", 4);
  }

  private static ContentCheck check() {
    return new ContentCheck(cluster::fileSystem, "checker", 4, REPLICATION);
  }

  private static Replayer replayer(List<WorkloadFile> files) {
    return new Replayer(cluster::fileSystem, files, 4, DeviceTime.system());
  }

  private static List<WorkloadFile> files(String directory, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new WorkloadFile(directory + "/part-" + i, 1 + i * 30_000L, i))
        .toList();
  }

  private static List<Access> accesses(int count, int files) {
    return IntStream.range(0, count).mapToObj(i -> new Access(i, i % files)).toList();
  }
}
