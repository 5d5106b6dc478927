// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One version of Hadoop with the jars it runs with, as its own POM names them. Immutable.
 *
 * @param version for example 3.4.3
 * @param jars its class path, in order
 */
public record HadoopLine(String version, List<Path> jars) {

  private static final String POM = "hadoop-line.xml";
  private static final int MINUTES = 10;

  public HadoopLine {
    jars = List.copyOf(jars);
  }

  /**
   * Asks Maven for the jars: without network first, then with it. What it said once is kept in the
   * directory, and asked again where a jar is gone.
   *
   * @throws UnresolvedHadoopException if there is no Maven, or it can't get the jars
   */
  public static HadoopLine resolve(String version, Path directory)
      throws IOException, UnresolvedHadoopException {
    Files.createDirectories(directory);
    Path list = directory.resolve("classpath-" + version);
    List<Path> jars = read(list);
    if (!areThere(jars)) {
      Path log = directory.resolve("maven-" + version + ".log");
      if (!maven(version, list, log, "-o") && !maven(version, list, log)) {
        throw new UnresolvedHadoopException(
            "Maven can't resolve Hadoop %s: %s".formatted(version, firstError(log)));
      }
      jars = read(list);
    }
    return new HadoopLine(version, jars);
  }

  /** Its jars as a class path. */
  String classPath() {
    return String.join(File.pathSeparator, jars.stream().map(Path::toString).toList());
  }

  private static List<Path> read(Path list) throws IOException {
    return Files.exists(list)
        ? Arrays.stream(Files.readString(list).strip().split(File.pathSeparator))
            .map(Path::of)
            .toList()
        : List.of();
  }

  private static boolean areThere(List<Path> jars) {
    return !jars.isEmpty() && jars.stream().allMatch(Files::isRegularFile);
  }

  private static boolean maven(String version, Path list, Path log, String... options)
      throws IOException, UnresolvedHadoopException {
    Path pom = list.resolveSibling(POM);
    try (InputStream in = HadoopLine.class.getResourceAsStream(POM)) {
      Files.copy(in, pom, StandardCopyOption.REPLACE_EXISTING);
    }
    List<String> line = new ArrayList<>(List.of("mvn", "--batch-mode", "-Dstyle.color=never"));
    line.addAll(List.of(options));
    // Surefire's name for the repository that the build uses.
    if (System.getProperty("localRepository") != null) {
      line.add("-Dmaven.repo.local=" + System.getProperty("localRepository"));
    }
    line.addAll(
        List.of(
            "-f",
            pom.toString(),
            "dependency:build-classpath",
            "-Dhadoop.version=" + version,
            "-Dmdep.includeScope=runtime",
            "-Dmdep.outputFile=" + list));
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return succeeds(builder);
  }

  private static boolean succeeds(ProcessBuilder builder)
      throws IOException, UnresolvedHadoopException {
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UnresolvedHadoopException(
          "Maven, which resolves Hadoop's jars, can't be started: " + e.getMessage());
    }
    try {
      return process.waitFor(MINUTES, TimeUnit.MINUTES) && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("Interrupted in resolving").initCause(e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static String firstError(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains("ERROR"))
        .findFirst()
        .orElse("it did not end within " + MINUTES + " minutes");
  }
}
