// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.log4j.Logger;
import org.apache.log4j.PropertyConfigurator;

/** The clienttrace log of all DataNodes of this process, by conf's log4j fragment. */
final class ClientTrace implements AutoCloseable {

  private static final String LOGGER =
      "org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace";

  private final Path file;

  private ClientTrace(Path file) {
    this.file = file;
  }

  /** Begins to log into the file, whose directory is made. */
  static ClientTrace into(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Properties trace = new Properties();
    try (Reader reader =
        Files.newBufferedReader(ServiceSetup.CONF.resolve("log4j-clienttrace.properties"))) {
      trace.load(reader);
    }
    trace.setProperty("log4j.appender.CLIENTTRACE.File", file.toString());
    PropertyConfigurator.configure(trace);
    return new ClientTrace(file);
  }

  Path file() {
    return file;
  }

  @Override
  public void close() {
    Logger.getLogger(LOGGER).removeAllAppenders();
  }
}
