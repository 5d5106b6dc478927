// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.ClusterWatch;
import io.thermocline.tiering.act.DataNodeReads;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.HdfsSurroundings;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.MutexHolder;
import io.thermocline.tiering.act.MutexRecoveryException;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.Windows;
import io.thermocline.tiering.app.plans.ApplyMode;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.JmxPage;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.balancer.NameNodeConnector;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of moves when something happens to them, on one cluster. docs/concepts/acting.md tells the same. */
@Tag("cluster")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MoveOutcomesTest {

  private static final int NODES = 4;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int FILE_BYTES = 10_000;
  private static final org.apache.hadoop.fs.Path MUTEX =
      new org.apache.hadoop.fs.Path("/system/thermocline/mover.id");

  /** The last one's SSD has no room for a block. */
  private static final int FULL = NODES - 1;

  @TempDir static Path temp;

  private static MiniDFSCluster cluster;
  private static DistributedFileSystem hdfs;

  private final List<String> changes = Collections.synchronizedList(new ArrayList<>());
  private final ExecutionControl control = ExecutionControl.running(Clock.systemUTC());
  private Pacing pacing = Pacing.unlimited();
  private DirectedMoves moves;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    org.apache.hadoop.fs.StorageType[] types = {
      org.apache.hadoop.fs.StorageType.DISK, org.apache.hadoop.fs.StorageType.SSD
    };
    long[][] capacities = new long[NODES][];
    for (int i = 0; i < NODES; i++) {
      capacities[i] = new long[] {64L << 20, i == FULL ? BLOCK_BYTES / 2 : 64L << 20};
    }
    cluster =
        new MiniDFSCluster.Builder(conf, temp.toFile())
            .numDataNodes(NODES)
            .racks(new String[] {"/r0", "/r1", "/r0", "/r1"})
            .storageTypes(types)
            .storageCapacities(capacities)
            .build();
    cluster.waitActive();
    hdfs = cluster.getFileSystem();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  @BeforeEach
  void connect() throws IOException {
    moves = new DirectedMoves(hdfs.getUri(), MUTEX, hdfs.getConf());
  }

  @AfterEach
  void disconnect() {
    moves.close();
  }

  @Test
  @Order(1)
  void movesWithinADataNodeAreVerifiedAtOnce() throws Exception {
    FileView file = write("/near", 0, 1);

    execute(moves, move(file, 0, 0));

    assertEquals(List.of("COPYING", "COPIED", "VERIFIED"), changes);
    assertReplicas("/near", 2);
  }

  @Test
  @Order(2)
  void movesToAnotherAreShownBeforeTheirSourceIsGone() throws Exception {
    FileView file = write("/far", 0, 1);

    execute(moves, move(file, 0, 2));

    assertEquals("VERIFIED", changes.get(changes.size() - 1), changes::toString);
    assertTrue(changes.containsAll(List.of("COPYING", "COPIED")), changes::toString);
    assertReplicas("/far", 2);
  }

  @Test
  @Order(3)
  void aFullStorageTakesNoCopy() throws Exception {
    FileView file = write("/full", 0, 1);

    execute(moves, move(file, 1, FULL));

    assertEquals(2, changes.size(), changes::toString);
    assertTrue(changes.get(1).startsWith("FAILED"), changes::toString);
    assertTrue(changes.get(1).contains("Out of space"), changes::toString);
    assertReplicas("/full", 2);
  }

  @Test
  @Order(4)
  void aQuotaIsTheNameNodesToKeep() throws Exception {
    hdfs.mkdirs(new org.apache.hadoop.fs.Path("/quota"));
    hdfs.setQuotaByStorageType(
        new org.apache.hadoop.fs.Path("/quota"), org.apache.hadoop.fs.StorageType.SSD, 1);
    FileView file = write("/quota/file", 0, 1);

    execute(moves, move(file, 0, 0));

    // HDFS counts what a policy asks for, but refuses new blocks only: the planner keeps to quotas.
    assertEquals(List.of("COPYING", "COPIED", "VERIFIED"), changes);
  }

  @Test
  @Order(5)
  void nobodyButTheSuperuserMoves() throws Exception {
    moves.close();
    UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");

    IOException refused =
        assertThrows(
            IOException.class,
            () ->
                alice.doAs(
                    (PrivilegedExceptionAction<DirectedMoves>)
                        () -> new DirectedMoves(hdfs.getUri(), MUTEX, hdfs.getConf())));

    assertTrue(refused.toString().contains("Superuser privilege"), refused::toString);
    connect();
  }

  @Test
  @Order(6)
  void aPolicyThatIsRefusedEndsAllMovesOfItsFile() throws Exception {
    FileView file = write("/refused", 0, 1);
    HdfsCalls refusing =
        new Wrapped(moves) {
          @Override
          public void setStoragePolicy(String path, String policy) throws IOException {
            throw new org.apache.hadoop.security.AccessControlException("Permission denied");
          }
        };

    execute(refusing, move(file, 0, 0));

    assertEquals("COPYING", changes.get(0));
    assertTrue(changes.get(1).startsWith("FAILED"), changes::toString);
    assertTrue(changes.get(1).contains("Permission denied"), changes::toString);
    assertEquals(0, view("/refused").storagePolicy());
  }

  @Test
  @Order(7)
  void whatIsRenamedOrDeletedBeforeIsLeftAlone() throws Exception {
    FileView renamed = write("/renamed", 0, 1);
    FileView deleted = write("/deleted", 0, 1);
    hdfs.rename(path("/renamed"), path("/elsewhere"));
    hdfs.delete(path("/deleted"), false);

    execute(moves, move(renamed, 0, 0));
    execute(moves, move(deleted, 0, 0));

    String gone = "OBSOLETE the file changed or went away";
    assertEquals(List.of(gone, gone), changes);
    assertEquals(0, view("/elsewhere").storagePolicy());
  }

  @Test
  @Order(8)
  void whatIsRenamedOrDeletedMeanwhileIsObsolete() throws Exception {
    FileView renamed = write("/renamed2", 0, 1);
    FileView deleted = write("/deleted2", 0, 1);

    execute(before(() -> hdfs.rename(path("/renamed2"), path("/elsewhere2"))), move(renamed, 0, 0));
    execute(before(() -> hdfs.delete(path("/deleted2"), false)), move(deleted, 0, 0));

    String gone = "OBSOLETE the file changed or went away";
    assertEquals(2, changes.stream().filter(gone::equals).count(), changes::toString);
    assertEquals(2, view("/elsewhere2").blocks().get(0).replicas().size());
  }

  @Test
  @Order(9)
  void whatElseGoesOnIsSeen() throws Exception {
    HdfsSurroundings reader =
        new HdfsSurroundings(
            hdfs.getClient(),
            () -> DataNodeStates.of(hdfs.getClient(), OperationBudget.unlimited()),
            Set.of("/system/balancer.id", "/system/mover.id"),
            List.of(new JmxPage(URI.create(cluster.getHttpUri(0)), cluster.getConfiguration(0))),
            OperationBudget.unlimited(),
            new DataNodeReads(hdfs.getConf()),
            HdfsSurroundings.silentAfter(hdfs.getConf()));
    Surroundings quiet = reader.read();
    assertEquals(quiet.transfers().keySet(), quiet.reads().keySet(), "each says what reads take");
    assertEquals(NODES, quiet.transfers().size());
    assertEquals(List.of(), quiet.movers());
    assertEquals(Set.of(), quiet.slow());
    assertEquals(List.of(false, false), List.of(quiet.isInSafeMode(), quiet.isUpgrading()));
    assertTrue(quiet.rpcQueueMillis() >= 0, "read from /jmx");

    try (NameNodeConnector balancer =
        NameNodeConnector.newNameNodeConnectors(
                List.of(hdfs.getUri()),
                "Balancer",
                path("/system/balancer.id"),
                hdfs.getConf(),
                NameNodeConnector.DEFAULT_MAX_IDLE_ITERATIONS)
            .get(0)) {
      assertEquals(
          List.of("Hadoop's Balancer runs (it holds /system/balancer.id)"),
          reader.read().movers(),
          balancer::toString);
    }
    assertEquals(List.of(), reader.read().movers());

    hdfs.getClient().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
    assertTrue(reader.read().isInSafeMode());
    hdfs.getClient().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);

    IOException second =
        assertThrows(
            IOException.class, () -> new DirectedMoves(hdfs.getUri(), MUTEX, hdfs.getConf()));
    assertTrue(second.getMessage().startsWith("another Thermocline moves"), second::toString);
  }

  /** More replicas than there are DataNodes, and a lost block: what nobody can mend. */
  @Test
  @Order(9)
  void whatHdfsCanNotMendHoldsMovesUpForATimeOnly() throws Exception {
    HdfsSurroundings reader = surroundings(List.of());
    Eventually.holds(
        "all replicas of earlier files",
        () -> reader.read().lowRedundancy().equals(new Surroundings.LowRedundancy(0, 0)));
    FileView file = write("/moves-on", 0, 1);
    write("/lost", 1);
    cluster.getMaterializedReplica(1, DFSTestUtil.getFirstBlock(hdfs, path("/lost"))).deleteData();
    DataNodeTestUtils.runDirectoryScanner(cluster.getDataNodes().get(1));
    Eventually.holds(
        "its loss",
        () ->
            hdfs.getClient().getNamenode().getStats()[ClientProtocol.GET_STATS_MISSING_BLOCKS_IDX]
                == 1);
    assertEquals(1, hdfs.getClient().getLowRedundancyBlocksCount(), "also a lost one counts there");
    assertEquals(new Surroundings.LowRedundancy(0, 0), reader.read().lowRedundancy());

    write("/many", 0, 1);
    hdfs.setReplication(path("/many"), (short) 50);
    Eventually.holds("as many as there are nodes", () -> holders("/many").size() == NODES);
    ClusterWatch watch =
        new ClusterWatch(
            reader::read,
            Windows.always(),
            new Surroundings.Bounds(0, 1000, 1000, Double.POSITIVE_INFINITY),
            control,
            executor(moves, ForkJoinPool.commonPool()),
            Clock.systemUTC(),
            Duration.ofSeconds(1));
    watch.look();
    assertTrue(
        control
            .reason()
            .startsWith(
                "1 blocks have too few replicas (act.throttle.lowRedundancy: 0): moves wait"),
        control::reason);
    Eventually.holds(
        "that nobody waits for it any more",
        () -> {
          watch.look();
          return control.mayBegin();
        });
    assertTrue(control.obstacle().startsWith("moves go on although 1 "), control::obstacle);
    execute(moves, move(file, 0, 2));
    assertEquals("VERIFIED", changes.get(changes.size() - 1), changes::toString);

    hdfs.delete(path("/many"), false);
    hdfs.delete(path("/lost"), false);
  }

  /** Its owner may do that at any moment: it is HDFS's word, no failure of the journal, and in the way of nothing. */
  @Test
  @Order(12)
  @Timeout(60)
  void whatIsDeletedWhileItsMoveWaitsEndsWithThePlan() throws Exception {
    List<Plan.FileMoves> files =
        List.of(move(write("/first", 0, 1), 0, 0), move(write("/waits", 0, 1), 0, 0));
    HdfsCalls actions = before(() -> hdfs.delete(path("/waits"), false));
    ActLimits one =
        new ActLimits(1, 1, 2, Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofMinutes(1));
    ExecutorService copiers = Executors.newFixedThreadPool(3);
    try (Journal journal = Journal.open(temp.resolve("journal"))) {
      ApplyMode service =
          new ApplyMode(
              new ApplyMode.Hands(
                  actions,
                  (machinery, policies) -> new PlanExecutor(actions, one, machinery, policies),
                  null,
                  copiers),
              one,
              "pool",
              journal,
              ServiceRuntime.system());

      service.handle(new Plan(1, files, List.of()));

      Map<String, String> ends = new HashMap<>();
      journal.history(
          entry -> {
            if (entry instanceof JournalEntry.Moved moved) {
              ends.put(moved.path(), moved.state());
            }
          });
      assertEquals("OBSOLETE", ends.get("/waits"), ends::toString);
      Eventually.holds("each move's end", () -> journal.open().isEmpty());
      assertTrue(service.control().mayBegin(), service.control()::reason);
      assertEquals(List.of(), journal.unfinished());
    } finally {
      copiers.shutdownNow();
    }
  }

  /** A pair's standby that is down, or its active one that was. */
  @Test
  @Order(20)
  void ofTwoNameNodePagesOneMayBeDead() throws Exception {
    JmxPage live = new JmxPage(URI.create(cluster.getHttpUri(0)), cluster.getConfiguration(0));
    JmxPage dead;
    try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      dead =
          new JmxPage(
              URI.create("http://127.0.0.1:" + port.getLocalPort()), cluster.getConfiguration(0));
    }

    for (List<JmxPage> pages : List.of(List.of(dead, live), List.of(live, dead))) {
      assertTrue(surroundings(pages).read().rpcQueueMillis() >= 0, "what the live one says");
    }
    assertTrue(Double.isNaN(surroundings(List.of()).read().rpcQueueMillis()));
    assertThrows(IOException.class, () -> surroundings(List.of(dead, dead)).read());
    assertThrows(IOException.class, () -> surroundings(List.of(dead)).read());
  }

  private static HdfsSurroundings surroundings(List<JmxPage> pages) {
    return new HdfsSurroundings(
        hdfs.getClient(),
        () -> DataNodeStates.of(hdfs.getClient(), OperationBudget.unlimited()),
        Set.of(),
        pages,
        OperationBudget.unlimited(),
        states -> Map.of(),
        HdfsSurroundings.silentAfter(hdfs.getConf()));
  }

  @Test
  @Order(21)
  void theMutexGoesToWhoFollowsItsHolderAndToNobodyElse() throws Exception {
    moves.close();
    DirectedMoves fifth = movesOf(new MutexHolder("journal /j", 5, "one"));
    for (MutexHolder other :
        List.of(
            MutexHolder.alone(9, "undo"),
            new MutexHolder("journal /other", 9, "other"),
            new MutexHolder("journal /j", 5, "two"),
            new MutexHolder("journal /j", 4, "two"))) {
      IOException refused = assertThrows(IOException.class, () -> movesOf(other));
      assertTrue(refused.getMessage().contains("one in epoch 5"), refused::toString);
    }
    assertTrue(fifth.hasMutex(), "none of them took it");

    try (DirectedMoves sixth = movesOf(new MutexHolder("journal /j", 6, "two"))) {
      assertFalse(fifth.hasMutex());
      fifth.close();
      assertTrue(sixth.hasMutex(), "who ends leaves the mutex of who acts");
    }
    assertFalse(hdfs.exists(MUTEX), "given back");
    connect();
  }

  /** As a minute after a service was killed: HDFS's own words end the start of the next one. */
  @Test
  @Order(22)
  void theMutexIsTakenOnceHdfsHasClosedIt() throws Exception {
    moves.close();
    FileSystem killed = FileSystem.newInstance(hdfs.getUri(), hdfs.getConf());
    FSDataOutputStream held = killed.create(MUTEX);
    held.writeBytes("elsewhere");
    held.hflush();
    for (DataNode dataNode : cluster.getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(dataNode, true);
    }
    try {
      // The minute is over, and no DataNode hears of the recovery that HDFS then begins.
      cluster.setLeasePeriod(1, 20 * HdfsConstants.LEASE_SOFTLIMIT_PERIOD);
      IOException early =
          assertThrows(MutexRecoveryException.class, () -> movesOf(MutexHolder.alone(1, "next")));
      assertTrue(early.getMessage().contains("HDFS is closing " + MUTEX), early::toString);
    } finally {
      cluster.setLeasePeriod(
          HdfsConstants.LEASE_SOFTLIMIT_PERIOD, 20 * HdfsConstants.LEASE_SOFTLIMIT_PERIOD);
      for (DataNode dataNode : cluster.getDataNodes()) {
        DataNodeTestUtils.setHeartbeatsDisabledForTests(dataNode, false);
      }
    }
    Eventually.holds("HDFS closed the file", () -> hdfs.recoverLease(MUTEX));
    movesOf(MutexHolder.alone(1, "next")).close();
    assertThrows(IOException.class, held::close);
    killed.close();
    connect();
  }

  @Test
  @Order(23)
  void whoseLeaseHdfsEndedHasTheMutexNoMore() throws Exception {
    assertTrue(moves.hasMutex());

    Eventually.holds("HDFS closed the file", () -> hdfs.recoverLease(MUTEX));

    assertFalse(moves.hasMutex());
  }

  private static DirectedMoves movesOf(MutexHolder holder) throws IOException {
    return new DirectedMoves(
        hdfs.getUri(), MUTEX, hdfs.getConf(), OperationBudget.unlimited(), holder, null);
  }

  /** A deadline after which a move is reconsidered (ChewAnalyzer, 3.3.3): what it finds by then may be another one. */
  @Test
  @Order(10)
  void whatWaitsTooLongIsLeftAsItIsAndPlannedAnew() throws Exception {
    FileView file = write("/late", 0, 1);
    control.hold("cluster", "the balancer runs");
    pacing = new Pacing(Double.POSITIVE_INFINITY, Map.of(), 1e6, Duration.ofMillis(300));

    execute(moves, move(file, 0, 0));

    assertEquals(List.of("OBSOLETE not begun within 0 s: to be planned anew"), changes);
    assertEquals(0, view("/late").storagePolicy());
    assertEquals(file.blocks(), view("/late").blocks());

    control.release("cluster");
    pacing = Pacing.unlimited();
    execute(moves, move(view("/late"), 1, 1));

    assertEquals("VERIFIED", changes.get(changes.size() - 1), changes::toString);
  }

  /** The last: one DataNode is less after it. */
  @Test
  @Order(11)
  void aDataNodeThatDiesInTheMiddleFailsItsMoves() throws Exception {
    FileView file = write("/dies", 0, 1);
    DataNode target = cluster.getDataNodes().get(2);

    execute(before(target::shutdown), move(file, 0, 2));

    assertTrue(changes.get(changes.size() - 1).startsWith("FAILED"), changes::toString);
    assertReplicas("/dies", 2);
    assertEquals(FILE_BYTES, hdfs.getFileStatus(path("/dies")).getLen());
  }

  /** Writes a file with replicas on exactly these DataNodes. */
  private static FileView write(String path, int... nodes) throws IOException {
    InetSocketAddress[] holders = new InetSocketAddress[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      holders[i] = cluster.getDataNodes().get(nodes[i]).getXferAddress();
    }
    try (OutputStream out =
        hdfs.createFile(path(path))
            .replication((short) nodes.length)
            .favoredNodes(holders)
            .build()) {
      out.write(new byte[FILE_BYTES]);
    }
    Set<String> wanted = new HashSet<>();
    for (int node : nodes) {
      wanted.add(cluster.getDataNodes().get(node).getDatanodeUuid());
    }
    Eventually.holds("all replicas of " + path + " reported", () -> holders(path).equals(wanted));
    return view(path);
  }

  private static Set<String> holders(String path) throws IOException {
    Set<String> holders = new HashSet<>();
    view(path).blocks().get(0).replicas().forEach(replica -> holders.add(replica.node()));
    return holders;
  }

  private static FileView view(String path) throws IOException {
    return new HdfsReader(hdfs.getClient()).file(path).orElseThrow();
  }

  private static Plan.FileMoves move(FileView file, int from, int to) {
    FileView.Block block = file.blocks().get(0);
    String source = cluster.getDataNodes().get(from).getDatanodeUuid();
    FileView.Replica replica =
        block.replicas().stream()
            .filter(each -> each.node().equals(source))
            .findFirst()
            .orElseThrow();
    Move move =
        new Move(
            "0-0",
            file.path(),
            block,
            replica,
            cluster.getDataNodes().get(to).getDatanodeUuid(),
            "",
            StorageType.SSD);
    Decision decision =
        new Decision(
            new HotFile(file, 1),
            StorageType.DISK,
            new Target(List.of(StorageType.SSD, StorageType.DISK), "ONE_SSD"),
            Decision.Cause.PROMOTED,
            "1.0 reads",
            new Gate.Benefit(2, 0, 1));
    return new Plan.FileMoves(decision, "ONE_SSD", List.of(move));
  }

  /** Returns when the move is at its end. */
  private void execute(HdfsCalls actions, Plan.FileMoves file) throws Exception {
    ExecutorService copiers = Executors.newFixedThreadPool(2);
    int ended = (int) changes.stream().filter(MoveOutcomesTest::isFinal).count();
    try {
      executor(actions, copiers)
          .execute(
              new Plan(1, List.of(file), List.of()),
              (move, state, detail) -> changes.add(state + (detail.isEmpty() ? "" : " " + detail)));
      Eventually.holds(
          "the move's end",
          () -> changes.stream().filter(MoveOutcomesTest::isFinal).count() > ended);
    } finally {
      copiers.shutdownNow();
    }
  }

  private PlanExecutor executor(HdfsCalls actions, ExecutorService copiers) {
    return new PlanExecutor(
        actions,
        new ActLimits(2, 2, 2, Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofMinutes(1)),
        pacing,
        new PlanExecutor.Machinery(
            copiers, System::nanoTime, wait -> TimeUnit.NANOSECONDS.sleep(wait.toNanos()), control),
        (path, policy) -> {});
  }

  private static boolean isFinal(String change) {
    return MoveState.valueOf(change.split(" ")[0]).isFinal();
  }

  private static void assertReplicas(String path, int replicas) throws IOException {
    assertEquals(replicas, view(path).blocks().get(0).replicas().size());
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private interface Event {
    void happen() throws IOException;
  }

  /** Something happens once, before the first copy. */
  private HdfsCalls before(Event event) {
    return new Wrapped(moves) {
      private boolean isOver;

      @Override
      public void copy(Move move) throws IOException {
        if (!isOver) {
          isOver = true;
          event.happen();
        }
        super.copy(move);
      }
    };
  }

  /** To do something else than HDFS in one of them. */
  static class Wrapped implements HdfsCalls {
    private final HdfsCalls inner;

    Wrapped(HdfsCalls inner) {
      this.inner = inner;
    }

    @Override
    public String storagePolicy(String path) throws IOException {
      return inner.storagePolicy(path);
    }

    @Override
    public void setStoragePolicy(String path, String policy) throws IOException {
      inner.setStoragePolicy(path, policy);
    }

    @Override
    public void copy(Move move) throws IOException {
      inner.copy(move);
    }

    @Override
    public Optional<FileView> file(String path) throws IOException {
      return inner.file(path);
    }

    @Override
    public Map<String, FileView> files(Collection<String> paths) throws IOException {
      return inner.files(paths);
    }

    @Override
    public String rack(String node) throws IOException {
      return inner.rack(node);
    }
  }
}
