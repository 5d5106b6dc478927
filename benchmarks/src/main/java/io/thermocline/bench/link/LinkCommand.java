// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.link;

import io.thermocline.bench.FlatJson;
import io.thermocline.placement.model.SystemRuntime;
import io.thermocline.redundancy.chunk.ChunkSize;
import io.thermocline.redundancy.chunk.Chunker;
import io.thermocline.redundancy.chunk.Cuts;
import io.thermocline.redundancy.chunk.GearChunker;
import io.thermocline.redundancy.flow.ChunkingPolicy;
import io.thermocline.redundancy.flow.ChunkingRule;
import io.thermocline.redundancy.flow.ControllerSettings;
import io.thermocline.redundancy.flow.FlowTable;
import io.thermocline.redundancy.index.ChunkHasher;
import io.thermocline.redundancy.index.TenantKey;
import io.thermocline.redundancy.link.Gateway;
import io.thermocline.redundancy.link.GatewayState;
import io.thermocline.redundancy.link.Sender;
import io.thermocline.redundancy.link.SenderSession.Content;
import io.thermocline.redundancy.store.LocalStore;
import io.thermocline.redundancy.work.WorkerPool;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Four flows across a slow line, with each chunking policy. */
@Command(
    name = "link",
    mixinStandardHelpOptions = true,
    description = {
      "Copies four generated flows (table 4.4 of the VNRE chapter) through a proxy with a rate and a delay, with our"
          + " controller, two content-defined and two fixed policies, zstd alone, and nothing. Prints throughput and"
          + " redundancy elimination by flow and policy. docs/guides/link.md describes it."
    })
public final class LinkCommand implements Callable<Integer> {

  private static final TenantKey KEY = new TenantKey("bench", new byte[32]);

  @Option(
      names = "--megabytes",
      paramLabel = "N",
      defaultValue = "48",
      description = "of each flow (default: ${DEFAULT-VALUE})")
  private int megabytes;

  @Option(
      names = "--mbit",
      paramLabel = "N",
      split = ",",
      defaultValue = "200,1000",
      description = "rates of the line (default: ${DEFAULT-VALUE})")
  private List<Long> rates;

  @Option(
      names = "--round-trip-ms",
      paramLabel = "N",
      defaultValue = "20",
      description = "of the line (default: ${DEFAULT-VALUE})")
  private int roundTrip;

