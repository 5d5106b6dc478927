// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.tiering.act.PolicyMarks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plan of many files is carried out and taken back, to the end: {@code -Dplan.files=100000} has it large. */
@Tag("cluster")
class LargePlanTest {

  private static final int COUNT = Integer.getInteger("plan.files", 400);
  private static final String ROOT = "/large";
  private static final int A_DIRECTORY = 1000;
  private static final int BYTES = 1024;
  private static final int WRITERS = 8;
  private static final long CAPACITY = 4L << 30;

  /** Of a busy machine. */
  private static final Duration LIMIT = Duration.ofMinutes(2).plusMillis(100L * COUNT);

  private static final int SAMPLES = 200;
  private static final Duration STEP = Duration.ofSeconds(1);

  @TempDir private Path temp;
  private ServedCluster cluster;

  @Test
  void aLargePlanIsTakenBackToItsEnd() throws Exception {
    List<NodeLayout> nodes =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    new NodeLayout(
                        "dn" + i + ".test",
                        "/rack" + i % 2,
                        Map.of(StorageType.DISK, CAPACITY, StorageType.SSD, CAPACITY)))
            .toList();
    try (ServedCluster started = ServedCluster.start(temp, nodes, Map.of())) {
      cluster = started;
      write();
      Path rules =
          Files.writeString(
              temp.resolve("rules.yaml"),
              "version: 1\nrules: [{name: all, paths: [/**], atLeast: SSD}]\n");
      Path directory = temp.resolve("service");
      Path config =
          cluster
              .setup(ROOT)
              .replace("# rules: /etc/thermocline/rules.yaml", "rules: " + rules)
              .replace("  moves: 1000", "  moves: 1000000")
              .apply()
              .write(directory);
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        long begun = System.nanoTime();
        awaits(
            "all are moved",
            () -> {
              JsonNode moves = service.get("/state").path("moves");
              System.out.println(moves);
              return moves.path("verified").asLong() == COUNT;
            });
        String plan =
            ServiceSetup.journal(directory, "\"planned\"", file(0))
                .get(0)
                .replaceFirst(".*\"plan\":(\\d+).*", "$1");
        awaits(
            "the plan's end",
            () ->
                ServiceSetup.journal(directory, "\"planEnded\"").stream()
                    .anyMatch(line -> line.matches(".*\"plan\":" + plan + "\\b.*")));
        long moved = System.nanoTime();
        awaits("one of three was moved", () -> replicas(StorageType.DISK) == 2L * COUNT);
        assertEquals(COUNT, replicas(StorageType.SSD));
        HttpResponse<String> accepted =
            service.post("/plans/" + plan + "/undo", "{\"dryRun\": false, \"why\": \"a test\"}");
        assertEquals(202, accepted.statusCode(), accepted::body);
        long answered = System.nanoTime();
        long task = new ObjectMapper().readTree(accepted.body()).path("task").asLong();
        awaits(
            "the undo's end",
            () -> {
              JsonNode now = service.get("/tasks/" + task);
              System.out.println(now);
              return !now.path("ended").asText().isEmpty();
            });
        long undone = System.nanoTime();
        System.out.printf(
            "{\"benchmark\":\"large plan\",\"files\":%d,\"moved_s\":%.1f,\"undo_answered_s\":%.1f,\"undone_s\":%.1f}%n",
            COUNT, seconds(moved - begun), seconds(answered - moved), seconds(undone - answered));
        assertEquals("DONE", service.get("/tasks/" + task).path("state").asText());
        service.terminate();
      }
      awaits("all are back on DISK", () -> replicas(StorageType.DISK) == 3L * COUNT);
      assertEquals(0, replicas(StorageType.SSD));
      assertNothingIsLeft();
      assertSamplesAreWhole();
      assertEquals(
          COUNT,
          ServiceSetup.journal(directory, "\"takenOver\"", "\"UNDONE\"").stream()
              .map(line -> line.replaceFirst(".*\"path\":\"([^\"]*)\".*", "$1"))
              .distinct()
              .count(),
          "and stay");
    }
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }

  private static void awaits(String what, Callable<Boolean> condition) {
    Eventually.holds(what, LIMIT, STEP, condition);
  }

  private static String file(int i) {
    return ROOT + "/d" + i / A_DIRECTORY + "/f" + i;
  }

  private void write() throws Exception {
    DistributedFileSystem fs = cluster.superuser();
    List<Thread> writers =
        IntStream.range(0, WRITERS)
            .mapToObj(
                writer ->
                    new Thread(
                        () -> {
                          for (int i = writer; i < COUNT; i += WRITERS) {
                            write(fs, i);
                          }
                        }))
            .toList();
    writers.forEach(Thread::start);
    for (Thread writer : writers) {
      writer.join();
    }
    awaits("all replicas of all files", () -> replicas(StorageType.DISK) == 3L * COUNT);
  }

  private static void write(DistributedFileSystem fs, int i) {
    try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(file(i)))) {
      out.write(content(i));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] content(int i) {
    byte[] content = new byte[BYTES];
    new SplittableRandom(i).nextBytes(content);
    return content;
  }

  /** Of all blocks, as the NameNode shows them. */
  private long replicas(StorageType type) {
    Map<org.apache.hadoop.fs.StorageType, Long> counts =
        new EnumMap<>(org.apache.hadoop.fs.StorageType.class);
    try {
      RemoteIterator<LocatedFileStatus> files =
          cluster.superuser().listFiles(new org.apache.hadoop.fs.Path(ROOT), true);
      while (files.hasNext()) {
        HdfsLocatedFileStatus file = (HdfsLocatedFileStatus) files.next();
        for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
          Arrays.stream(block.getStorageTypes()).forEach(each -> counts.merge(each, 1L, Long::sum));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return counts.getOrDefault(org.apache.hadoop.fs.StorageType.valueOf(type.name()), 0L);
  }

  private void assertNothingIsLeft() throws Exception {
    DistributedFileSystem fs = cluster.superuser();
    RemoteIterator<LocatedFileStatus> files =
        fs.listFiles(new org.apache.hadoop.fs.Path(ROOT), true);
    while (files.hasNext()) {
      HdfsLocatedFileStatus file = (HdfsLocatedFileStatus) files.next();
      assertEquals(0, file.getStoragePolicy(), () -> file + " has a policy of its own");
    }
    for (int i = 0; i < COUNT; i += Math.max(1, COUNT / SAMPLES)) {
      assertTrue(
          !fs.getXAttrs(new org.apache.hadoop.fs.Path(file(i))).containsKey(PolicyMarks.ATTRIBUTE),
          file(i));
    }
    assertTrue(
        cluster.fsckOfPolicies(ROOT).contains("All blocks satisfy specified storage policy."));
  }

  private void assertSamplesAreWhole() throws IOException {
    for (int i = 0; i < COUNT; i += Math.max(1, COUNT / SAMPLES)) {
      try (InputStream in = cluster.superuser().open(new org.apache.hadoop.fs.Path(file(i)))) {
        assertArrayEquals(content(i), in.readAllBytes(), file(i));
      }
    }
  }
}
