// SPDX-License-Identifier: Apache-2.0
package io.thermocline.fuzz;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.testbed.cluster.ServiceSite;
import io.thermocline.tiering.act.Pause;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Tokens;
import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.Seams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** A service that acts on a small HDFS in this process, with files that are read, and a token for its interface. */
final class FuzzedService implements AutoCloseable {

  private static final String USER = "thermocline";
  private static final long MIB = 1L << 20;
  private static final int FILE_BYTES = 64 * 1024;
  private static final List<String> FILES =
      List.of("/data/a", "/data/b", "/data/sub/c", "/data/sub/<i>d</i>", "/data/e f+g%20h");

  private final EmbeddedCluster cluster;
  private final DistributedFileSystem reader;
  private final String token = Tokens.draw(new SecureRandom());
  private final TieringService service;

  /**
   * @param configuration the directory of what an administrator copies
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
      this.service = serve(directory, hdfsSite);
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

  private TieringService serve(Path directory, Path hdfsSite)
      throws IOException, InterruptedException, ConfigException {
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
    ServiceConfig read = ServiceConfigFile.read(config);
    return UserGroupInformation.createRemoteUser(USER)
        .doAs(
            (PrivilegedExceptionAction<TieringService>)
                () -> TieringService.start(read, Seams.system()));
  }

  URI address() {
    return service.apiAddress().orElseThrow();
  }

  String token() {
    return token;
  }

  /** Waits until there is a plan, before which some answers are that there is none yet. */
  void awaitPlan(Pause pause) throws InterruptedException {
    while (service.status().plans() == 0) {
      pause.pause(Duration.ofMillis(100));
    }
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
    service.close();
    cluster.close();
  }
}
