// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import io.thermocline.testbed.workload.Zipf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Clients with data of their own: HBase, logs, training, a gateway, shells. Not thread-safe. */
final class OtherLoads {
  private static final long MB = 1 << 20;
  private static final int REGION_SERVER = 150;
  private static final int REGION_SERVERS = 6;
  private static final int REGIONS = 60;
  private static final int STORE_FILES = 3;
  private static final int GETS_A_SECOND = 400;
  private static final int GET_BYTES = 64 << 10;
  private static final int SERVICES = 30;
  private static final int SERVICE_HOST = 160;
  private static final int TAIL_HOST = 200;
  private static final int DATA_SETS = 6;
  private static final int SAMPLE_FILES = 600;
  private static final int WORKERS = 8;
  private static final int WORKER_HOST = 210;
  private static final int USERS = 40;
  private static final int FILES_OF_A_USER = 60;
  private static final int GATEWAY = 230;
  private static final int SHELL_HOST = 240;
  private static final int FOLLOW_MILLIS = 5_000;

  private final EventQueue events;
  private final AuditTrail trail;
  private final Readers readers;
  private final SplittableRandom random;
  private final long durationMillis;
  private final List<List<DataFile>> regions = new ArrayList<>();
  private final List<DataFile> logs = new ArrayList<>();
  private final List<List<DataFile>> dataSets = new ArrayList<>();
  private final List<List<DataFile>> homes = new ArrayList<>();
  private final Zipf regionPopularity = new Zipf(REGIONS, 1);
  private final Zipf userPopularity = new Zipf(USERS, 0.7);
  private final Zipf filePopularity = new Zipf(FILES_OF_A_USER, 1);
  private final Zipf logPopularity = new Zipf(SERVICES, 1);

  OtherLoads(
      EventQueue events,
      AuditTrail trail,
      Readers readers,
      SplittableRandom random,
      long durationMillis) {
    this.events = events;
    this.trail = trail;
    this.readers = readers;
    this.random = random;
    this.durationMillis = durationMillis;
    for (int region = 0; region < REGIONS; region++) {
      regions.add(
          files("/hbase/data/default/t/r%04x/cf/%%08x".formatted(region), STORE_FILES, 200, 3_000));
    }
    logs.addAll(files("/logs/service%02d/current.log", SERVICES, 20, 300));
    for (int set = 0; set < DATA_SETS; set++) {
      dataSets.add(files("/samples/set%d/shard-%%05d.tar".formatted(set), SAMPLE_FILES, 4, 300));
    }
    for (int user = 0; user < USERS; user++) {
      homes.add(files("/user/u%02d/file%%03d".formatted(user), FILES_OF_A_USER, 1, 2_000));
    }
  }

  /** Files of so many megabytes, the logarithms of their lengths even. */
  private List<DataFile> files(String pattern, int count, long from, long to) {
    List<DataFile> files = new ArrayList<>();
    for (int file = 0; file < count; file++) {
      double megabytes = from * Math.pow((double) to / from, random.nextDouble());
      files.add(new DataFile(pattern.formatted(file), (long) (megabytes * MB)));
    }
    return files;
  }

  List<DataFile> files(AuditLoad.Data data) {
    return switch (data) {
      case HBASE -> flat(regions);
      case LOGS -> logs;
      case SAMPLES -> flat(dataSets);
      case HOMES -> flat(homes);
      case WAREHOUSE, REPORTS -> throw new IllegalArgumentException(data + " has tables");
    };
  }

  private static List<DataFile> flat(List<List<DataFile>> lists) {
    return lists.stream().flatMap(List::stream).toList();
  }

  /**
   * Starts clients, who go on to the end.
   *
   * @param everyMillis on average, where they come one by one
   */
  void start(AuditLoad load, long everyMillis) {
    switch (load) {
      case HBASE -> hbase(everyMillis);
      case LOG -> logs();
      case ML -> training();
      case HTTPFS -> every(everyMillis / 30, this::gateway);
      case SHELL -> every(everyMillis / 30, this::shell);
      default -> throw new IllegalArgumentException(load + " runs jobs");
    }
  }

  private void every(long millis, Runnable client) {
    events.in(
        (long) (-Math.log(1 - random.nextDouble()) * millis),
        () -> {
          client.run();
          every(millis, client);
        });
  }

  // --- HBase ---

  private void hbase(long everyMillis) {
    for (int region = 0; region < REGIONS; region++) {
      Caller server = regionServer(region);
      for (DataFile file : regions.get(region)) {
        events.in(
            random.nextInt(60_000),
            () -> {
              // Where its blocks lie, which is an open in the log; then the stream that gets read
              // from.
              trail.open(events.now(), server, file.path);
              readers.open(file, server).footer();
            });
      }
    }
    events.in(60_000, this::gets);
    every(everyMillis, this::scanRegion);
  }

