// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.groups.GroupCheck;
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
 * Plans wait for looks at groups: what one look asks the NameNode must not grow with how many groups
 * there are, and everything must have its turn.
 */
@Tag("cluster")
class GroupLooksTest {

  private static final Path GROUPS = new Path("/system/thermocline/groups");
  private static final int MEMBERS = 2;
  private static final int LOOKED_AT_ONCE = 8;

  private static final GroupWriter.Wish ANYWHERE =
      new GroupWriter.Wish(List.of(), null, "local", "random_small");

  @TempDir private static java.nio.file.Path temp;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;

  private final OperationBudget calls = OperationBudget.unlimited();
  private final AtomicLong ids = new AtomicLong();
  private final GroupStore store = new GroupStore(fs, GROUPS, ids::incrementAndGet, calls);
  private final GroupWriter writer = new GroupWriter(store, 64 << 10);

  private final GroupCheck check = new GroupCheck(store, LOOKED_AT_ONCE);

  @BeforeAll
  static void start() throws Exception {
    HdfsConfiguration conf = new HdfsConfiguration();
    // A file that is closed before its DataNode has said that it is there asks again so soon.
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 10);
    cluster = new MiniDFSCluster.Builder(conf, temp.toFile()).numDataNodes(1).build();
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
    make(LOOKED_AT_ONCE / MEMBERS, groups);
    long ofAll = look(0);
    make(2 * LOOKED_AT_ONCE / MEMBERS, groups);
    int looks = groups.size() * MEMBERS / LOOKED_AT_ONCE;
    for (int i = 0; i < looks; i++) {
      assertEquals(ofAll, look(0), "calls of a look, with three times as many groups");
    }
    fs.delete(new Path(path(2, 1)), false);
    fs.delete(new Path(path(10, 0)), false);
    int gone = 0;
    for (int i = 0; i < looks; i++) {
      gone += check.check(true).bad().size();
    }
    assertEquals(2, gone, "found within " + looks + " looks");
    assertEquals(groups.size() - 2, store.table().groups().size());
  }

  @Test
  void ofAFileThatMayBeGroupedTwoThingsAreAskedAndOneOfEachDirectory() throws IOException {
    List<String> paths = new ArrayList<>();
    int directories = 3;
    for (int i = 0; i < directories; i++) {
      paths.addAll(create(100 + i));
    }
    long before = calls.made();
    assertEquals(paths, writer.parts(paths).get(0).paths());
    assertEquals(2 * paths.size() + directories + 1, calls.made() - before, "and /warehouse");
  }

  /** Calls that it made. */
  private long look(int bad) throws IOException {
    long before = calls.made();
    assertEquals(bad, check.check(true).bad().size());
    return calls.made() - before;
  }

  private void make(int more, List<GroupFile> groups) throws IOException {
    for (int i = 0; i < more; i++) {
      List<String> paths = create(groups.size());
      groups.add(writer.write(store.newId(), paths, ANYWHERE).orElseThrow());
    }
    store.publish(groups);
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
