// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.RedirectTable;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.groups.GroupCheck;
import io.thermocline.tiering.act.groups.GroupExecutor;
import io.thermocline.tiering.act.groups.GroupRecord;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.act.groups.GroupWriter;
import io.thermocline.tiering.app.groups.GroupReconciler;
import io.thermocline.tiering.classify.groups.AccessSequence;
import io.thermocline.tiering.classify.groups.GroupPattern;
import io.thermocline.tiering.classify.groups.GroupedObject;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.config.GroupsConfig;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.plan.GroupChange;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
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
    // Who reads what no DataNode has gives up so soon.
    conf.setInt("dfs.client.retry.window.base", 10);
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
    store.removeAll();
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
  void aDamagedTableIsMadeAgainInBoundedLooks() throws IOException {
    store.removeAll();
    store.prepare();
    List<GroupFile> groups = new ArrayList<>();
    make(2 * LOOKED_AT_ONCE + 3, 1000, groups);
    Path table = new Path(GROUPS, RedirectTable.FILE_NAME);
    byte[] damaged = store.table().toBytes();
    damaged[100] ^= 1;
    try (OutputStream out = fs.create(table, true)) {
      out.write(damaged);
    }
    for (int i = 0; i < 2; i++) {
      long before = calls.made();
      GroupCheck.Result result = check.check(true);
      assertFalse(result.isComplete());
      assertEquals(2 + LOOKED_AT_ONCE, calls.made() - before, "the table, the list, and files");
      assertThrows(IOException.class, store::table, "nothing is put in its place yet");
    }
    groups.add(writer.write(store.newId(), create(2000), ANYWHERE).orElseThrow());
    store.publish(groups.subList(groups.size() - 1, groups.size()));
    assertTrue(check.check(true).isComplete());
    assertEquals(groups.size(), store.table().groups().size());
    assertEquals(
        groups.size(), fs.listStatus(GROUPS).length - 1, "no file is taken for one of nobody");
    assertEquals(List.of(), new GroupCheck(store).check(false).problems());
  }

  @Test
  void othersAreLedToAndEndWhereAFileIsGone() throws Exception {
    store.removeAll();
    store.prepare();
    List<GroupFile> groups = new ArrayList<>();
    make(3, 6000, groups);
    fs.delete(new Path(groups.get(0).path()), false);
    store.publish(groups.subList(0, 2));
    assertEquals(2, store.table().groups().size());
    store.publish(groups);
    assertEquals(2, check.check(true).good().size());
    fs.delete(new Path(groups.get(1).path()), false);
    assertThrows(IOException.class, () -> store.publish(groups.subList(0, 2)));
    assertEquals(2, store.table().groups().size(), "as it was");
  }

  @Test
  void whatCannotBeReadNowStays() throws Exception {
    store.removeAll();
    store.prepare();
    List<GroupFile> groups = new ArrayList<>();
    make(3, 4000, groups);
    fs.delete(new Path(GROUPS, RedirectTable.FILE_NAME), false);
    MiniDFSCluster.DataNodeProperties node = cluster.stopDataNode(0);
    for (int i = 0; i < 4; i++) {
      assertEquals(Map.of(), check.check(true).bad());
      assertEquals(3, fs.globStatus(new Path(GROUPS, GroupStore.PREFIX + "*")).length);
    }
    cluster.restartDataNode(node);
    cluster.waitActive();
    assertTrue(check.check(true).isComplete());
    assertEquals(3, store.table().groups().size());
    assertEquals(List.of(), new GroupCheck(store).check(false).problems());
  }

  /** A plan that makes a group before the next look, or a service that restarts half-way. */
  @Test
  void whatALostTableNamedIsPutBackBesideNewGroups() throws IOException {
    store.removeAll();
    store.prepare();
    List<GroupFile> groups = new ArrayList<>();
    make(LOOKED_AT_ONCE + 2, 5000, groups);
    fs.delete(new Path(GROUPS, RedirectTable.FILE_NAME), false);
    assertFalse(check.check(true).isComplete(), "half-way");
    groups.add(writer.write(store.newId(), create(5500), ANYWHERE).orElseThrow());
    store.publish(groups.subList(groups.size() - 1, groups.size()));
    GroupCheck restarted = new GroupCheck(store, LOOKED_AT_ONCE);
    assertFalse(restarted.check(true).isComplete());
    assertTrue(restarted.check(true).isComplete());
    assertEquals(groups.size(), store.table().groups().size());
    assertEquals(groups.size(), fs.listStatus(GROUPS).length - 1, "no file is deleted");
    try (OutputStream out = fs.append(new Path(groups.get(0).path()))) {
      out.write(1);
    }
    store.publish(groups.subList(1, groups.size()));
    restarted.check(true);
    assertFalse(fs.exists(new Path(groups.get(0).path())), "damaged: in no table again");
  }

  @Test
  void aGroupThatTheTableCannotTakeIsLeftOutAlone() throws Exception {
    store.removeAll();
    List<String> paths = new ArrayList<>(create(6000));
    paths.addAll(create(6001));
    paths.addAll(create(6002));
    List<Long> inodes = new ArrayList<>();
    for (String path : paths) {
      inodes.add(fs.getClient().getFileInfo(path).getFileId());
    }
    fs.delete(new Path(paths.get(4)), false);
    create(6002);
    List<String> ended = new ArrayList<>();
    List<Long> shown = new ArrayList<>();
    executor(ended, shown)
        .make(
            7,
            List.of(
                change(1, paths, inodes, 0, 1),
                change(2, paths, inodes, 1, 2),
                change(3, paths, inodes, 2, 3),
                change(4, paths, inodes, 4, 5)));
    assertEquals(List.of(1L, 3L), shown);
    assertEquals(2, ended.size(), ended::toString);
    assertEquals("4: its files changed meanwhile", ended.get(0), "another file has that name");
    assertTrue(ended.get(1).matches("2: blk_[0-9]+ has a copy in group 1 already"), ended.get(1));
    assertEquals(List.of(1L, 3L), store.table().groups().stream().map(GroupFile::id).toList());
    assertEquals(List.of(), check.check(false).problems());
  }

  /** Its first block is as it was, and has a name of its own from then on. */
  @Test
  void aFileThatIsGroupedWholeHasNoSecondCopyOfItsBlock(@TempDir java.nio.file.Path directory)
      throws Exception {
    store.removeAll();
    store.prepare();
    List<String> names = new ArrayList<>();
    List<String> paths = List.of("/warehouse/grows-a", "/warehouse/grows-b");
    for (String path : paths) {
      try (OutputStream out = fs.create(new Path(path), true, 4096, (short) 1, 1 << 20)) {
        out.write(new byte[1 << 20]);
      }
    }
    GroupWriter large = new GroupWriter(store, 1 << 20);
    store.publish(List.of(large.write(store.newId(), paths, ANYWHERE).orElseThrow()));
    for (String path : paths) {
      try (OutputStream out = fs.append(new Path(path))) {
        out.write(1);
      }
      long block =
          fs.getClient()
              .getLocatedFileInfo(path, false)
              .getLocatedBlocks()
              .get(0)
              .getBlock()
              .getBlockId();
      names.add(path + ":blk_" + block);
    }
    assertEquals(1, large.parts(names).size(), "they are of blocks by themselves");
    try (Journal journal = Journal.open(directory)) {
      GroupReconciler reconciler = reconciler(journal);
      GroupReconciler.Scene scene = scene("n1");
      assertEquals(List.of(), reconciler.look(List.of(hot(1, names)), scene));
      store.removeAll();
      assertEquals(1, reconciler.look(List.of(hot(1, names)), scene).size(), "but for that group");
    }
  }

  @Test
  void blocksOfFilesThatClientsLookForNoCopiesOfAreLeftOut() throws IOException {
    Path path = new Path("/warehouse/long");
    int most = RedirectTable.MOST_FILE_BLOCKS;
    try (OutputStream out = fs.create(path, true, 4096, (short) 1, 1 << 20)) {
      out.write(new byte[most << 20]);
    }
    List<String> names = new ArrayList<>();
    for (LocatedBlock block :
        fs.getClient()
            .getLocatedFileInfo(path.toString(), false)
            .getLocatedBlocks()
            .getLocatedBlocks()) {
      names.add(path + ":blk_" + block.getBlock().getBlockId());
    }
    GroupWriter large = new GroupWriter(store, 1 << 20);
    assertEquals(most, large.parts(names).get(0).paths().size());
    try (OutputStream out = fs.append(path)) {
      out.write(1);
    }
    assertEquals(List.of(), large.parts(names), "of a file of " + (most + 1) + " blocks");
  }

  private GroupExecutor executor(List<String> ended, List<Long> shown) {
    GroupRecord record =
        new GroupRecord() {
          @Override
          public void willMake(long plan, GroupChange change, String file) {}

          @Override
          public void shown(long group, List<String> places) {
            shown.add(group);
          }

          @Override
          public void ended(long plan, long group, String who, String why) {
            ended.add(group + ": " + why);
          }
        };
    return new GroupExecutor(
        store,
        writer,
        null,
        ExecutionControl.running(Clock.systemUTC()),
        OperationBudget.unlimited(),
        record);
  }

  private static GroupChange change(
      long id, List<String> paths, List<Long> inodes, int first, int second) {
    List<GroupChange.Member> members = new ArrayList<>();
    for (int i : new int[] {first, second}) {
      members.add(new GroupChange.Member(paths.get(i), inodes.get(i), 1, 1, 0));
    }
    return new GroupChange(
        GroupChange.Kind.MAKE_FILE, id, members, "local", "random_small", List.of(), 0, "");
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

  /**
   * What lies there of groups before counts where the first copy of a hot one goes: of two fast
   * devices that are drawn, to that which less lies on.
   */
  @Test
  void firstCopiesAreSpreadFromLookToLook(@TempDir java.nio.file.Path directory) throws Exception {
    store.prepare();
    try (Journal journal = Journal.open(directory)) {
      journal.append(
          new JournalEntry.GroupMade(
              "2026-11-22T05:00:00Z",
              1,
              1,
              GroupChange.Kind.MAKE_FILE.name(),
              "/g/group-1",
              "global",
              "large",
              List.of(new JournalEntry.GroupMember("/before", 1, 1L << 30, 0)),
              List.of("n1:9866 SSD"),
              1L << 30,
              0,
              ""));
      List<GroupReconciler.Found> found = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        found.add(hot(i, create(3000 + i)));
      }
      List<GroupChange> changes = reconciler(journal).look(found, scene("n1", "n2"));
      assertEquals(
          List.of("n2:9866 SSD", "n2:9866 SSD", "n2:9866 SSD"),
          changes.stream().map(change -> change.places().get(0).toString()).toList(),
          "a GB lies on n1");
    }
  }

  /** An early look finds a part of a set together, and the rest only as hot as other files. */
  @Test
  void aSetThatIsFoundWholeTakesThePlaceOfItsParts(@TempDir java.nio.file.Path directory)
      throws Exception {
    store.prepare();
    List<String> set = new ArrayList<>(create(4000));
    set.addAll(create(4001));
    String stranger = create(4002).get(0);
    try (Journal journal = Journal.open(directory)) {
      journal.append(made(1, "local", set.subList(0, 2)));
      journal.append(made(2, "global", List.of(set.get(2), stranger)));
      GroupReconciler reconciler = reconciler(journal);
      assertEquals(List.of(), reconciler.look(List.of(together(set.subList(0, 2))), scene("n1")));
      assertEquals(
          List.of(), reconciler.look(List.of(hot(1, set)), scene("n1")), "as often is less");
      List<GroupChange> changes = reconciler.look(List.of(together(set)), scene("n1"));
      assertEquals(
          List.of("1 DISSOLVE", "2 DISSOLVE", set.size() + " MAKE_FILE"),
          changes.stream()
              .map(
                  each ->
                      (each.members().isEmpty() ? each.group() : each.members().size())
                          + " "
                          + each.kind())
              .toList());
      assertEquals(1, changes.get(2).replaces());
    }
  }

  private static JournalEntry.GroupMade made(long id, String pattern, List<String> paths)
      throws IOException {
    List<JournalEntry.GroupMember> members = new ArrayList<>();
    for (String path : paths) {
      long inode = fs.getClient().getFileInfo(path).getFileId();
      members.add(new JournalEntry.GroupMember(path, inode, 1, 0));
    }
    return new JournalEntry.GroupMade(
        "2026-11-22T05:00:00Z",
        1,
        id,
        GroupChange.Kind.MAKE_FILE.name(),
        "/g/group-" + id,
        pattern,
        "large",
        members,
        List.of("n1:9866 SSD"),
        2,
        0,
        "");
  }

  private GroupReconciler reconciler(Journal journal) {
    return new GroupReconciler(
        config(),
        store,
        Map.of(StorageType.SSD, new TierSpeed(4e8, 4e8, 1e5)),
        journal,
        path -> true);
  }

  /** Nodes with an empty SSD each. */
  private static GroupReconciler.Scene scene(String... names) {
    Map<String, ClusterView.Node> nodes = new HashMap<>();
    for (String node : names) {
      ClusterView.Storage ssd =
          new ClusterView.Storage(node + "-ssd", node, StorageType.SSD, 1L << 40, 1L << 40);
      nodes.put(node, new ClusterView.Node(node, node + ":9866", "/r", List.of(ssd)));
    }
    return new GroupReconciler.Scene(
        new ClusterView(nodes, 1), Map.of(), Map.of(), List.of(), Instant.EPOCH);
  }

  private static GroupReconciler.Found hot(int id, List<String> paths) {
    return found(id, GroupPattern.GLOBAL, paths);
  }

  private static GroupReconciler.Found together(List<String> paths) {
    return found(1, GroupPattern.LOCAL, paths);
  }

  private static GroupReconciler.Found found(int id, GroupPattern pattern, List<String> paths) {
    List<GroupedObject> members = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      members.add(new GroupedObject(10L * id + i, 20, 1 << 18, 1));
    }
    ObjectGroup group =
        new ObjectGroup(
            pattern,
            pattern == GroupPattern.LOCAL ? AccessSequence.RANDOM_SMALL : AccessSequence.LARGE,
            members,
            0.05,
            new ObjectGroup.Evidence(0, 0, 1));
    return new GroupReconciler.Found(group, paths, true);
  }

  private static GroupsConfig config() {
    return new GroupsConfig(
        MiningSettings.defaults(),
        OptionalDouble.empty(),
        Duration.ofSeconds(1),
        GROUPS.toString(),
        Duration.ofMinutes(1),
        Duration.ofDays(1),
        1L << 40,
        1L << 40,
        1L << 20,
        1,
        0.1,
        new GroupsConfig.Raise(0, 1));
  }

  /** Calls that it made. */
  private long look(int bad) throws IOException {
    long before = calls.made();
    assertEquals(bad, check.check(true).bad().size());
    return calls.made() - before;
  }

  private void make(int more, List<GroupFile> groups) throws IOException {
    make(more, 0, groups);
  }

  private void make(int more, int from, List<GroupFile> groups) throws IOException {
    for (int i = 0; i < more; i++) {
      List<String> paths = create(from + groups.size());
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