  private static Caller regionServer(int region) {
    return Caller.of("hbase", REGION_SERVER + region % REGION_SERVERS, null);
  }

  /** A second of gets, through streams that are open: no line tells of them. */
  private void gets() {
    for (int get = 0; get < GETS_A_SECOND; get++) {
      List<DataFile> files = regions.get(regionPopularity.draw(random));
      readers.get(files.get(random.nextInt(STORE_FILES)), GET_BYTES);
    }
    events.in(1_000, this::gets);
  }

  /** A long scan reads through streams of its own. */
  private void scanRegion() {
    int region = regionPopularity.draw(random);
    wholes(regions.get(region).iterator(), regionServer(region));
  }

  private void wholes(Iterator<DataFile> files, Caller caller) {
    if (files.hasNext()) {
      readers.open(files.next(), caller).whole(() -> wholes(files, caller));
    }
  }

  // --- Logs ---

  private void logs() {
    for (int service = 0; service < SERVICES; service++) {
      Caller writer = Caller.of("service" + service, SERVICE_HOST + service, null);
      DataFile log = logs.get(service);
      long bytes = (1 + random.nextInt(20)) * 50_000L;
      events.in(random.nextInt(60_000), () -> append(log, writer, bytes));
    }
    for (int reader = 0; reader < 12; reader++) {
      Caller follower = Caller.of("ops" + reader, TAIL_HOST + reader % 8, "CLI");
      DataFile log = logs.get(logPopularity.draw(random));
      follow(log, follower, log.length - 1024);
    }
  }

  private void append(DataFile log, Caller writer, long bytes) {
    trail.append(events.now(), writer, log.path);
    log.length += bytes;
    events.in(20_000 + random.nextInt(20_000), () -> append(log, writer, bytes));
  }

  /** As the shell's tail -f: opens the file each five seconds, and reads what is new, if anything is. */
  private void follow(DataFile log, Caller reader, long from) {
    trail.status(events.now(), reader, log.path);
    long end = log.length;
    Readers.Opened in = readers.open(log, reader);
    if (end > from) {
      in.read(log.blocks() - 1, Math.min(end - from, DataFile.BLOCK), 1);
    }
    events.in(FOLLOW_MILLIS, () -> follow(log, reader, end));
  }

  // --- Training ---

  /** Data set n is read through n times as often as the last, each pass in another order. */
  private void training() {
    for (int set = 0; set < DATA_SETS; set++) {
      int epochs = 1 << (DATA_SETS - 1 - set);
      long pause = durationMillis / (epochs + 1);
      for (int epoch = 0; epoch < epochs; epoch++) {
        List<DataFile> files = dataSets.get(set);
        events.in(epoch * pause + random.nextInt(10_000), () -> epoch(files));
      }
    }
  }

  private void epoch(List<DataFile> files) {
    List<DataFile> order = new ArrayList<>(files);
    for (int i = order.size() - 1; i > 0; i--) {
      Collections.swap(order, i, random.nextInt(i + 1));
    }
    for (int worker = 0; worker < WORKERS; worker++) {
      int first = worker;
      Caller caller = Caller.of("ml", WORKER_HOST + worker / 2, null);
      wholes(
          IntStream.range(0, order.size())
              .filter(file -> file % WORKERS == first)
              .mapToObj(order::get)
              .iterator(),
          caller);
    }
  }

  // --- People ---

  private DataFile home(int user) {
    return homes.get(user).get(filePopularity.draw(random));
  }

  private void gateway() {
    int user = userPopularity.draw(random);
    Caller caller =
        new Caller(
            "u%02d (auth:PROXY) via httpfs (auth:SIMPLE)".formatted(user),
            Caller.address(GATEWAY),
            null);
    DataFile file = home(user);
    trail.status(events.now(), caller, file.path);
    if (random.nextInt(4) > 0) {
      readers.open(file, caller).whole(() -> {});
    } else {
      int block = random.nextInt(file.blocks());
      readers.open(file, caller).read(block, Math.min(MB, file.bytesOf(block)), 1);
    }
  }

  /** Whole files, heads of files, and a script that reads a file a hundred times. */
  private void shell() {
    int user = userPopularity.draw(random);
    Caller caller = Caller.of("u%02d".formatted(user), SHELL_HOST + user, "CLI");
    DataFile file = home(user);
    trail.status(events.now(), caller, file.path);
    int what = random.nextInt(20);
    if (what == 0 && file.blocks() == 1) {
      again(file, caller, 100);
    } else if (what < 5) {
      readers.open(file, caller).read(0, Math.min(4096, file.length), 1);
    } else {
      readers.open(file, caller).whole(() -> {});
    }
  }

  private void again(DataFile file, Caller caller, int times) {
    if (times > 0) {
      readers.open(file, caller).whole(() -> events.in(60, () -> again(file, caller, times - 1)));
    }
  }
}
