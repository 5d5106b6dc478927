// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Programs that read the warehouse, each task on a host of its own. Not thread-safe. */
final class JobLoads {
  private static final int HOSTS = 40;
  private static final int CLIENT_HOST = 100;
  private static final int TRINO_HOST = 120;
  private static final int TRINO_WORKERS = 8;
  private static final int BACKUP_HOST = 140;
  private static final int SLOTS = 30;
  private static final int DISTCP_MAPS = 20;
  private static final int BACKUP_THREADS = 4;
  private static final int SPLITS_OF_A_TEZ_TASK = 3;
  private static final long CLUSTER_STARTED = 1795000000000L;
  private static final double FAILED = 0.01;
  private static final double SPECULATIVE = 0.02;

  /** Bytes of the next block that a task reads to the end of its last line. */
  private static final long TO_END_OF_LINE = 64 << 10;

  /** Of each block, of a columnar file. */
  private static final double COLUMNS = 0.3;

  private static final int COLUMN_REQUESTS = 3;

  private final Warehouse warehouse;
  private final EventQueue events;
  private final AuditTrail trail;
  private final Readers readers;
  private final SplittableRandom random;
  private final long durationMillis;
  private int applications;
  private int queries;

  /** @param applications of YARN before the first of these */
  JobLoads(
      int applications,
      Warehouse warehouse,
      EventQueue events,
      AuditTrail trail,
      Readers readers,
      SplittableRandom random,
      long durationMillis) {
    this.applications = applications;
    this.warehouse = warehouse;
    this.events = events;
    this.trail = trail;
    this.readers = readers;
    this.random = random;
    this.durationMillis = durationMillis;
  }

  /** Part of a job; calls back when it is done. */
  private interface Task {
    void run(Runnable done);
  }

  private record Split(DataFile file, int block) {}

  /**
   * Starts jobs until the end.
   *
   * @param everyMillis on average
   */
  void start(AuditLoad load, long everyMillis) {
    switch (load) {
      case MAPREDUCE -> repeat(everyMillis, () -> mapReduce(true));
      case TEZ -> {
        int session = ++applications;
        repeat(everyMillis, () -> tez(session));
      }
      case SPARK, REPORTS -> repeat(everyMillis, () -> spark(true));
      case NO_CONTEXT ->
          repeat(
              everyMillis,
              () -> {
                if (random.nextBoolean()) {
                  mapReduce(false);
                } else {
                  spark(false);
                }
              });
      case TRINO -> repeat(everyMillis, this::trino);
      case DISTCP -> {
        events.in(durationMillis / 20, this::distcp);
        events.in(durationMillis / 2, this::distcp);
      }
      case BACKUP -> events.in(durationMillis / 3, this::backup);
      default -> throw new IllegalArgumentException(load + " runs no jobs");
    }
  }

  private void repeat(long everyMillis, Runnable job) {
    long pause = (long) (-Math.log(1 - random.nextDouble()) * everyMillis);
    events.in(
        pause,
        () -> {
          job.run();
          repeat(everyMillis, job);
        });
  }

  private void run(Stream<Task> tasks, int slots) {
    Iterator<Task> left = tasks.iterator();
    for (int slot = 0; slot < slots; slot++) {
      events.in(1 + random.nextInt(500), () -> next(left));
    }
  }

  private void next(Iterator<Task> left) {
    if (left.hasNext()) {
      left.next().run(() -> next(left));
    }
  }

  private List<Warehouse.Partition> plan(Caller client) {
    List<Warehouse.Partition> scan = warehouse.nextScan();
    scan.forEach(partition -> trail.list(events.now(), client, partition.path()));
    return scan;
  }

  private static Stream<DataFile> files(List<Warehouse.Partition> partitions) {
    return partitions.stream().flatMap(partition -> partition.files().stream());
  }

  private static Stream<Split> splits(List<Warehouse.Partition> partitions) {
    return files(partitions)
        .flatMap(
            file -> IntStream.range(0, file.blocks()).mapToObj(block -> new Split(file, block)));
  }

  private int host() {
    return random.nextInt(HOSTS);
  }

  private String user() {
    return "team" + random.nextInt(12);
  }

  // --- MapReduce ---

