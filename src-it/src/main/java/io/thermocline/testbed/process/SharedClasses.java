// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.testbed.process.inside.SmallCluster;
import io.thermocline.testbed.process.inside.Tether;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.fs.FileUtil;

/**
 * Starts JVMs of Hadoop with classes that an earlier JVM loaded and stored (class data sharing of the JDK), which takes
 * a third less processor time. A JVM uses such an archive if its class path begins with that of the JVM that wrote it,
 * which must not have directories: those come last.
 *
 * @param classPath that begins the class path of each process: Hadoop's jars, and one with {@link Tether}
 * @param flags of such a process; none if no archive could be made
 */
public record SharedClasses(String classPath, List<String> flags) {

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Map<HadoopLine, SharedClasses> KNOWN = new ConcurrentHashMap<>();

  public SharedClasses {
    flags = List.copyOf(flags);
  }

  /** Those of a Hadoop, made at the first call on this host; everybody can read the files. */
  public static SharedClasses of(HadoopLine line) throws IOException {
    try {
      return KNOWN.computeIfAbsent(line, SharedClasses::find);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static SharedClasses find(HadoopLine line) {
    try {
      Path directory = ReadableFiles.directory("shared-classes");
      // Several classes are tested at once, each in a process.
      try (FileChannel lock =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        // Until it is closed.
        lock.lock();
        return find(line.readable().jars(), directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SharedClasses find(List<Path> jars, Path directory) throws IOException {
    List<Path> all = new ArrayList<>(jars);
    all.add(inside(Path.of(ProcessCluster.codeOf(Tether.class)), directory));
    String classPath = String.join(File.pathSeparator, all.stream().map(Path::toString).toList());
    Path archive = directory.resolve(key(all) + ".jsa");
    if (Files.notExists(archive)) {
      make(classPath, archive);
    }
    return new SharedClasses(
        classPath,
        Files.size(archive) == 0 ? List.of() : List.of("-XX:SharedArchiveFile=" + archive));
  }

  /**
   * A jar of the package with {@link Tether}, named by what is in it.
   *
   * @param code a directory or a jar that has the package
   */
  static Path inside(Path code, Path directory) throws IOException {
    String inPackage = Tether.class.getPackageName().replace('.', '/');
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (FileSystem jar = Files.isDirectory(code) ? null : FileSystems.newFileSystem(code);
        Stream<Path> files =
            Files.list(jar == null ? code.resolve(inPackage) : jar.getPath(inPackage));
        ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Path file : files.sorted().toList()) {
        ZipEntry entry = new ZipEntry(inPackage + "/" + file.getFileName());
        entry.setTime(0);
        zip.putNextEntry(entry);
        Files.copy(file, zip);
      }
    }
    CRC32 sum = new CRC32();
    sum.update(bytes.toByteArray());
    Path jar = directory.resolve("inside-%08x.jar".formatted(sum.getValue()));
    if (Files.notExists(jar)) {
      Path made =
          Files.write(Files.createTempFile(directory, "inside", ".made"), bytes.toByteArray());
      publish(made, jar);
    }
    return jar;
  }

  /** Another one if the JDK or a file changes. */
  private static String key(List<Path> jars) throws IOException {
    StringBuilder text = new StringBuilder(System.getProperty("java.vm.version"));
    text.append(System.getProperty("java.home"));
    for (Path jar : jars) {
      text.append('\n').append(jar).append(' ').append(Files.size(jar));
      text.append(' ').append(Files.getLastModifiedTime(jar).toMillis());
    }
    return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** Leaves an empty file if the JVM can't make one: processes start without, and nobody tries again. */
  private static void make(String classPath, Path archive) throws IOException {
    Path temporary = Files.createTempDirectory(Scratch.directory(), "thermocline-classes-");
    try {
      Path made = temporary.resolve("archive");
      Jvm jvm =
          Jvm.start(
              "the JVM that stores classes",
              new Jvm.Command(
                  classPath,
                  List.of(
                      "-Xmx256m",
                      "-XX:ArchiveClassesAtExit=" + made,
                      "-Djava.io.tmpdir=" + temporary),
                  SmallCluster.class.getName(),
                  List.of(temporary.resolve("cluster").toString())),
              temporary.resolve("log"));
      if (jvm.await(LIMIT) != 0 || Files.notExists(made)) {
        System.err.println("JVMs start without stored classes" + jvm.tail());
        made = Files.write(temporary.resolve("none"), new byte[0]);
      }
      Path here = Files.createTempFile(archive.getParent(), "archive", ".made");
      publish(Files.copy(made, here, StandardCopyOption.REPLACE_EXISTING), archive);
    } finally {
      FileUtil.fullyDelete(temporary.toFile());
    }
  }

  private static void publish(Path made, Path file) throws IOException {
    Files.setPosixFilePermissions(made, ReadableFiles.FILE);
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
