// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.hdfs.GroupReads;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.app.CommandLines;
import io.thermocline.tiering.app.GroupsMain;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The life of a group, from the reads in the audit log to its end. */
@Tag("cluster")
class ServiceGroupsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final org.apache.hadoop.fs.Path GROUPS =
      new org.apache.hadoop.fs.Path("/system/thermocline/groups");

  @TempDir static Path temp;
  private static ServedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD), 3, Map.of());
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void isMadeReadCheckedAndDissolved() throws Exception {
    DistributedFileSystem fs = cluster.superuser();
    for (String name : List.of("a", "b", "c", "alone")) {
      try (OutputStream out = fs.create(path(name))) {
        out.write(content(name));
      }
    }
    Path directory = Files.createDirectories(temp.resolve("service"));
    Path config =
        cluster
            .setup("/together")
            .apply()
            .replace("# levers:", "levers:")
            .replace(
                "  # groups: {most: 100 GB, directory: /system/thermocline/groups, every: 10m,"
                    + " forget: 1d, window: 2s, distance: 10 %, files: 10, hotShare: 10 %,"
                    + " period: 1m, perLook: 1 GB, largestFile: 8 MB, replicas: 1, free: 10 %}",
                "  groups: {most: 100 MB, every: 1s, window: 200ms}")
            .write(directory);
    GroupStore store = GroupStore.of(fs, GROUPS);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      eventually("a group", () -> readTogether(fs) && !store.table().groups().isEmpty());
      GroupFile group = store.table().groups().get(0);
      assertEquals(3, group.members().size());
      assertEquals("local", group.pattern());
      assertEquals("random_small", group.sequence());
      eventually("on SSD", () -> readTogether(fs) && isOnSsd(fs, group));
      try (GroupReads reads =
          new GroupReads(fs.getClient(), GROUPS, GroupReads.Limits.defaults(), System::nanoTime)) {
        for (String name : List.of("a", "b", "c", "alone")) {
          try (FSDataInputStream in = reads.open(fs.open(path(name)))) {
            assertArrayEquals(content(name), in.readAllBytes(), name);
          }
        }
        assertEquals(3, reads.redirected());
      }
      service.terminate();
    }
    String said = run("list", "--config", config.toString());
    assertTrue(said.startsWith("1 groups"), said);
    assertTrue(run("check", "--config", config.toString()).contains("0 problems"));

    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      // Nobody reads them any more.
      eventually("dissolved", () -> store.table().groups().isEmpty());
      assertEquals(0, store.bytes());
      service.terminate();
    }
    assertTrue(run("remove", "--config", config.toString()).startsWith("removed 0 groups"));
    assertArrayEquals(content("a"), read(fs, "a"), "originals are as they were");
  }

  private static boolean readTogether(DistributedFileSystem fs) throws Exception {
    UserGroupInformation.createRemoteUser("reader")
        .doAs(
            (java.security.PrivilegedExceptionAction<Void>)
                () -> {
                  try (DistributedFileSystem reader =
                      (DistributedFileSystem)
                          org.apache.hadoop.fs.FileSystem.newInstance(fs.getUri(), fs.getConf())) {
                    for (String name : List.of("a", "b", "c")) {
                      read(reader, name);
                    }
                  }
                  return null;
                });
    return true;
  }

  private static byte[] read(DistributedFileSystem fs, String name) throws Exception {
    try (InputStream in = fs.open(path(name))) {
      return in.readAllBytes();
    }
  }

  private static boolean isOnSsd(DistributedFileSystem fs, GroupFile group) throws Exception {
    List<LocatedBlock> blocks =
        fs.getClient()
            .getLocatedFileInfo(group.path(), false)
            .getLocatedBlocks()
            .getLocatedBlocks();
    return blocks.size() == 1
        && blocks.get(0).getStorageTypes().length == 1
        && blocks.get(0).getStorageTypes()[0] == org.apache.hadoop.fs.StorageType.SSD;
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path("/together/" + name);
  }

  private static byte[] content(String name) {
    byte[] content = new byte[20_000];
    new SplittableRandom(name.hashCode()).nextBytes(content);
    return content;
  }

  private static void eventually(String what, java.util.concurrent.Callable<Boolean> holds) {
    Eventually.holds(what, PATIENCE, holds);
  }

  private static String run(String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine line = CommandLines.of(new GroupsMain()).setOut(new PrintWriter(out));
    assertEquals(0, line.execute(arguments), out::toString);
    return out.toString();
  }
}