  private void mapReduce(boolean hasContext) {
    String job = "%d_%04d".formatted(CLUSTER_STARTED, ++applications);
    String user = user();
    Caller client =
        Caller.of(user, host(), hasContext ? "mr_appmaster_appattempt_" + job + "_000001" : null);
    List<DataFile> joined = random.nextInt(3) == 0 ? warehouse.nextJoin() : List.of();
    int[] number = {0};
    run(
        splits(plan(client))
            .map(
                split -> {
                  String task = "mr_attempt_%s_m_%06d_".formatted(job, number[0]++);
                  Supplier<String> attempts = attempts(hasContext ? task : null);
                  return done -> mapTask(split, joined, user, attempts, done);
                }),
        SLOTS);
  }

  /** Names of one task's attempts. */
  private static Supplier<String> attempts(String task) {
    int[] attempt = {0};
    return () -> task == null ? null : task + attempt[0]++;
  }

  private void mapTask(
      Split split, List<DataFile> joined, String user, Supplier<String> attempts, Runnable done) {
    double luck = random.nextDouble();
    Caller caller = Caller.of(user, host(), attempts.get());
    if (luck < FAILED) {
      // Dies half-way; its successor begins again.
      Readers.Opened in = readers.open(split.file(), caller);
      in.read(split.block(), split.file().bytesOf(split.block()) / 2, 1);
      events.in(5_000, () -> mapTask(split, joined, user, attempts, done));
      return;
    }
    if (luck < FAILED + SPECULATIVE) {
      Caller second = Caller.of(user, host(), attempts.get());
      events.in(3_000, () -> mapAttempt(split, joined, second, () -> {}));
    }
    mapAttempt(split, joined, caller, done);
  }

  private void mapAttempt(Split split, List<DataFile> joined, Caller caller, Runnable done) {
    wholes(
        joined.iterator(),
        caller,
        () -> {
          Readers.Opened in = readers.open(split.file(), caller);
          in.scan(
              split.block(),
              split.block() + 1,
              1,
              1,
              () -> {
                if (split.block() + 1 < split.file().blocks()) {
                  in.read(
                      split.block() + 1,
                      Math.min(TO_END_OF_LINE, split.file().bytesOf(split.block() + 1)),
                      1);
                }
                events.in(500, done);
              });
        });
  }

  private void wholes(Iterator<DataFile> files, Caller caller, Runnable then) {
    if (files.hasNext()) {
      readers.open(files.next(), caller).whole(() -> wholes(files, caller, then));
    } else {
      then.run();
    }
  }

  // --- Tez, Spark, Trino ---

  private void tez(int session) {
    int query = ++queries;
    String vertex = "%d_%04d_%d_00".formatted(CLUSTER_STARTED, session, query);
    Caller master =
        Caller.of(
            "hive",
            CLIENT_HOST,
            "tez_dag:dag_%d_%04d_%d".formatted(CLUSTER_STARTED, session, query));
    List<DataFile> joined = random.nextBoolean() ? warehouse.nextJoin() : List.of();
    List<Split> splits = splits(plan(master)).toList();
    int tasks = (splits.size() + SPLITS_OF_A_TEZ_TASK - 1) / SPLITS_OF_A_TEZ_TASK;
    run(
        IntStream.range(0, tasks)
            .mapToObj(
                task -> {
                  Caller caller =
                      Caller.of("hive", host(), "tez_ta:attempt_%s_%06d_0".formatted(vertex, task));
                  int from = task * SPLITS_OF_A_TEZ_TASK;
                  List<Split> own =
                      splits.subList(from, Math.min(from + SPLITS_OF_A_TEZ_TASK, splits.size()));
                  return done ->
                      wholes(
                          joined.iterator(),
                          caller,
                          () -> columns(own.iterator(), caller, false, done));
                }),
        SLOTS);
  }

