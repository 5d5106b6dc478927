// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.groups.GroupExecutor;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.act.groups.GroupWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plans wait for looks at groups: what one look asks the NameNode must not grow with how many groups there are, and
 * everything must have its turn.
 */
@Tag("cluster")
class GroupLooksTest {

  private static final Path GROUPS = new Path("/system/thermocline/groups");
  private static final int MEMBERS = 10;

  /** Of an original: what it is now, what is above it; and each directory above. */
  private static final long CALLS_OF_A_LOOK = 3L * GroupExecutor.LOOKED_AT_ONCE;

  @TempDir private static java.nio.file.Path temp;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;

  private final OperationBudget calls = OperationBudget.unlimited();
  private final AtomicLong ids = new AtomicLong();
  private final GroupStore store = new GroupStore(fs, GROUPS, ids::incrementAndGet, calls);
  private final GroupWriter writer = new GroupWriter(store, 64 << 10);

  /** A look needs the store alone. */
  private final GroupExecutor executor = new GroupExecutor(store, writer, null, null, null, null);

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), temp.toFile()).numDataNodes(1).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  @Test
  void aLookAsksAboutSoMuchAtMostAndAllHaveTheirTurn() throws IOException {
    store.prepare();
    List<GroupFile> groups = new ArrayList<>();
    make(20, groups);
    store.publish(groups);
    long before = calls.made();
    assertEquals(0, executor.repair().bad().size());
    long few = calls.made() - before;
    assertTrue(few > 20 * MEMBERS, few + " calls for all of them");

    make(100, groups);
    store.publish(groups);
    fs.delete(new Path(path(5, 3)), false);
    fs.delete(new Path(path(110, 7)), false);
    int looks = groups.size() * MEMBERS / GroupExecutor.LOOKED_AT_ONCE + 1;
    int gone = 0;
    for (int i = 0; i < looks; i++) {
      before = calls.made();
      gone += executor.repair().bad().size();
      long made = calls.made() - before;
      assertTrue(made <= CALLS_OF_A_LOOK, made + " calls");
      assertTrue(made > GroupExecutor.LOOKED_AT_ONCE / 2, made + " calls");
    }
    assertEquals(2, gone, "found within " + looks + " looks");
    assertEquals(groups.size() - 2, store.table().groups().size());
  }

  @Test
  void whetherFilesMayBeGroupedTakesSoManyCallsOfEachAtMost() throws IOException {
    List<String> paths = new ArrayList<>();
    for (int group = 200; group < 200 + GroupExecutor.LOOKED_AT_ONCE / MEMBERS; group++) {
      paths.addAll(create(group));
    }
    long before = calls.made();
    assertEquals(1, writer.parts(paths).size());
    long made = calls.made() - before;
    assertTrue(made <= CALLS_OF_A_LOOK, made + " calls");
  }

  private void make(int more, List<GroupFile> groups) throws IOException {
    GroupWriter.Wish anywhere = new GroupWriter.Wish(List.of(), null, "local", "random_small");
    for (int i = 0; i < more; i++) {
      List<String> paths = create(groups.size());
      groups.add(writer.write(store.newId(), paths, anywhere).orElseThrow());
    }
  }

  private static List<String> create(int group) throws IOException {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      paths.add(path(group, i));
      try (OutputStream out = fs.create(new Path(path(group, i)), (short) 1)) {
        out.write(i);
      }
    }
    return paths;
  }

  private static String path(int group, int member) {
    return "/warehouse/part-" + group + "/file-" + member;
  }
}
