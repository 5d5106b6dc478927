// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.bench.FlatJson;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.testbed.cluster.ServiceSite;
import io.thermocline.testbed.image.GeneratedImage;
import io.thermocline.tiering.observe.image.FirstView;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The REST interface of a service with many files, while audit lines come in.
 *
 * <p>{@code bin/thermocline bench api}
 */
@Command(
    name = "api",
    description = {
      "A service as a process of its own, with 10 million files out of an image, while 100,000 audit lines a second come"
          + " in: how fast the questions of REST are answered, and what that takes from reading the log; plain, and with"
          + " TLS and a Kerberos ticket for each request. docs/evidence/api.md describes it.",
      "Needs 3 GB in the temporary directory and 6 GB of memory; removes what it wrote."
    },
    mixinStandardHelpOptions = true)
public final class ApiCommand implements Callable<Integer> {

  private static final String USER = "thermocline";
  private static final int LINES_PER_SECOND = 100_000;
  private static final int READ_FILES = 100_000;
  private static final int REPEATS = 3;
  private static final long GIB = 1L << 30;
  private static final Pattern PLANNED = Pattern.compile("\"plans\" : [1-9]");
  private static final ObjectMapper JSON = new ObjectMapper();

  @Option(names = "--quick", description = "200,000 files and short, for a first impression.")
  private boolean quick;

  @Option(names = "--files", paramLabel = "N", description = "How many (default: 10000000).")
  private int files;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Each asks one question after the other (default: ${DEFAULT-VALUE}).")
  private int clients = 4;

  @Option(names = "--seconds", paramLabel = "S", description = "Of each phase (default: 10).")
  private double seconds;

  @Option(
      names = "--only",
      paramLabel = "WAY",
      description = "Of the two, only ${COMPLETION-CANDIDATES} (default: one after the other).")
  private Way only;

  @Option(names = "--seed", paramLabel = "N", description = "Of all that is random (default: 1).")
  private long seed = 1;

  private final Map<String, Object> report = new TreeMap<>();

  /** How the service is reached. */
  private enum Way {
    /** By plain HTTP, without authentication. */
    PLAIN,
    /** By TLS, with a new ticket in each request. */
    SECURE
  }

  /**
   * Of each phase.
   *
   * @param alone lines a second that the service read while nobody asked
   * @param asked and while it was asked
   * @param cpuMillis that an answer took of the service's processors
   */
  private record Measured(
      List<Double> alone,
      List<Double> asked,
      List<ApiLoad.Answered> answers,
      List<Double> cpuMillis) {
    double ratio() {
      return sum(asked) / sum(alone);
    }

    double perSecond() {
      return answers.stream().mapToDouble(ApiLoad.Answered::perSecond).average().orElseThrow();
    }

    /** The median of the phases. */
    double p99() {
      return answers.stream()
          .mapToDouble(ApiLoad.Answered::p99Millis)
          .sorted()
          .toArray()[answers.size() / 2];
    }

    double cpu() {
      return median(cpuMillis.stream().mapToDouble(Double::doubleValue));
    }

    private static double median(DoubleStream values) {
      double[] sorted = values.sorted().toArray();
      return sorted[sorted.length / 2];
    }

    private static double sum(List<Double> values) {
      return values.stream().mapToDouble(Double::doubleValue).sum();
    }
  }

