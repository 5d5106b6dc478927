// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.observe.LogGlob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Whether this host has what a configuration names. A file that is fine may be meant for another. */
final class HostCheck {

  private HostCheck() {}

  /**
   * Looks at the local files and directories; touches none.
   *
   * @throws ConfigException with one line for each problem
   */
  static void check(ServiceConfig config) throws ConfigException {
    List<String> problems = new ArrayList<>();
    Path hadoop = config.hdfs().configuration();
    if (hadoop != null && !Files.isReadable(hadoop.resolve("core-site.xml"))) {
      problems.add(
          "hdfs.configuration: "
              + hadoop
              + " has no core-site.xml that can be read: name the directory of the cluster's Hadoop"
              + " configuration");
    }
    for (ServiceConfig.LogFile log : config.observe().auditLogs()) {
      auditLog(log.path().toAbsolutePath(), problems);
    }
    for (LogGlob logs : config.observe().clientTraceLogs()) {
      clientTraceLogs(logs, problems);
    }
    ServiceConfig.Image image = config.observe().image();
    if (image != null && image.file() != null && !Files.isReadable(image.file())) {
      problems.add("observe.image.from: " + image.file() + " isn't there or can't be read");
    }
    writable("journal.directory: ", config.journal().toAbsolutePath(), problems);
    writable("heat.checkpoint: ", config.checkpoint().toAbsolutePath(), problems);
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  /** The file itself may come later: a NameNode that never was active has written none. */
  private static void auditLog(Path log, List<String> problems) {
    if (Files.isDirectory(log)) {
      problems.add("observe.auditLogs: " + log + " is a directory: name the file");
    } else if (Files.exists(log) && !Files.isReadable(log)) {
      problems.add("observe.auditLogs: " + log + " can't be read by this user");
    } else if (!Files.isDirectory(log.getParent())) {
      problems.add(
          "observe.auditLogs: there is no directory "
              + log.getParent()
              + ": run the service where the NameNode's logs are, or mount them");
    }
  }

  /** Files may come later; the directory that they come into is there, or something is misspelt. */
  private static void clientTraceLogs(LogGlob logs, List<String> problems) {
    if (!Files.isDirectory(logs.root())) {
      problems.add(
          "observe.clientTraceLogs: "
              + logs
              + ": there is no directory "
              + logs.root()
              + ": mount the DataNodes' logs, or ship them there");
      return;
    }
    try {
      for (Path log : logs.files()) {
        if (Files.isDirectory(log)) {
          problems.add("observe.clientTraceLogs: " + log + " is a directory: name the files in it");
        } else if (Files.exists(log) && !Files.isReadable(log)) {
          problems.add("observe.clientTraceLogs: " + log + " can't be read by this user");
        }
      }
    } catch (IOException e) {
      problems.add("observe.clientTraceLogs: " + logs + " can't be listed by this user: " + e);
    }
  }

  private static void writable(String key, Path directory, List<String> problems) {
    Path existing = directory;
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing)) {
      problems.add(key + existing + " is a file");
    } else if (!Files.isWritable(existing)) {
      problems.add(key + existing + " can't be written by this user");
    }
  }
}
