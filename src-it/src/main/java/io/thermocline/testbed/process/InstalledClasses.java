// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.testbed.process.inside.SmallCluster;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileUtil;

/** Stores the classes that an installed service loads, for all commands that are installed; see {@link SharedClasses}. */
final class InstalledClasses {

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Pattern ADDRESS = Pattern.compile("REST at (http://[^/\\s]+)/");

  private final Path installed;
  private final Path directory;
  private final Path said;

  private InstalledClasses(Path installed, Path directory) {
    this.installed = installed;
    this.directory = directory;
    this.said = directory.resolve("service.out");
  }

  /** Runs the service on a small cluster, and writes the archive at its end; if that fails, there is none. */
  static void store(Path installed, Path archive) throws IOException {
    Files.deleteIfExists(archive);
    Path directory = Files.createTempDirectory(Scratch.directory(), "thermocline-classes-");
    try {
      Path made = new InstalledClasses(installed, directory).make();
      Path here = Files.copy(made, archive);
      Files.setPosixFilePermissions(here, ReadableFiles.FILE);
    } catch (IOException e) {
      System.err.println("Commands start without stored classes: " + e);
    } finally {
      FileUtil.fullyDelete(directory.toFile());
    }
  }

  private Path make() throws IOException {
    Path address = directory.resolve("address");
    Jvm cluster =
        Jvm.start(
            "the small cluster",
            new Jvm.Command(
                System.getProperty("java.class.path"),
                List.of("-Xmx256m", "-Djava.io.tmpdir=" + directory),
                SmallCluster.class.getName(),
                List.of(directory.resolve("cluster").toString(), address.toString())),
            directory.resolve("log"));
    try {
      Deadline.await(
          LIMIT,
          "a small cluster runs",
          () -> Files.exists(address) || !cluster.isAlive(),
          cluster::tail);
      Path made = directory.resolve("archive");
      Process service = service(configuration(Files.readString(address)), made);
      try {
        ask(service);
      } finally {
        end(service);
      }
      return made;
    } finally {
      cluster.kill();
    }
  }

  private Path configuration(String hdfs) throws IOException {
    Path hadoop = directory.resolve("hadoop");
    Site.of(Map.of("fs.defaultFS", hdfs)).write(hadoop);
    Path log = Files.createFile(directory.resolve("hdfs-audit.log"));
    return Files.writeString(
        directory.resolve("thermocline.yaml"),
        """
        hdfs: {configuration: %s}
        observe: {auditLogs: [%s]}
        manage: {paths: [/data]}
        decide: {tiers: {DISK: {lowerWatermark: 75 %%, upperWatermark: 85 %%}}}
        act: {mode: shadow}
        journal: {directory: %s}
        api: {listen: "127.0.0.1:0"}
        """
            .formatted(hadoop, log, Files.createDirectories(directory.resolve("journal"))));
  }

  private Process service(Path configuration, Path made) throws IOException {
    ProcessBuilder builder =
        Installation.process(
                List.of(
                    installed.resolve("bin/thermocline").toString(),
                    "service",
                    "--config",
                    configuration.toString()),
                directory,
                System.getProperty("user.name"))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder
        .environment()
        .merge("THERMOCLINE_JAVA_OPTS", " -XX:ArchiveClassesAtExit=" + made, String::concat);
    builder.environment().put("THERMOCLINE_LOG_DIR", directory.resolve("logs").toString());
    return Reaper.watch(builder.start());
  }

  private void ask(Process service) throws IOException {
    Deadline.await(
        LIMIT,
        "the service listens",
        () -> ADDRESS.matcher(Files.readString(said)).find() || !service.isAlive(),
        this::tail);
    Matcher address = ADDRESS.matcher(Files.readString(said));
    if (!address.find()) {
      throw new IOException("The service ended" + tail());
    }
    for (String path : List.of("/", "/api/v1/state", "/metrics")) {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(address.group(1) + path).toURL().openConnection();
      connection.getResponseCode();
      connection.disconnect();
    }
  }

  /** In order, so that it writes the archive. */
  private void end(Process service) throws IOException {
    service.destroy();
    try {
      if (!service.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException("The service did not end" + tail());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    } finally {
      Reaper.kill(service);
    }
  }

  private String tail() {
    try {
      return ": " + Files.readString(said);
    } catch (IOException e) {
      return ": " + e;
    }
  }
}