  @Override
  public Integer call() throws Exception {
    int count = files > 0 ? files : quick ? 200_000 : 10_000_000;
    double phase = seconds > 0 ? seconds : quick ? 3 : 10;
    Path directory = Files.createTempDirectory("thermocline-api-");
    // Also where we are stopped.
    Thread removal = new Thread(() -> FileUtil.fullyDelete(directory.toFile()));
    Runtime.getRuntime().addShutdownHook(removal);
    try (Realm realm = new Realm(directory.resolve("kdc"))) {
      Path image = directory.resolve("fsimage");
      System.out.println("generating an image of " + count + " files ...");
      GeneratedImage.write(image, count, seed, null);
      List<String> read = someOf(image, count);
      Path conf = Path.of(System.getProperty("thermocline.home", "."), "conf");
      try (EmbeddedCluster cluster =
          EmbeddedCluster.builder(directory)
              .layout(layout())
              .resource(conf.resolve("hdfs-site.thermocline.xml"))
              .resource(ServiceSite.rights(directory.resolve("rights-site.xml"), USER))
              .logFragment(conf.resolve("log4j-audit.properties"))
              .create()) {
        cluster.start();
        List<String> hot = read.subList(0, quick ? 200 : 2_000);
        System.out.println("writing the " + hot.size() + " hottest of them ...");
        write(cluster.fileSystem(), hot);
        Path log = directory.resolve("hdfs-audit.log");
        Files.createFile(log);
        for (Way way : only == null ? Way.values() : new Way[] {only}) {
          boolean secure = way == Way.SECURE;
          Path config = site(directory, cluster, conf, image, log, secure ? realm : null);
          try (LineWriter lines =
                  new LineWriter(log, hot, read, LINES_PER_SECOND, new SplittableRandom(seed));
              AskedService service = new AskedService(config, USER, flags(secure, realm))) {
            SSLContext tls = secure ? AskedService.trusting(directory) : null;
            ApiLoad load = new ApiLoad(service.address(), tls, secure ? realm::header : null);
            System.out.println("waiting for the first plan ...");
            service.await(load, "/state", PLANNED);
            put(secure ? "_secure" : "", measure(load, service, hot, phase));
            lines.check();
          }
        }
      }
      report.put("benchmark", "api");
      report.put("quick", quick);
      report.put("files", count);
      report.put("clients", clients);
      report.put("seconds_of_a_phase", phase);
      report.put("lines_per_second_written", LINES_PER_SECOND);
      report.put(
          "load_average", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
      report.put("processors", Runtime.getRuntime().availableProcessors());
      report.put("java_version", Runtime.version().toString());
      System.out.println(FlatJson.of(report));
      return 0;
    } finally {
      FileUtil.fullyDelete(directory.toFile());
      Runtime.getRuntime().removeShutdownHook(removal);
    }
  }

  private Measured measure(ApiLoad load, AskedService service, List<String> hot, double phase)
      throws Exception {
    List<String> questions = questions(hot);
    Measured measured =
        new Measured(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    // The compiler has seen each question; the reader has caught up.
    load.ask(questions, clients, phase, seed);
    for (int i = 0; i < REPEATS; i++) {
      double cpu = service.cpuSeconds();
      long before = linesRead(load);
      long start = ServiceRuntime.system().nanos().getAsLong();
      ServiceRuntime.system().pause().pause(Duration.ofMillis((long) (1000 * phase)));
      measured.alone().add((linesRead(load) - before) / since(start));
      double cpuAlone = service.cpuSeconds() - cpu;
      cpu = service.cpuSeconds();
      before = linesRead(load);
      start = ServiceRuntime.system().nanos().getAsLong();
      ApiLoad.Answered answered = load.ask(questions, clients, phase, seed + 100L * i);
      measured.asked().add((linesRead(load) - before) / since(start));
      measured.answers().add(answered);
      double more = service.cpuSeconds() - cpu - cpuAlone * answered.seconds() / phase;
      measured.cpuMillis().add(1000 * more / (answered.perSecond() * answered.seconds()));
      answered.print(i + 1 + ":");
      System.out.printf(
          "%d: lines read a second: %.0f alone, %.0f while asked; %.2f ms of a processor an answer%n",
          i + 1, measured.alone().get(i), measured.asked().get(i), measured.cpuMillis().get(i));
    }
    return measured;
  }

  private static double since(long start) {
    return (ServiceRuntime.system().nanos().getAsLong() - start) / 1e9;
  }

  /** Of the process that is asked. */
  private static long linesRead(ApiLoad load) throws Exception {
    return JSON.readTree(load.get("/state")).at("/observed/auditLines").asLong();
  }

  private void put(String suffix, Measured measured) {
    report.put("api_requests_per_second" + suffix, Math.round(measured.perSecond()));
    report.put("api_p99_ms" + suffix, round(measured.p99()));
    report.put("api_cpu_ms_per_request" + suffix, round(measured.cpu()));
    report.put("ingest_ratio_under_api_load" + suffix, round(measured.ratio()));
    report.put(
        "ingest_lines_per_second" + suffix,
        Math.round(Measured.sum(measured.asked()) / measured.asked().size()));
  }

  private static double round(double value) {
    return Math.round(1000 * value) / 1000.0;
  }

  private static List<String> questions(List<String> hot) {
    String directory = hot.get(0).substring(0, hot.get(0).lastIndexOf('/'));
    String table = directory.substring(0, directory.lastIndexOf('/'));
    return List.of(
        "/state",
        "/heat?limit=100",
        "/heat?limit=25&offset=500",
        "/directories?path=" + encoded("/warehouse/tablespace/external"),
        "/directories?path=" + encoded(table),
        "/files?path=" + encoded(hot.get(0)),
        "/files?path=" + encoded(hot.get(hot.size() / 2)),
        "/plans",
        "/moves",
        "/nodes",
        "/buckets",
        "/rules",
        "/history?limit=500",
        "/control",
        "/tasks");
  }

  private static String encoded(String path) {
    return URLEncoder.encode(path, StandardCharsets.UTF_8);
  }

  private static List<String> flags(boolean secure, Realm realm) {
    return secure
        ? List.of("-Xmx6g", "-Djava.security.krb5.conf=" + realm.settings())
        : List.of("-Xmx6g");
  }

  /**
   * @param realm null: without authentication
   */
  private static Path site(
      Path directory, EmbeddedCluster cluster, Path conf, Path image, Path log, Realm realm)
      throws IOException, InterruptedException {
    Path config;
    try (InputStream template = ApiCommand.class.getResourceAsStream("thermocline.yaml")) {
      config =
          ServiceSite.write(
              directory.resolve(realm == null ? "plain" : "secure"),
              cluster,
              conf.resolve("hdfs-site.thermocline.xml"),
              template,
              Map.of("log", log.toString(), "image", image.toString()));
    }
    if (realm != null) {
      Files.writeString(
          config,
          Files.readString(config)
              + AskedService.certificate(directory)
              + "  kerberos: {principal: "
              + realm.principal()
              + ", keytab: "
              + realm.keytab()
              + "}\n  roles: {viewer: {users: ["
              + Realm.USER
              + "]}}\n");
    }
    return config;
  }

  /** Evenly through the image, in an order of their own. */
  private List<String> someOf(Path image, int count) throws IOException {
    int each = Math.max(1, count / READ_FILES);
    List<String> some = new ArrayList<>();
    int[] passed = new int[1];
    FirstView.of(
            image, null, new Configuration(), ServiceRuntime.system().nanos(), System.out::println)
        .read(
            List.of("/warehouse"),
            path -> false,
            file -> {
              if (passed[0]++ % each == 0 && file.storagePolicy() == 0) {
                some.add(file.path());
              }
            });
    Collections.shuffle(some, new Random(seed));
    return some;
  }

  private static void write(DistributedFileSystem hdfs, List<String> paths) throws IOException {
    for (String path : paths) {
      try (OutputStream out = hdfs.create(new org.apache.hadoop.fs.Path(path), (short) 1)) {
        out.write(1);
      }
    }
  }

  private static ClusterLayout layout() {
    List<NodeLayout> nodes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      nodes.add(
          new NodeLayout(
              "dn" + i + ".test",
              "/rack" + i % 2,
              Map.of(StorageType.DISK, 4 * GIB, StorageType.SSD, GIB)));
    }
    return new ClusterLayout(nodes, ClusterLayout.DEMO_BLOCK_SIZE);
  }
}