  private void spark(boolean hasContext) {
    String application = "application_%d_%04d".formatted(CLUSTER_STARTED, ++applications);
    String user = user();
    Caller driver = Caller.of(user, host(), hasContext ? "SPARK_CLIENT_" + application : null);
    List<Split> splits = splits(plan(driver)).toList();
    if (random.nextBoolean()) {
      Caller first =
          Caller.of(
              user,
              host(),
              hasContext ? "SPARK_TASK_" + application + "_JId_0_SId_0_0_TId_0_0" : null);
      wholes(warehouse.nextJoin().iterator(), first, () -> {});
    }
    // Executors take several tasks each.
    int[] executors = IntStream.range(0, 10).map(executor -> host()).toArray();
    run(
        IntStream.range(0, splits.size())
            .mapToObj(
                task -> {
                  String context =
                      "SPARK_TASK_%s_JId_1_SId_1_0_TId_%d_0".formatted(application, task + 1);
                  Caller caller =
                      Caller.of(user, executors[task % 10], hasContext ? context : null);
                  return done -> columns(List.of(splits.get(task)).iterator(), caller, true, done);
                }),
        SLOTS);
  }

  private void trino() {
    Caller coordinator = Caller.of("trino", TRINO_HOST, null);
    List<DataFile> joined = random.nextInt(3) == 0 ? warehouse.nextJoin() : List.of();
    List<Split> splits = splits(plan(coordinator)).toList();
    run(
        Stream.concat(
            joined.stream().map(file -> done -> readers.open(file, trinoWorker()).whole(done)),
            splits.stream()
                .map(
                    split ->
                        done -> columns(List.of(split).iterator(), trinoWorker(), false, done))),
        4 * TRINO_WORKERS);
  }

  private Caller trinoWorker() {
    return Caller.of("trino", TRINO_HOST + 1 + random.nextInt(TRINO_WORKERS), null);
  }

  /** @param isFooterApart whether the footer is read through an open of its own */
  private void columns(
      Iterator<Split> splits, Caller caller, boolean isFooterApart, Runnable done) {
    if (!splits.hasNext()) {
      events.in(200, done);
      return;
    }
    Split split = splits.next();
    Readers.Opened in = readers.open(split.file(), caller);
    in.footer();
    Readers.Opened data = isFooterApart ? readers.open(split.file(), caller) : in;
    data.scan(
        split.block(),
        split.block() + 1,
        COLUMNS,
        COLUMN_REQUESTS,
        () -> columns(splits, caller, isFooterApart, done));
  }

  // --- Everything once ---

  private void distcp() {
    String job = "%d_%04d".formatted(CLUSTER_STARTED, ++applications);
    Caller client = Caller.of("ops", CLIENT_HOST, "CLI");
    List<DataFile> files = new ArrayList<>(warehouse.files());
    for (Warehouse.Partition partition : warehouse.allPartitions()) {
      trail.list(events.now(), client, partition.path());
    }
    shuffle(files);
    List<Task> maps = new ArrayList<>();
    for (int map = 0; map < DISTCP_MAPS; map++) {
      Caller caller = Caller.of("ops", host(), "mr_attempt_%s_m_%06d_0".formatted(job, map));
      List<DataFile> own = new ArrayList<>();
      for (int file = map; file < files.size(); file += DISTCP_MAPS) {
        own.add(files.get(file));
      }
      maps.add(done -> copied(own.iterator(), caller, done));
    }
    run(maps.stream(), DISTCP_MAPS);
  }

  /** The source's checksum is asked for first: an open in the log, of which no DataNode reads data. */
  private void copied(Iterator<DataFile> files, Caller caller, Runnable done) {
    if (files.hasNext()) {
      DataFile file = files.next();
      trail.status(events.now(), caller, file.path);
      trail.open(events.now(), caller, file.path);
      readers.open(file, caller).whole(() -> copied(files, caller, done));
    } else {
      done.run();
    }
  }

  private void shuffle(List<DataFile> files) {
    for (int i = files.size() - 1; i > 0; i--) {
      Collections.swap(files, i, random.nextInt(i + 1));
    }
  }

  private void backup() {
    Caller client = Caller.of("backup", BACKUP_HOST, "CLI");
    run(
        Stream.<Task>concat(
            warehouse.allPartitions().stream()
                .map(
                    partition ->
                        done -> {
                          trail.list(events.now(), client, partition.path());
                          wholes(partition.files().iterator(), client, () -> events.in(1, done));
                        }),
            Stream.of(done -> events.in(1, done))),
        BACKUP_THREADS);
  }
}
