// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.dist.InstalledTree;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;

/**
 * What {@code bin/thermocline package} makes of this checkout, unpacked as one that an administrator installs, where
 * everybody can read it: below {@code src-it/target}, or {@link ReadableFiles#instead}. It is packed when something in
 * it is newer, so once in a run of tests.
 */
public final class Installation {

  /** What it is made of, and what makes it. */
  static final List<String> PACKED =
      List.of(
          "pom.xml",
          "LICENSE",
          "README.md",
          "bin",
          "conf",
          "docs",
          "python",
          "placement-policy/target/classes",
          "hints-client/target/classes",
          "tiering-service/target/classes",
          "tiering-service/target/classpath",
          "redundancy-elimination/target/classes",
          "redundancy-elimination/target/libraries",
          "dist/target/classes",
          "dist/target/classpath");

  /** Most runs are short: starting fast counts, running fast doesn't. */
  private static final String JVM =
      System.getProperty("installed.jvm", "-Xmx256m -XX:TieredStopAtLevel=1");

  private Installation() {}

  /**
   * The launcher in it.
   *
   * @param root of the checkout
   */
  public static Path launcher(Path root) throws IOException {
    Path target = ReadableFiles.instead(Files.createDirectories(root.resolve("src-it/target")));
    Path directory = target.resolve("installed");
    Path stamp = target.resolve("installed.stamp");
    // Several classes are tested at once, each in a process.
    try (FileChannel file =
        FileChannel.open(
            target.resolve("installed.lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE)) {
      // Until it is closed.
      file.lock();
      String newest = newest(root);
      if (Files.notExists(stamp) || !Files.readString(stamp).equals(newest)) {
        FileUtil.fullyDelete(directory.toFile());
        unpack(root, ReadableFiles.make(directory));
        InstalledClasses.store(directory, archive(directory));
        Files.writeString(stamp, newest);
      }
    }
    return directory.resolve("bin/thermocline");
  }

  /** The classes that its commands share. */
  private static Path archive(Path directory) {
    return directory.resolveSibling("installed.jsa");
  }

  private static void unpack(Path root, Path directory) throws IOException {
    Process tar =
        new ProcessBuilder("tar", "-xz", "--strip-components=1", "-C", directory.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (OutputStream out = tar.getOutputStream()) {
      InstalledTree.tarGz(root, path -> true, out);
    }
    if (tar.onExit().join().exitValue() != 0) {
      throw new IOException("tar can't unpack into " + directory);
    }
  }

  private static String newest(Path root) throws IOException {
    long newest = 0;
    long count = 0;
    for (String each : PACKED) {
      try (Stream<Path> files = Files.walk(root.resolve(each))) {
        for (Path file : files.toList()) {
          newest = Math.max(newest, Files.getLastModifiedTime(file).toMillis());
          count++;
        }
      }
    }
    return count + " files, the newest of " + newest;
  }

  /**
   * One of its commands.
   *
   * @param prefix of the command line, such as {@link OsUser#prefix}
   * @param root of the checkout
   * @param directory where it runs and writes logs: those who start it have no home
   * @param user in HDFS
   */
  public static ProcessBuilder command(
      List<String> prefix, Path root, Path directory, String user, List<String> words)
      throws IOException {
    List<String> line = new ArrayList<>(prefix);
    Path launcher = launcher(root);
    line.add(launcher.toString());
    line.addAll(words);
    ProcessBuilder builder = process(line, directory, user);
    Path archive = archive(launcher.getParent().getParent());
    if (Files.exists(archive)) {
      builder
          .environment()
          .merge("THERMOCLINE_JAVA_OPTS", " -XX:SharedArchiveFile=" + archive, String::concat);
    }
    if (prefix.isEmpty()) {
      // Who may write where it is installed would log there, and others would find that.
      builder.environment().put("THERMOCLINE_LOG_DIR", directory.resolve("logs").toString());
    }
    return builder;
  }

  /**
   * A program of the tests, with the jars in it: what is installed, but for what that program changes.
   *
   * @param prefix as {@link #command}
   * @param words the program's arguments
   */
  public static ProcessBuilder program(
      List<String> prefix,
      Path root,
      Path directory,
      String user,
      Class<?> program,
      List<String> words)
      throws IOException {
    Path installed = launcher(root).getParent().getParent();
    Path classes =
        ReadableFiles.of(
            Path.of(
                URI.create(
                    program.getProtectionDomain().getCodeSource().getLocation().toString())));
    List<String> line = new ArrayList<>(prefix);
    line.add(java().resolve("bin/java").toString());
    line.addAll(List.of(JVM.split(" ")));
    line.add("-Dlog4j.configuration=thermocline-log4j.properties");
    line.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    line.addAll(List.of("-cp", installed + "/hadoop/*:" + installed + "/lib/*:" + classes));
    line.add(program.getName());
    line.addAll(words);
    return process(line, directory, user);
  }

  /** The home of the Java that runs this, where everybody can read it. */
  public static Path java() throws IOException {
    return ReadableFiles.of(Path.of(System.getProperty("java.home")));
  }

  static ProcessBuilder process(List<String> line, Path directory, String user) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(line).directory(directory.toFile()).redirectInput(new File("/dev/null"));
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(key -> key.startsWith("HADOOP_"));
    environment.remove("JAVA_TOOL_OPTIONS");
    environment.put("THERMOCLINE_HADOOP", "own");
    environment.put("JAVA_HOME", java().toString());
    environment.put("XDG_STATE_HOME", directory.resolve("state").toString());
    environment.put("HADOOP_USER_NAME", user);
    environment.put("THERMOCLINE_JAVA_OPTS", JVM);
    return builder;
  }
}
