// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** What an administrator prepares for the service: conf/ as it is, but for paths, intervals and mode. */
final class ServiceSetup {

  static final Path CONF =
      Path.of(System.getProperty("project.root", ".."), "conf").toAbsolutePath().normalize();

  private final Map<String, String> replacements = new LinkedHashMap<>();
  private String sharedJournal;
  private String election = "";

  /**
   * @param hadoop directory of core-site.xml and hdfs-site.xml
   */
  ServiceSetup(Path hadoop, Path auditLog, String managed) {
    replace("configuration: /etc/hadoop/conf", "configuration: " + hadoop);
    replace("auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]", "auditLogs: [" + auditLog + "]");
    replace("paths: [/warehouse]", "paths: [" + managed + "]");
    replace("poll: 1s", "poll: 100ms");
    // All reads of a test come from one user at one address.
    replace("openWindow: 10s", "openWindow: 0s");
    // Several services run beside each other in tests.
    replace("listen: 127.0.0.1:8480", "listen: 127.0.0.1:0");
    // Tests read to make files hot; what else the machine does would hold their moves back.
    yields("rpcQueue: 20ms, foreground: 0, lookEvery: 10s");
    planEvery("1s");
    verifyEvery("200ms");
  }

  static final int SESSION_SECONDS = 4;

  /** Its node in ZooKeeper, below one that the first service makes. */
  static final String ELECTION = "/tests/thermocline";

  ServiceSetup apply() {
    return replace("mode: shadow", "mode: apply");
  }

  /** Opens share files as with conf/thermocline.yaml, and not each for itself. */
  ServiceSetup sharesOpens() {
    return replace("openWindow: 10s", "openWindow: 10s");
  }

  ServiceSetup verifyEvery(String interval) {
    return replace("verifyEvery: 1s", "verifyEvery: " + interval);
  }

  /** The last ones of what moves give way to. */
  ServiceSetup yields(String to) {
    String others = "throttle: {waitFor: [mover, balancer], lowRedundancy: 0, transfers: 1024, ";
    return replace(
        others + "rpcQueue: 20ms, foreground: 1.5, idle: 0, lookEvery: 10s}", others + to + "}");
  }

  ServiceSetup planEvery(String interval) {
    return replace("every: 5m", "every: " + interval);
  }

  ServiceSetup checkpointEvery(String interval) {
    return replace("checkpointEvery: 1m", "checkpointEvery: " + interval);
  }

  /** Reads what is in the log already. */
  ServiceSetup fromTheBeginning() {
    return replace("start: end", "start: beginning");
  }

  /** The web address of the NameNode whose log is read. */
  ServiceSetup web(URI nameNode) {
    return replace("nameNodeWebs: []", "nameNodeWebs: [" + nameNode + "]");
  }

  /** Where the first view of the files comes from: an address or a path. */
  ServiceSetup image(String from) {
    replace("# image:", "image:");
    return replace("  # from: http://namenode1:9870", "  from: " + from);
  }

  ServiceSetup clientTraceLogs(String glob) {
    return replace("# clientTraceLogs: []", "clientTraceLogs: ['" + glob + "']");
  }

  /** Decides by patterns, each plan by the epoch before, however short. */
  ServiceSetup chew(Path library) {
    replace("strategy: thresholds", "strategy: chew");
    replace("# chew: /etc/thermocline/chew.yaml", "chew: " + library);
    // What was placed before its reads were known may be placed again.
    return replace(
        "stability: {residency: 30m, flaps: 4, window: 1d}",
        "stability: {residency: 0s, flaps: 1000, window: 1d}");
  }

  /** How full plans make NVDIMM. */
  ServiceSetup nvdimm(String watermark) {
    return replace(
        "  NVDIMM: {lowerWatermark: 80 %, upperWatermark: 90 %, threshold: 4, demoteBelow: 0}",
        "  NVDIMM: {lowerWatermark: " + watermark + ", upperWatermark: 90 %}");
  }

  /** How full plans make DISK. */
  ServiceSetup disk(String watermark) {
    return replace(
        "  DISK: {lowerWatermark: 75 %, upperWatermark: 85 %, threshold: 1, demoteBelow: 0}",
        "  DISK: {lowerWatermark: " + watermark + ", upperWatermark: 85 %}");
  }

  /** A line of every-key.yaml, without the two spaces that it begins with, and what stands there instead. */
  ServiceSetup replace(String line, String with) {
    replacements.put(line, with);
    return this;
  }

  /**
   * One of several services.
   *
   * @param port of its REST interface
   */
  ServiceSetup shared(String journal, String zooKeeper, String id, int port) {
    sharedJournal = journal;
    replace("listen: 127.0.0.1:8480", "listen: 127.0.0.1:" + port);
    election =
        "ha: {zooKeeper: \""
            + zooKeeper
            + "\", path: "
            + ELECTION
            + ", id: "
            + id
            + ", address: \"http://127.0.0.1:"
            + port
            + "\", sessionTimeout: "
            + SESSION_SECONDS
            + "s}\n";
    return this;
  }

  /** Of a service beside which there is no other. */
  ServiceSetup journalIn(String hdfs) {
    sharedJournal = hdfs;
    return this;
  }

  /** Writes thermocline.yaml into the directory, where the journal is kept too. */
  Path write(Path directory) throws IOException {
    Files.createDirectories(directory);
    String text =
        Files.readString(CONF.resolveSibling("tiering-service/src/test/conf/every-key.yaml"));
    replacements.put(
        "directory: /var/lib/thermocline",
        "directory: " + (sharedJournal == null ? journalOf(directory) : sharedJournal));
    if (sharedJournal != null) {
      replacements.put(
          "# checkpoint: /var/lib/thermocline/heat", "checkpoint: " + directory.resolve("heat"));
    }
    for (Map.Entry<String, String> replacement : replacements.entrySet()) {
      String line = "\n  " + replacement.getKey() + "\n";
      assertTrue(text.contains(line), () -> "every-key.yaml has no " + line);
      text = text.replace(line, "\n  " + replacement.getValue() + "\n");
    }
    return Files.writeString(directory.resolve("thermocline.yaml"), text + election);
  }

  /** The journal of a service that was set up in this directory. */
  static Path journalOf(Path directory) {
    return directory.resolve("journal");
  }

  /** The lines of that journal with all the given texts; none before it is there. */
  static List<String> journal(Path directory, String... texts) throws IOException {
    Path file = journalOf(directory).resolve("journal.jsonl");
    if (Files.notExists(file)) {
      return List.of();
    }
    return Files.readAllLines(file).stream()
        .filter(line -> Stream.of(texts).allMatch(line::contains))
        .toList();
  }

  /** What kinds of entries that journal has, in order. */
  static List<String> journaled(Path directory) throws IOException {
    return journal(directory).stream()
        .map(line -> line.replaceFirst(".*?\"entry\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  /** Writes a Hadoop configuration file of these properties. */
  static Path site(Path file, Map<String, String> properties) throws IOException {
    Files.createDirectories(file.getParent());
    Configuration site = new Configuration(false);
    properties.forEach(site::set);
    try (OutputStream out = Files.newOutputStream(file)) {
      site.writeXml(out);
    }
    return file;
  }
}
