// SPDX-License-Identifier: Apache-2.0
package io.thermocline.fuzz;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.testbed.cluster.ServiceSite;
import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.Reaper;
import io.thermocline.tiering.act.Pause;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Tokens;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * An installed service, as an ordinary user, that acts on a small HDFS in this process, with files that are read, and a
 * token for its interface.
 */
final class FuzzedService implements AutoCloseable {

  private static final String USER = "thermocline";
  private static final long MIB = 1L << 20;
  private static final Pattern ADDRESS = Pattern.compile("REST at (http://[^/\\s]+)/");
  private static final int FILE_BYTES = 64 * 1024;
  private static final List<String> FILES =
      List.of("/data/a", "/data/b", "/data/sub/c", "/data/sub/<i>d</i>", "/data/e f+g%20h");

  private final EmbeddedCluster cluster;
  private final DistributedFileSystem reader;
  private final String token = Tokens.draw(new SecureRandom());
  private final Path out;
  private final Process service;

  /**
   * @param configuration the directory of what an administrator copies, of the checkout that is installed
   */
  FuzzedService(Path directory, Path configuration) throws Exception {
    Path hdfsSite = configuration.resolve("hdfs-site.thermocline.xml");
    this.cluster =
        EmbeddedCluster.builder(directory)
            .layout(new ClusterLayout(nodes(), ClusterLayout.DEMO_BLOCK_SIZE))
            .resource(hdfsSite)
            .resource(ServiceSite.rights(directory.resolve("rights-site.xml"), USER))
            .logFragment(configuration.resolve("log4j-audit.properties"))
            .create();
    try {
      cluster.start();
      this.reader = cluster.fileSystem("alice");
      for (String file : FILES) {
        try (OutputStream out = cluster.fileSystem().create(new org.apache.hadoop.fs.Path(file))) {
          out.write(new byte[FILE_BYTES]);
        }
      }
      this.out = directory.resolve("service.out");
      this.service = serve(directory, hdfsSite, configuration.toAbsolutePath().getParent());
    } catch (Exception | Error e) {
      cluster.close();
      throw e;
    }
  }

  private static List<NodeLayout> nodes() {
    return IntStream.range(0, 3)
        .mapToObj(
            i ->
                new NodeLayout(
                    "dn" + i + ".test",
                    "/rack" + i % 2,
                    Map.of(StorageType.DISK, 64 * MIB, StorageType.SSD, 16 * MIB)))
        .toList();
  }

  private Process serve(Path directory, Path hdfsSite, Path checkout) throws IOException {
    // Who may do all, and is somebody in HDFS with rights of their own.
    Path tokens =
        Files.writeString(
            directory.resolve("tokens"), Tokens.line("alice", Role.ADMINISTRATOR, token) + "\n");
    Path config;
    try (InputStream template = FuzzedService.class.getResourceAsStream("thermocline.yaml")) {
      config =
          ServiceSite.write(
              directory.resolve("service"),
              cluster,
              hdfsSite,
              template,
              Map.of("tokens", tokens.toString()));
    }
    ProcessBuilder builder =
        Installation.command(
                OsUser.ordinaryOwning(config.getParent()),
                checkout,
                config.getParent(),
                USER,
                List.of("service", "--config", config.toString()))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("THERMOCLINE_JAVA_OPTS", "-Xmx512m");
    return Reaper.watch(builder.start());
  }

  /** Waits until it listens, and there is a plan, before which some answers are that there is none yet. */
  void awaitPlan(Pause pause) throws IOException, InterruptedException {
    while (plans() == 0) {
      if (!service.isAlive()) {
        throw new IOException("the service ended: " + Files.readString(out));
      }
      pause.pause(Duration.ofMillis(100));
    }
  }

  private int plans() throws IOException, InterruptedException {
    if (!ADDRESS.matcher(Files.readString(out)).find()) {
      return 0;
    }
    HttpRequest state =
        HttpRequest.newBuilder(address().resolve("/api/v1/state"))
            .header("Authorization", "Bearer " + token)
            .build();
    String said =
        HttpClient.newHttpClient().send(state, HttpResponse.BodyHandlers.ofString()).body();
    return new ObjectMapper().readTree(said).at("/managed/plans").asInt();
  }

  /** Where it listens, after {@link #awaitPlan}. */
  URI address() throws IOException {
    Matcher said = ADDRESS.matcher(Files.readString(out));
    if (!said.find()) {
      throw new IOException("no address yet: " + Files.readString(out));
    }
    return URI.create(said.group(1));
  }

  String token() {
    return token;
  }

  /** Reads every file once, so that there is something to plan. */
  void read() throws IOException {
    for (String file : FILES) {
      try (InputStream in = reader.open(new org.apache.hadoop.fs.Path(file))) {
        in.readAllBytes();
      }
    }
  }

  @Override
  public void close() {
    Reaper.kill(service);
    cluster.close();
  }
}
