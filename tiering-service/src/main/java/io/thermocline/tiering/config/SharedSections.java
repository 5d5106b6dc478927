// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.ha.Leadership;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** Reads journal and ha of thermocline.yaml: what several services share. */
final class SharedSections {

  /** What a session of ZooKeeper may be, by its default configuration. */
  private static final Duration LEAST_TIMEOUT = Duration.ofSeconds(1);

  /** How ZooKeeper knows who we are. */
  private enum Authentication {
    NONE,
    KERBEROS
  }

  private static final Duration KEEP = Duration.ofDays(90);
  private static final Duration LEAST_KEEP = Duration.ofDays(1);

  private SharedSections() {}

  /**
   * Where this service keeps what is its own: the local journal, or, where the journal is in HDFS, the directory of heat.
   */
  static Path local(YamlSection journal, Path checkpoint) {
    String directory = journal.required("directory", "/var/lib/thermocline");
    if (!isInHdfs(directory)) {
      return Path.of(directory);
    }
    if (checkpoint == null) {
      journal.reject(
          "directory",
          "is in HDFS: then heat.checkpoint must name a local directory, for instance"
              + " /var/lib/thermocline/heat");
      return Path.of("/var/lib/thermocline");
    }
    return checkpoint;
  }

  /**
   * @param keytab of the service; null: none
   */
  static ServiceConfig.Shared read(
      YamlSection top, YamlSection journal, ServiceConfig.Keytab keytab) {
    String directory = journal.text("directory", "");
    URI uri = null;
    if (isInHdfs(directory)) {
      try {
        uri = URI.create(directory);
      } catch (IllegalArgumentException e) {
        uri = null;
      }
      if (uri == null || uri.getPath() == null || uri.getPath().length() < 2) {
        journal.reject(
            "directory",
            "expected a URI like hdfs://nameservice1/thermocline/journal, found '"
                + directory
                + "'");
      }
    }
    Duration keep = journal.duration("keep", KEEP);
    if (keep.compareTo(LEAST_KEEP) < 0) {
      journal.reject("keep", "expected at least 1d: plans that are older can't be taken back");
    }
    journal.rejectUnknown();
    Leadership.Election election =
        top.optionalSection("ha").map(section -> election(section, keytab)).orElse(null);
    if (election != null && uri == null) {
      journal.reject(
          "directory",
          "expected a directory in HDFS, like hdfs://nameservice1/thermocline/journal, as the"
              + " services of section ha share it; found '"
              + directory
              + "'");
    }
    return new ServiceConfig.Shared(uri, keep, election);
  }

  private static boolean isInHdfs(String directory) {
    return directory != null && directory.contains("://");
  }

  private static Leadership.Election election(YamlSection section, ServiceConfig.Keytab keytab) {
    String zooKeeper = section.required("zooKeeper", "zk1:2181,zk2:2181,zk3:2181");
    String path = section.text("path", "/thermocline");
    if (!path.startsWith("/") || path.length() < 2 || path.endsWith("/")) {
      section.reject("path", "expected a path like /thermocline, found '" + path + "'");
    }
    String id = section.required("id", "node1");
    if (id.contains(" ")) {
      section.reject("id", "expected a name without blanks, found '" + id + "'");
    }
    String address = section.text("address", "");
    if (!address.isEmpty() && !address.matches("https?://[^/\\s]+/?")) {
      section.reject(
          "address",
          "expected where this one's REST interface is reached, like https://host:8480, found '"
              + address
              + "'");
      address = "";
    }
    Duration timeout = section.duration("sessionTimeout", Duration.ofSeconds(10));
    if (timeout.compareTo(LEAST_TIMEOUT) < 0) {
      section.reject("sessionTimeout", "expected at least 1s");
    }
    String servers = section.text("zooKeeperPrincipal", "zookeeper");
    boolean isSecure = section.choice("authentication", Authentication.NONE) != Authentication.NONE;
    if (isSecure && keytab == null) {
      section.reject("authentication", "expected hdfs.kerberos, whose keytab it logs in with");
    }
    section.rejectUnknown();
    return new Leadership.Election(
        zooKeeper,
        path,
        id,
        address.isEmpty() ? null : URI.create(address),
        timeout,
        isSecure && keytab != null
            ? new Leadership.Login(keytab.principal(), keytab.file(), servers)
            : null);
  }
}
