// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.log4j.Hierarchy;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PropertyConfigurator;
import org.apache.log4j.RollingFileAppender;
import org.apache.log4j.spi.RootLogger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that an installed service logs to without systemd, as conf/log4j.properties has it. */
class ShippedLogTest {

  private static final long MB = 1 << 20;
  private static final String TEXT = "x".repeat(100_000);

  @TempDir Path directory;

  private final Hierarchy logs = new Hierarchy(new RootLogger(Level.WARN));

  @BeforeEach
  void configure() throws IOException {
    Properties properties = new Properties();
    properties.load(
        new StringReader(
            Files.readString(
                Path.of(System.getProperty("project.root")).resolve("conf/log4j.properties"))));
    // As the launcher sets them.
    properties.setProperty("thermocline.log.dir", directory.toString());
    properties.setProperty("thermocline.log.layout", LineLayout.class.getName());
    properties.setProperty("thermocline.log.appenders", "file");
    new PropertyConfigurator().doConfigure(properties, logs);
  }

  @AfterEach
  void close() {
    logs.shutdown();
  }

  @Test
  void serviceLogRollsOverAndIsBounded() throws IOException {
    rollsOver(
        logs.getRootLogger(), logs.getLogger("io.thermocline.tiering"), "file", "service.log");
  }

  @Test
  void auditLogRollsOverAndIsBounded() throws IOException {
    Logger audit = logs.getLogger("io.thermocline.audit");
    rollsOver(audit, audit, "audit", "audit.log");
  }

  private void rollsOver(Logger has, Logger used, String appender, String name) throws IOException {
    RollingFileAppender file = (RollingFileAppender) has.getAppender(appender);
    // The lines below are alike.
    file.clearFilters();
    long size = file.getMaximumFileSize();
    int old = file.getMaxBackupIndex();
    assertTrue(size >= MB && size * (old + 1) <= 2100 * MB, size + " bytes, " + old + " old ones");

    for (long written = 0; written <= size; written += TEXT.length()) {
      used.info(TEXT);
    }
    used.info("after it");
    assertEquals(Set.of(name, name + ".1"), names());
    assertTrue(Files.size(directory.resolve(name + ".1")) >= size);
    assertTrue(Files.size(directory.resolve(name)) < MB);

    file.setMaximumFileSize(TEXT.length());
    for (int i = 0; i < 2 * old; i++) {
      used.info(TEXT);
    }
    used.info("after them");
    Set<String> all =
        IntStream.rangeClosed(1, old).mapToObj(i -> name + "." + i).collect(Collectors.toSet());
    all.add(name);
    assertEquals(new TreeSet<>(all), names());
  }

  /** Of this log's files. */
  private Set<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toFile().length() > 0)
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
