// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.process.HdfsConnection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of commands that ask a cluster, and write what they learn to a file; a mixin. */
final class WritesFromCluster {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "DIRECTORY",
      description = "of the cluster's core-site.xml and hdfs-site.xml, often /etc/hadoop/conf")
  private Path config;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "the file to write, as a whole")
  private Path out;

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  Path out() {
    return out;
  }

  boolean isJson() {
    return json;
  }

  Configuration hadoop() throws ConfigException, IOException {
    return HadoopConfiguration.load(config, "--config");
  }

  DistributedFileSystem open(Configuration hadoop) throws IOException {
    return HdfsConnection.open(
        FileSystem.getDefaultUri(hadoop), hadoop, "fs.defaultFS of the core-site.xml in --config");
  }

  /** Before anything is asked. */
  void checkDirectory() {
    Path directory = out.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new ParameterException(
          spec.commandLine(), "--out: there is no directory " + directory + " for " + out);
    }
  }

  /** To standard output. */
  void print(Map<String, ?> values) {
    PrintWriter lines = spec.commandLine().getOut();
    lines.println(Json.MAPPER.valueToTree(values).toString());
    lines.flush();
  }

  /** To standard error, where people look who watch. */
  void say(String line) {
    spec.commandLine().getErr().println(spec.qualifiedName() + ": " + line);
  }
}
