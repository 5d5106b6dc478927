// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What programs that are no dependency of ours run with, as they are published. */
public final class PublishedJars {

  private static final int MINUTES = 10;

  /** What frameworks that are older than the JDK's modules say they need. */
  public static final List<String> MODULE_FLAGS =
      Stream.of(
              "java.lang",
              "java.lang.invoke",
              "java.lang.reflect",
              "java.io",
              "java.net",
              "java.nio",
              "java.util",
              "java.util.concurrent",
              "java.util.concurrent.atomic",
              "sun.nio.ch",
              "sun.nio.cs",
              "sun.security.action",
              "sun.util.calendar")
          .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
          .toList();

  private PublishedJars() {}

  /**
   * Asks Maven for the jars that a POM names: without network first, then with it. What it said
   * once is kept in the directory, and asked again where a jar is gone.
   *
   * @param pom may leave the version of Hadoop open, as hadoop.version
   * @param what the POM is of, in words and as the name of files
   * @return a class path, in order
   * @throws UnresolvedHadoopException if there is no Maven, or it can't get the jars
   */
  public static List<Path> resolve(URL pom, String what, String hadoop, Path directory)
      throws IOException, UnresolvedHadoopException {
    Files.createDirectories(directory);
    String name = what.replace(' ', '-');
    Path copy = directory.resolve(name + ".xml");
    Path list = directory.resolve(name + ".classpath");
    try (InputStream in = pom.openStream()) {
      byte[] asked = in.readAllBytes();
      if (!Files.exists(copy) || !Arrays.equals(asked, Files.readAllBytes(copy))) {
        // What Maven said of another POM.
        Files.deleteIfExists(list);
        Files.write(copy, asked);
      }
    }
    List<Path> jars = read(list);
    if (!areThere(jars)) {
      Path log = directory.resolve(name + ".log");
      if (!maven(copy, hadoop, list, log, "-o") && !maven(copy, hadoop, list, log)) {
        throw new UnresolvedHadoopException(
            "Maven can't resolve %s: %s".formatted(what, firstError(log)));
      }
      jars = read(list);
    }
    return jars;
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

  private static boolean maven(Path pom, String hadoop, Path list, Path log, String... options)
      throws IOException, UnresolvedHadoopException {
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
            "-Dhadoop.version=" + hadoop,
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
          "Maven, which resolves published jars, can't be started: " + e.getMessage());
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
