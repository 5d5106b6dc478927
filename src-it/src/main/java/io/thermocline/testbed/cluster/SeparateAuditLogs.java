// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.log4j.Appender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.RollingFileAppender;
import org.apache.log4j.spi.Filter;
import org.apache.log4j.spi.LoggingEvent;

/**
 * An audit log for each NameNode of this process, as log4j writes it on a host of its own. One at a
 * time in a process, since the NameNodes share the logger.
 */
public final class SeparateAuditLogs implements AutoCloseable {

  public static final String PATTERN = "%d{ISO8601} %p %c{2}: %m%n";

  private static final Logger AUDIT =
      Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");

  public SeparateAuditLogs() {
    AUDIT.setAdditivity(false);
    AUDIT.setLevel(Level.INFO);
  }

  /**
   * Lets what one NameNode logs from now on be written by log4j's own appender, as conf/ has it.
   *
   * @param port that clients call it at
   * @param file made, with its directory
   */
  public void write(int port, Path file) throws IOException {
    Files.createDirectories(file.getParent());
    RollingFileAppender appender =
        new RollingFileAppender(new PatternLayout(PATTERN), file.toString());
    appender.addFilter(new FromPort(port));
    write(appender);
  }

  /** Has an appender write what all of them log. */
  public void write(Appender appender) {
    AUDIT.addAppender(appender);
  }

  /** Of the NameNode that listens there: threads that serve calls are named by their port. */
  private static final class FromPort extends Filter {
    private final String ending;

    FromPort(int port) {
      this.ending = " port " + port;
    }

    @Override
    public int decide(LoggingEvent event) {
      return event.getThreadName().endsWith(ending) ? Filter.NEUTRAL : Filter.DENY;
    }
  }

  @Override
  public void close() {
    AUDIT.removeAllAppenders();
    AUDIT.setLevel(Level.OFF);
  }
}
