// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.log4j.Logger;
import org.apache.log4j.PropertyConfigurator;

/**
 * An administrator's log4j fragment in force for the life of a cluster, loaded as it is, with the two
 * values that Hadoop's start scripts give: hadoop.log.dir and hdfs.audit.logger.
 */
final class AuditLogging implements AutoCloseable {

  static final String FILE = "hdfs-audit.log";

  private static final String LOG_DIR = "hadoop.log.dir";
  private static final String AUDIT_LOGGER = "hdfs.audit.logger";
  private static final String AUDIT_APPENDER = "INFO,RFAAUDIT";
  private static final List<String> LOGGER_KEYS = List.of("log4j.logger.", "log4j.category.");

  private final List<Logger> loggers;

  private AuditLogging(List<Logger> loggers) {
    this.loggers = loggers;
  }

  /**
   * @throws IOException if the fragment can't be read
   * @throws IllegalStateException if a system property sends the log elsewhere, which log4j prefers
   */
  static AuditLogging configure(Path fragment, Path logDirectory) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(fragment)) {
      properties.load(reader);
    }
    put(properties, LOG_DIR, logDirectory.toString());
    put(properties, AUDIT_LOGGER, AUDIT_APPENDER);
    PropertyConfigurator.configure(properties);
    return new AuditLogging(named(properties));
  }

  private static void put(Properties properties, String key, String value) {
    String system = System.getProperty(key);
    if (system != null && !system.equals(value)) {
      throw new IllegalStateException(
          "System property %s=%s overrides the cluster's own %s".formatted(key, system, value));
    }
    properties.setProperty(key, value);
  }

  private static List<Logger> named(Properties properties) {
    List<Logger> loggers = new ArrayList<>();
    for (String key : properties.stringPropertyNames()) {
      for (String prefix : LOGGER_KEYS) {
        if (key.startsWith(prefix)) {
          loggers.add(Logger.getLogger(key.substring(prefix.length())));
        }
      }
    }
    return List.copyOf(loggers);
  }

  /** Takes the fragment's appenders off their loggers and closes their files. */
  @Override
  public void close() {
    loggers.forEach(Logger::removeAllAppenders);
  }
}
