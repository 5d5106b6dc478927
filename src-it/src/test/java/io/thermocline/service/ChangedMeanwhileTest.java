// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.HdfsActionCalls;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.MutexCalls;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.mover.MoverClient;
import io.thermocline.tiering.act.mover.RemoteActionCalls;
import io.thermocline.tiering.act.mover.RemoteMoves;
import io.thermocline.tiering.app.plans.ApplyMode;
import io.thermocline.tiering.app.records.LayoutOwners;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.process.ServiceThreads;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client sets, unsets and replaces what the service is about to set a storage policy on, at random instants around each
 * of its calls. Neighboring lines of the
 * audit log are in either order, as in a NameNode, which writes them after it released its lock. The calls are the service's
 * own, or those of a mover, a process of the package. More of it with -Dchanged.trials=10000 -Dchanged.seed=1.
 */
@Tag("cluster")
class ChangedMeanwhileTest {

  private static final int TRIALS = Integer.getInteger("changed.trials", 200);
  private static final int TRIALS_APART = Integer.getInteger("changed.trials", 50);
  private static final long SEED = Long.getLong("changed.seed", System.nanoTime());
  private static final int FILES = 50;
  private static final String DIRECTORY = "/changed";
  private static final String MOVER = "mover";
  private static final long EPOCH = 1;
  private static final String OURS = "ONE_SSD";
  private static final org.apache.hadoop.fs.Path MUTEX =
      new org.apache.hadoop.fs.Path("/system/thermocline/mover.id");

  private static final Pattern CHANGE =
      Pattern.compile("^\\S+ (\\S+) .*cmd=setStoragePolicy\\tsrc=(\\S+)");
  private static final String BY_SERVICE = "callerContext=thermocline";

  /** What the client does to a file, and which policy is in force after it. */
  private enum Change {
    NOTHING(OURS),
    SET_ANOTHER("COLD"),
    SET_THE_SAME(OURS),
    SET_AND_UNSET(""),
    MADE_ANEW("WARM");

    private final String after;

    Change(String after) {
      this.after = after;
    }
  }

  @TempDir private Path temp;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Map<String, Future<?>> changes = new ConcurrentHashMap<>();
  private int copied;
  private ServedCluster cluster;
  private DistributedFileSystem hdfs;

  /** Who makes the changes. */
  private record Hands(MutexCalls moves, ActionCalls actions, Supplier<String> mover) {}