  @Option(
      names = "--interval-ms",
      paramLabel = "N",
      defaultValue = "500",
      description = "of the controller: runs are seconds, not days (default: ${DEFAULT-VALUE})")
  private long interval;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "of the flows (default: ${DEFAULT-VALUE})")
  private long seed;

  /** The rules of a policy; null for our controller's. */
  private static Map<String, ChunkingRule> policies() {
    Map<String, ChunkingRule> policies = new LinkedHashMap<>();
    policies.put("controller", null);
    policies.put("content_512", new ChunkingRule(ChunkingPolicy.CONTENT_DEFINED, 512, true));
    policies.put("content_8k", new ChunkingRule(ChunkingPolicy.CONTENT_DEFINED, 8192, true));
    policies.put("fixed_512", new ChunkingRule(ChunkingPolicy.FIXED, 512, true));
    policies.put("fixed_8k", new ChunkingRule(ChunkingPolicy.FIXED, 8192, true));
    policies.put("zstd", new ChunkingRule(ChunkingPolicy.NONE, 8192, true));
    policies.put("none", new ChunkingRule(ChunkingPolicy.NONE, 8192, false));
    return policies;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("benchmark", "link");
    report.put("megabytes", megabytes);
    report.put("round_trip_ms", roundTrip);
    report.put("interval_ms", interval);
    report.put("seed", seed);
    speeds(report);
    Map<TransferFlow, List<byte[]>> flows = new LinkedHashMap<>();
    for (TransferFlow flow : TransferFlow.values()) {
      flows.put(flow, flow.files(new Random(seed + flow.ordinal()), megabytes * 1_000_000));
    }
    // Once without a figure: the compiler's time is no property of the first policy.
    run("warm-up", null, flows, 10_000, new LinkedHashMap<>());
    for (long mbit : rates) {
      for (Map.Entry<String, ChunkingRule> policy : policies().entrySet()) {
        run(policy.getKey(), policy.getValue(), flows, mbit, report);
      }
    }
    System.out.println(FlatJson.of(report));
    return 0;
  }

  private void run(
      String name,
      ChunkingRule rule,
      Map<TransferFlow, List<byte[]>> flows,
      long mbit,
      Map<String, Object> report)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("thermocline-link");
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    GatewayState state = GatewayState.of(new LocalStore(directory), Map.of("bench", KEY), 1 << 20);
    Random random = new Random(seed);
    try (Gateway gateway = new Gateway(server, state, 8, () -> nonce(random), line -> {});
        ThinLink line = new ThinLink(gateway.port(), mbit * 1_000_000, roundTrip);
        WorkerPool workers = new WorkerPool(2, 2)) {
      Thread thread = new Thread(() -> serve(gateway), "gateway");
      thread.setDaemon(true);
      thread.start();
      double allSeconds = 0;
      long allBytes = 0;
      long allSent = 0;
      for (Map.Entry<TransferFlow, List<byte[]>> flow : flows.entrySet()) {
        FlowTable table = table(rule, mbit);
        long start = nanos();
        Sender.Report sent = send(flow.getKey(), flow.getValue(), table, line, workers, random);
        double seconds = (nanos() - start) / 1e9;
        if (sent.failed() > 0) {
          throw new IOException(name + ", " + flow.getKey() + ": " + sent.problems());
        }
        String prefix = name + "_" + mbit + "mbit_" + flow.getKey().name().toLowerCase(Locale.ROOT);
        double megabytesPerSecond = sent.sent().dataSize() / seconds / 1e6;
        report.put(prefix + "_mb_per_s", round(megabytesPerSecond));
        report.put(prefix + "_re", round(sent.sent().ratio()));
        report.put(prefix + "_chunking_re", round(sent.sent().chunkingRatio()));
        allSeconds += seconds;
        allBytes += sent.sent().dataSize();
        allSent += sent.sent().sendingSize();
        System.out.printf(
            Locale.ROOT,
            "%4d Mbit/s %-11s %-5s %7.1f MB/s, RE %5.1f %%, processing %6.0f MB/s; %s%n",
            mbit,
            name,
            flow.getKey(),
            megabytesPerSecond,
            100 * sent.sent().ratio(),
            sent.sent().throughput() / 1e6,
            table.flows().get(0).state().rule());
      }
      report.put(name + "_" + mbit + "mbit_mb_per_s", round(allBytes / allSeconds / 1e6));
      report.put(name + "_" + mbit + "mbit_re", round(1 - (double) allSent / allBytes));
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** A fixed policy is a table whose first interval never ends. */
  private FlowTable table(ChunkingRule rule, long mbit) {
    ControllerSettings settings = ControllerSettings.DEFAULT.withMinThroughput(mbit * 125_000.0);
    return rule == null
        ? new FlowTable(
            settings.withInterval(Duration.ofMillis(interval)),
            100,
            ChunkingRule::first,
            change -> System.out.println("  " + change))
        : new FlowTable(settings.withInterval(Duration.ofDays(1)), 100, kind -> rule, change -> {});
  }

  @SystemRuntime
  private static Sender.Report send(
      TransferFlow flow,
      List<byte[]> files,
      FlowTable table,
      ThinLink line,
      WorkerPool workers,
      Random random)
      throws InterruptedException {
    List<Sender.Item> items = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      items.add(new Sender.Item(flow + "/" + i, "/" + flow, content(files.get(i))));
    }
    return new Sender(
            () -> new Socket(InetAddress.getLoopbackAddress(), line.port()),
            KEY,
            table,
            workers,
            new Sender.Settings("bench", "link", 4, 1, 1),
            new Sender.Runtime(
                System::currentTimeMillis, System::nanoTime, millis -> {}, () -> nonce(random)),
            each -> {})
        .send(items);
  }

  private static Content content(byte[] data) {
    return new Content() {
      @Override
      public long length() {
        return data.length;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(data);
      }

      @Override
      public boolean isUnchanged() {
        return true;
      }
    };
  }

  private static void serve(Gateway gateway) {
    try {
      gateway.run();
    } catch (IOException e) {
      System.err.println("gateway: " + e);
    }
  }

  private static byte[] nonce(Random random) {
    byte[] nonce = new byte[16];
    random.nextBytes(nonce);
    return nonce;
  }

  /** GB/s of one core, on random bytes: the best of some rounds. */
  private void speeds(Map<String, Object> report) {
    byte[] data = new byte[32 << 20];
    new Random(seed).nextBytes(data);
    ChunkHasher hasher = new ChunkHasher(KEY);
    for (int size : new int[] {512, 8192}) {
      Chunker gear = new GearChunker(ChunkSize.of(size));
      int[] cuts = Cuts.of(gear, data, data.length, true).lengths();
      speed(
          report,
          "rabin_" + size,
          data,
          () -> Cuts.of(new RabinChunker(ChunkSize.of(size)), data, data.length, true));
      speed(report, "gear_" + size, data, () -> Cuts.of(gear, data, data.length, true));
      speed(report, "gear_and_hash_" + size, data, () -> hash(hasher, gear, data));
      speed(
          report,
          "fingerprint_" + size,
          data,
          () -> {
            int at = 0;
            for (int cut : cuts) {
              hasher.fingerprint(data, at, cut);
              at += cut;
            }
          });
    }
  }

  private static void hash(ChunkHasher hasher, Chunker chunker, byte[] data) {
    int at = 0;
    for (int cut : Cuts.of(chunker, data, data.length, true).lengths()) {
      hasher.hash(data, at, cut);
      at += cut;
    }
  }

  private static void speed(Map<String, Object> report, String name, byte[] data, Runnable task) {
    double best = 0;
    for (int round = 0; round < 6; round++) {
      long start = nanos();
      task.run();
      best = Math.max(best, data.length / (double) (nanos() - start));
    }
    report.put(name + "_gb_per_s", round(best));
    System.out.printf(Locale.ROOT, "%-20s %5.2f GB/s%n", name, best);
  }

  @SystemRuntime
  private static long nanos() {
    return System.nanoTime();
  }

  private static double round(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
