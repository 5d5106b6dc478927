// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor.look;

import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Seen;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/** What this host has. Stateless. */
public final class LocalLook {

  private static final int SAMPLE_BYTES = 256 << 10;
  private static final long PATIENCE_SECONDS = 30;
  private static final String PLUGIN =
      "io/thermocline/placement/hdfs/ThermoclinePlacementPolicy.class";

  private LocalLook() {}

  /** A file or directory; touches nothing. */
  public static Facts.LocalPath path(Facts.Use use, String setting, Path named) {
    Path path = named.toAbsolutePath();
    Path existing = path;
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    boolean writable = Files.isDirectory(existing) && Files.isWritable(existing);
    return new Facts.LocalPath(
        use,
        setting,
        path,
        Files.exists(path),
        Files.isDirectory(path),
        existing.equals(path) || !Files.isDirectory(existing) || Files.isExecutable(existing)
            ? Optional.empty()
            : Optional.of(existing),
        path.getParent() == null || Files.isDirectory(path.getParent()),
        Files.isReadable(path),
        writable,
        room(existing));
  }

  private static long room(Path existing) {
    try {
      return Files.getFileStore(existing).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * Reads the last lines of an audit log as the service would.
   *
   * @param user that the service runs as
   */
  public static Facts.Sample sample(Path log, String user) {
    Path copy = null;
    try {
      String tail = tail(log);
      if (tail.isEmpty()) {
        return new Facts.Sample(log, Seen.not("it is empty"), 0, 0, 0);
      }
      copy = Files.createTempFile("thermocline-doctor", ".log");
      Files.writeString(copy, tail);
      AccessSettings settings = AccessSettings.defaults(AccessSettings.Ignored.nothing());
      try (AuditSource source =
          new AuditSource(
              List.of(new AuditLog("", copy, ZoneOffset.UTC, null)),
              LogStart.BEGINNING,
              settings,
              SourceCheckpoint.none(),
              Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))) {
        boolean more = true;
        while (more) {
          more = source.poll(access -> {}, SAMPLE_BYTES);
        }
        List<String> opens = tail.lines().filter(line -> line.contains("\tcmd=open\t")).toList();
        Pattern own = Pattern.compile("\tugi=" + Pattern.quote(user) + "[ @/]");
        return new Facts.Sample(
            log,
            Seen.of((int) source.counts().lines()),
            (int) source.counts().malformed(),
            opens.size(),
            (int)
                opens.stream()
                    .filter(line -> own.matcher(line).find() && !line.contains("\tcallerContext="))
                    .count());
      }
    } catch (IOException e) {
      return new Facts.Sample(log, Seen.not(e.toString()), 0, 0, 0);
    } finally {
      delete(copy);
    }
  }

  private static void delete(Path copy) {
    try {
      if (copy != null) {
        Files.deleteIfExists(copy);
      }
    } catch (IOException e) {
      // In the directory for such files, which is cleared.
      copy.toFile().deleteOnExit();
    }
  }

  /** Whole lines only. */
  private static String tail(Path log) throws IOException {
    RegularFiles.requireIfPresent(log);
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long start = Math.max(0, file.length() - SAMPLE_BYTES);
      byte[] bytes = new byte[(int) (file.length() - start)];
      file.seek(start);
      file.readFully(bytes);
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      int from = start == 0 ? 0 : text.indexOf('\n') + 1;
      return text.substring(from, Math.max(from, text.lastIndexOf('\n') + 1));
    }
  }

  /**
   * Whether the class path of this host's own Hadoop has the placement policy.
   *
   * @param environment of this process: where Hadoop is
   */
  public static Seen<Boolean> plugin(Map<String, String> environment) {
    Optional<Path> installed = hadoop(environment);
    if (installed.isEmpty()) {
      return Seen.not("there is no hadoop in $HADOOP_HOME/bin, nor on PATH");
    }
    Path hadoop = installed.get();
    try {
      Process process =
          new ProcessBuilder(hadoop.toString(), "classpath", "--glob")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String classPath =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroy();
        return Seen.not(hadoop + " classpath --glob failed");
      }
      for (String entry : classPath.split(":")) {
        if (has(Path.of(entry))) {
          return Seen.of(true);
        }
      }
      return Seen.of(false);
    } catch (IOException e) {
      return Seen.not(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Seen.not("interrupted");
    }
  }

  private static Optional<Path> hadoop(Map<String, String> environment) {
    List<Path> directories = new ArrayList<>();
    String home = environment.get("HADOOP_HOME");
    if (home != null) {
      directories.add(Path.of(home, "bin"));
    }
    for (String directory : environment.getOrDefault("PATH", "").split(":")) {
      directories.add(Path.of(directory));
    }
    return directories.stream()
        .map(directory -> directory.resolve("hadoop"))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  private static boolean has(Path entry) throws IOException {
    if (Files.isDirectory(entry)) {
      return Files.exists(entry.resolve(PLUGIN));
    }
    if (!entry.toString().endsWith(".jar") || !Files.isReadable(entry)) {
      return false;
    }
    try (JarFile jar = new JarFile(entry.toFile())) {
      return jar.getEntry(PLUGIN) != null;
    }
  }
}