  @Test
  void whatAClientSetsIsNeitherReplacedNorClaimed() throws Exception {
    try (ServedCluster started =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD))) {
      cluster = started;
      asService(TRIALS, Duration.ofMillis(4), this::own);
    }
  }

  /** It looks once more after the service did, and each of its calls takes longer. */
  @Test
  void norWhereAMoverApartMakesTheChanges() throws Exception {
    Map<String, String> users =
        Map.of(
            CommonConfigurationKeys.HADOOP_USER_GROUP_STATIC_OVERRIDES,
            ServiceProcess.USER + "=people;" + MOVER + "=supergroup;dr.who=");
    try (ServedCluster started =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD), 1, users)) {
      cluster = started;
      Path socket = temp.resolve("mover.sock");
      Path directory = Files.createDirectories(temp.resolve("mover"));
      Path config = moverConfig(directory, socket);
      try (ServiceProcess mover =
          ServiceProcess.asThisUser(directory, MOVER, "mover", config).logs("listening at")) {
        asService(TRIALS_APART, Duration.ofMillis(10), budget -> apart(socket, budget));
        mover.terminate();
      }
    }
  }

  private Hands own(OperationBudget budget) throws IOException {
    return new Hands(
        new DirectedMoves(hdfs.getUri(), MUTEX, hdfs.getConf()),
        actions(cluster.superuser(), budget),
        () -> "");
  }

  private Hands apart(Path socket, OperationBudget budget) throws IOException {
    MoverClient mover =
        new MoverClient(
            socket,
            System.getProperty("user.name"),
            new MoverClient.Terms(MoverClient.Away.FAIL, EPOCH),
            System::nanoTime,
            ServiceRuntime.system().pause());
    DistributedFileSystem ordinary = cluster.as(ServiceProcess.USER);
    RemoteMoves moves = new RemoteMoves(ordinary.getClient(), mover, budget);
    // It acts for the service from then on.
    moves.read();
    return new Hands(moves, new RemoteActionCalls(mover, actions(ordinary, budget)), moves::user);
  }

  private static ActionCalls actions(DistributedFileSystem as, OperationBudget budget) {
    return new HdfsActionCalls(
        as.getClient(),
        ServiceProcess.USER,
        new HdfsActionCalls.Pool("thermocline", 1 << 20, Duration.ofDays(1)),
        budget,
        Clock.systemUTC());
  }

  private Path moverConfig(Path directory, Path socket) throws IOException {
    Path hadoop = Files.createDirectories(directory.resolve("hadoop"));
    Files.copy(temp.resolve("hadoop/core-site.xml"), hadoop.resolve("core-site.xml"));
    // Where it reads the edit log.
    String web = DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY;
    ServiceSetup.site(
        hadoop.resolve("hdfs-site.xml"), Map.of(web, cluster.superuser().getConf().get(web)));
    return Files.writeString(
        directory.resolve("mover.yaml"),
        Files.readString(ServiceSetup.CONF.resolve("mover.yaml"))
            .replace("/etc/hadoop/conf", hadoop.toString())
            .replace("/run/thermocline-mover/mover.sock", socket.toString())
            .replace("user: thermocline\n", "user: " + System.getProperty("user.name") + "\n")
            .replace("paths: [/warehouse]", "paths: [" + DIRECTORY + "]")
            .replace("operations: 100000", "operations: 100000000")
            .replace("nameNodeOperations: 500", "nameNodeOperations: 100000"));
  }

  private interface Connecting {
    Hands connect(OperationBudget budget) throws IOException;
  }

  private void asService(int trials, Duration around, Connecting connecting) throws Exception {
    hdfs = cluster.superuser();
    UserGroupInformation user = UserGroupInformation.createRemoteUser(ServiceProcess.USER);
    try (Journal journal = Journal.open(temp.resolve("journal"))) {
      user.doAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                run(journal, user, trials, around, connecting);
                return null;
              });
    }
  }

  private void run(
      Journal journal,
      UserGroupInformation user,
      int trials,
      Duration around,
      Connecting connecting)
      throws Exception {
    ServiceThreads threads = new ServiceThreads(user, "thermocline");
    ExecutorService copiers = Executors.newFixedThreadPool(4, threads.named("copy"));
    // Its own calls have a caller context, as in a service.
    ExecutorService service = Executors.newSingleThreadExecutor(threads.named("service"));
    ScheduledExecutorService client = Executors.newScheduledThreadPool(4);
    OperationBudget budget =
        new OperationBudget(
            1_000_000, System::nanoTime, wait -> TimeUnit.NANOSECONDS.sleep(wait.toNanos()));
    Hands hands = service.submit(() -> connecting.connect(budget)).get();
    ActionCalls actions = hands.actions();
    try (MutexCalls moves = hands.moves();
        AuditSource log = log()) {
      copyLog();
      log.poll(access -> {}, Long.MAX_VALUE);
      ActLimits limits =
          new ActLimits(
              4, 4, 1, Duration.ofMillis(1), Duration.ofMillis(50), Duration.ofSeconds(5));
      Disturbed disturbed = new Disturbed(moves, client, around);
      ApplyMode mode =
          new ApplyMode(
              new ApplyMode.Hands(
                  disturbed,
                  (machinery, policies) ->
                      new PlanExecutor(disturbed, limits, Pacing.unlimited(), machinery, policies),
                  actions,
                  copiers),
              limits,
              "thermocline",
              journal,
              ServiceRuntime.system());
      LayoutOwners owners =
          new LayoutOwners(
              journal, mode::record, mode::writeNoted, path -> 0, hands.mover(), Clock.systemUTC());
      Map<String, Integer> found = new TreeMap<>();
      int overwritten = 0;
      for (int first = 0; first < trials; first += FILES) {
        List<Plan.FileMoves> files = new ArrayList<>();
        for (int i = first; i < Math.min(trials, first + FILES); i++) {
          files.add(file(DIRECTORY + "/d" + first + "/f" + i));
        }
        disturbed.schedule(files);
        Plan plan = new Plan(1 + first, files, List.of());
        service.submit(callable(() -> mode.handle(plan))).get();
        for (Future<?> change : changes.values()) {
          change.get();
        }
        // A settled policy makes another line of ours.
        for (int i = 0; i < 12; i++) {
          copyLog();
          log.poll(owners::accept, Long.MAX_VALUE);
          owners.endOfPoll();
          service.submit(() -> owners.settle(moves, actions)).get();
        }
        for (Plan.FileMoves file : files) {
          overwritten += check(file.path(), disturbed.of(file.path()), journal, moves, found);
        }
      }
      System.out.println(
          "seed "
              + SEED
              + ": "
              + found
              + ", "
              + owners.unrestored()
              + " within the window of the call");
      assertEquals(0, overwritten, () -> "seed " + SEED + ": lost");
      assertEquals(0, owners.unrestored(), () -> "seed " + SEED);
    } finally {
      client.shutdownNow();
      copiers.shutdownNow();
      service.shutdownNow();
    }
  }

  /** Returns 1 where what the client set is lost. */
  private static int check(
      String path, Change change, Journal journal, HdfsCalls moves, Map<String, Integer> found)
      throws IOException {
    String now = moves.storagePolicy(path);
    boolean isKept = now.equals(change.after);
    // It may have been set, and taken back, while nobody cared.
    boolean isIn = change == Change.SET_AND_UNSET && now.equals(OURS);
    found.merge(change + (isKept ? " in force" : isIn ? " ours since" : " lost"), 1, Integer::sum);
    if (change != Change.NOTHING && !isIn) {
      assertTrue(
          now.isEmpty() || !journal.maySet(path, now),
          () -> "seed " + SEED + ": " + path + " is claimed after " + change);
    } else if (change == Change.NOTHING) {
      assertEquals(OURS, now, path);
      assertTrue(journal.maySet(path, OURS), path);
    }
    return isKept || isIn ? 0 : 1;
  }

  private AuditSource log() throws IOException {
    Files.createFile(copiedLog());
    return new AuditSource(
        List.of(new AuditLog("test", copiedLog(), ZoneId.systemDefault(), null)),
        LogStart.END,
        AccessSettings.defaults(AccessSettings.Ignored.nothing())
            .without(ServiceProcess.USER, "thermocline"),
        SourceCheckpoint.none(),
        Clock.systemUTC());
  }

  private Path copiedLog() {
    return temp.resolve("audit-in-some-order.log");
  }

  /** What the NameNode wrote since the last time; of two changes within 5 ms, the service's first or last. */
  private void copyLog() throws IOException {
    List<String> all = Files.readAllLines(cluster.auditLog());
    List<String> fresh = all.subList(copied, all.size());
    copied = all.size();
    Map<String, Integer> last = new HashMap<>();
    TreeMap<Double, String> ordered = new TreeMap<>();
    for (int i = 0; i < fresh.size(); i++) {
      String line = fresh.get(i);
      ordered.put((double) i, line);
      Matcher change = CHANGE.matcher(line);
      if (change.find()) {
        Integer before = last.put(change.group(2), i);
        if (before != null && areInEitherOrder(fresh.get(before), line) && random.nextBoolean()) {
          boolean isOurs = line.contains(BY_SERVICE);
          ordered.put(
              isOurs ? before - 0.5 : i + 0.5, ordered.remove((double) (isOurs ? i : before)));
        }
      }
    }
    Files.write(copiedLog(), ordered.values(), StandardOpenOption.APPEND);
  }

  private static boolean areInEitherOrder(String line, String next) {
    return line.contains(BY_SERVICE) != next.contains(BY_SERVICE)
        && !at(next).minus(Duration.ofMillis(5)).isAfter(at(line));
  }

  private static LocalTime at(String line) {
    Matcher change = CHANGE.matcher(line);
    assertTrue(change.find(), line);
    return LocalTime.parse(change.group(1).replace(',', '.'));
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private static Callable<Void> callable(Step step) {
    return () -> {
      step.run();
      return null;
    };
  }

  private void write(String path) throws IOException {
    try (OutputStream out =
        hdfs.create(new org.apache.hadoop.fs.Path(path), true, 1024, (short) 1, 1 << 20)) {
      out.write(1);
    }
  }

  private Plan.FileMoves file(String path) throws IOException {
    write(path);
    FileView file = new HdfsReader(hdfs.getClient()).file(path).orElseThrow();
    FileView.Block block = file.blocks().get(0);
    Move move =
        new Move(
            "0-" + path,
            path,
            block,
            block.replicas().get(0),
            block.replicas().get(0).node(),
            "",
            StorageType.SSD);
    return new Plan.FileMoves(
        new Decision(
            new HotFile(file, 1),
            StorageType.DISK,
            new Target(List.of(StorageType.SSD), OURS),
            Decision.Cause.PROMOTED,
            "1.0 reads",
            new Gate.Benefit(2, 0, 1)),
        OURS,
        List.of(move));
  }

  /** HDFS with a client who comes just before, within or just after each call; copies are not what this is about. */
  private final class Disturbed extends MoveOutcomesTest.Wrapped {
    private final HdfsCalls moves;
    private final ScheduledExecutorService client;
    private final Map<String, Change> planned = new ConcurrentHashMap<>();
    private final LongSupplier delays;

    Disturbed(HdfsCalls moves, ScheduledExecutorService client, Duration around) {
      super(moves);
      this.moves = moves;
      this.client = client;
      SplittableRandom jitter = random.split();
      this.delays =
          () -> {
            synchronized (jitter) {
              return jitter.nextLong(around.toNanos());
            }
          };
    }

    Change of(String path) {
      return planned.get(path);
    }

    /** One in four comes at any time from the plan on, the others around the call. */
    void schedule(List<Plan.FileMoves> files) {
      changes.clear();
      for (Plan.FileMoves file : files) {
        Change[] all = Change.values();
        planned.put(file.path(), all[random.nextInt(all.length)]);
        if (random.nextInt(4) == 0) {
          come(file.path(), random.nextLong(200_000_000));
        }
      }
    }

    private void come(String path, long nanos) {
      changes.computeIfAbsent(
          path,
          first ->
              client.schedule(
                  callable(() -> change(path, planned.get(path))), nanos, TimeUnit.NANOSECONDS));
    }

    @Override
    public void setStoragePolicy(String path, String policy, FileView file) throws IOException {
      come(path, delays.getAsLong());
      try {
        TimeUnit.NANOSECONDS.sleep(delays.getAsLong());
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      moves.setStoragePolicy(path, policy, file);
    }

    @Override
    public void copy(Move move) throws IOException {
      throw new IOException("no copies here");
    }

    @Override
    public Map<String, FileView> files(Collection<String> paths) throws IOException {
      return moves.files(paths);
    }

    @Override
    public Optional<FileView> file(String path) throws IOException {
      return moves.file(path);
    }
  }

  private void change(String path, Change change) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    switch (change) {
      case SET_ANOTHER, SET_THE_SAME -> hdfs.setStoragePolicy(file, change.after);
      case SET_AND_UNSET -> {
        hdfs.setStoragePolicy(file, "COLD");
        hdfs.unsetStoragePolicy(file);
      }
      case MADE_ANEW -> {
        assertTrue(hdfs.delete(file, false));
        write(path);
        hdfs.setStoragePolicy(file, change.after);
      }
      case NOTHING -> {
        // The service is alone.
      }
    }
  }
}
