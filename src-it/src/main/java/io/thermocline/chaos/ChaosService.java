// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A service as a process of its own, started again whenever it has ended, as systemd does. For one thread. */
final class ChaosService implements AutoCloseable {

  static final String USER = "thermocline";

  private final Path directory;
  private final Path config;
  private final Path clock;
  private final List<TcpProxy> toZooKeeper;
  private final ChaosProcess process;

  /**
   * @param config with NAME where its own name belongs, DIRECTORY where its own directory does, and ZOOKEEPER where its
   *     addresses of ZooKeeper do
   * @param zooKeeper ports of the servers
   */
  ChaosService(Path directory, String name, String config, List<Integer> zooKeeper)
      throws IOException {
    this.directory = Files.createDirectories(directory);
    this.clock = directory.resolve("clock");
    this.toZooKeeper = new ArrayList<>();
    for (int port : zooKeeper) {
      toZooKeeper.add(new TcpProxy(port));
    }
    String addresses =
        toZooKeeper.stream()
            .map(proxy -> "127.0.0.1:" + proxy.port())
            .collect(Collectors.joining(","));
    this.config =
        Files.writeString(
            directory.resolve("thermocline.yaml"),
            config
                .replace("NAME", name)
                .replace("DIRECTORY", directory.toString())
                .replace("ZOOKEEPER", addresses));
    this.process = start();
  }

  private ChaosProcess start() throws IOException {
    return new ChaosProcess(
        Installation.program(
            OsUser.ordinaryOwning(directory),
            ScenarioHost.root(),
            directory,
            USER,
            SkewedService.class,
            List.of(clock.toString(), "--config", config.toString(), "--grace", "60")),
        directory.resolve("service.log"));
  }

  ChaosProcess process() {
    return process;
  }

  /** Cuts it off from ZooKeeper, or lets it reach that again. */
  void partition(boolean isCut) throws IOException {
    for (TcpProxy proxy : toZooKeeper) {
      if (isCut) {
        proxy.cut();
      } else {
        proxy.mend();
      }
    }
  }

  /** Sets its wall clock so far ahead of everybody else's, or behind. */
  void skew(Duration by) throws IOException {
    SkewedService.skew(clock, by);
  }

  @Override
  public void close() throws IOException {
    process.close();
    for (TcpProxy proxy : toZooKeeper) {
      proxy.close();
    }
  }
}
