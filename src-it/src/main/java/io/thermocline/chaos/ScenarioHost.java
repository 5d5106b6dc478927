// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The packaged service, an ordinary user of HDFS, and its mover, the superuser, as processes. Where root runs them they are two
 * ordinary users of this host. For one thread.
 */
final class ScenarioHost implements AutoCloseable {

  static final String SERVICE = "thermocline";
  static final String SUPERUSER = System.getProperty("user.name");

  private final ChaosProcess mover;
  private final ChaosProcess service;

  /**
   * What both are configured with.
   *
   * @param hadoop directory of the cluster's configuration
   * @param audit logs of the NameNodes
   * @param zooKeeper addresses
   * @param caller line of the one who may ask the service for something
   */
  record Site(Path hadoop, List<Path> audit, String journal, String zooKeeper, String caller) {}

  /** Starts both in a new directory of this name. */
  ScenarioHost(Path parent, String name, Site site) throws IOException {
    Path directory = Files.createDirectory(parent.resolve(name));
    Path forMover = Files.createDirectory(directory.resolve("mover"));
    Path forService = Files.createDirectory(directory.resolve("service"));
    Path socket = forMover.resolve("mover.sock");
    Optional<OsUser> moving = OsUser.ordinaryBeside();
    Optional<OsUser> serving = OsUser.ordinary();
    Path moverConfig =
        Files.writeString(
            forMover.resolve("mover.yaml"), moverConfig(site, socket, nameOf(serving)));
    Files.writeString(forService.resolve("tokens"), site.caller() + "\n");
    Path config =
        Files.writeString(
            forService.resolve("thermocline.yaml"),
            config(name, site, forService, socket, nameOf(moving)));
    this.mover = start("mover", moverConfig, moving, SUPERUSER);
    this.service = start("service", config, serving, SERVICE);
  }

  private static String nameOf(Optional<OsUser> user) {
    return user.map(OsUser::name).orElse(System.getProperty("user.name"));
  }

  private static ChaosProcess start(
      String command, Path config, Optional<OsUser> user, String inHdfs) throws IOException {
    Path directory = config.getParent();
    if (user.isPresent()) {
      user.get().own(directory);
    }
    return new ChaosProcess(
        Installation.command(
            user.map(OsUser::prefix).orElse(List.of()),
            root(),
            directory,
            inHdfs,
            List.of(command, "--config", config.toString())),
        directory.resolve(command + ".log"));
  }

  /** Of the checkout that this is run from. */
  static Path root() {
    return Path.of(ScenarioHost.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .resolve("../../..")
        .normalize();
  }

  private static String moverConfig(Site site, Path socket, String user) {
    return """
    hdfs: {configuration: %s}
    listen: {socket: %s, user: %s}
    allow: {paths: [%s], except: [%s], replication: {min: 3, max: 5}}
    services: elected
    """
        .formatted(
            site.hadoop(),
            socket,
            user,
            ChaosFiles.ROOT,
            ChaosFiles.ROOT + "/" + RefusedScenario.DIRECTORY);
  }

  private static String config(
      String name, Site site, Path directory, Path socket, String moverUser) {
    return """
    hdfs: {configuration: %s}
    observe: {auditLogs: %s, start: beginning, poll: 100ms, openWindow: 0s, scanFiles: 0}
    heat: {halfLife: 8s, checkpoint: %s, checkpointEvery: 5s}
    manage: {paths: [%s]}
    decide:
      every: 1s
      admission: off
      thresholds: fixed
      stability: {residency: 0s, flaps: 1000, window: 1d}
      tiers:
        SSD: {lowerWatermark: 97 %%, upperWatermark: 99 %%, threshold: 1, demoteBelow: 0.5}
        DISK: {lowerWatermark: 97 %%, upperWatermark: 99 %%}
      benefit:
        speeds:
          SSD: {read: 100 KB, write: 400 MB, latencyMillis: 0.1}
          DISK: {read: 25 KB, write: 140 MB, latencyMillis: 8}
      actions:
        replicas: {max: 4}
      perPlan: {fill: 99 %%}
    act:
      mode: apply
      bandwidthPerNode: 2 MB
      verifyEvery: 300ms
      verifyWithin: 30s
      attempts: 2
      throttle: {waitFor: [none], rpcQueue: 10s, foreground: 0, lookEvery: 500ms}
    journal: {directory: "%s"}
    hints: {enabled: on}
    api: {listen: "127.0.0.1:0", tokens: %s}
    ha: {zooKeeper: "%s", path: /chaos, id: %s, sessionTimeout: 4s}
    mover: {socket: %s, user: %s}
    """
        .formatted(
            site.hadoop(),
            site.audit(),
            directory.resolve("heat"),
            ChaosFiles.ROOT,
            site.journal(),
            directory.resolve("tokens"),
            site.zooKeeper(),
            name,
            socket,
            moverUser);
  }

  ChaosProcess mover() {
    return mover;
  }

  ChaosProcess service() {
    return service;
  }

  /** Lines that both have written. */
  long logLines() throws IOException {
    return service.lines() + mover.lines();
  }

  @Override
  public void close() {
    service.close();
    mover.close();
  }
}
