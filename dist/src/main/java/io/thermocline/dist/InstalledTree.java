// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import io.thermocline.tiering.api.Dashboard;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is installed, made of a checkout that was built.
 *
 * <pre>
 *   bin/thermocline    the launcher, which finds Java and the cluster's Hadoop
 *   lib/               the service and its own libraries
 *   hadoop/            the Hadoop that it was built with, for hosts that have none
 *   plugin/            for the class path of NameNodes, and of tools that name the placement policy
 *   client/            for the class path of applications, and for their Python
 *   link/              the optional link to a remote site, with its own libraries and symbolic links to those of lib/
 *   conf/  docs/       what an administrator copies and reads
 * </pre>
 */
public final class InstalledTree {

  static final String LAUNCHER = "bin/thermocline";

  /** The directory of Hadoop's jars, which a package for hosts with a Hadoop leaves out. */
  static final String HADOOP = "hadoop/";

  private static final List<String> MODULES =
      List.of("placement-policy", "hints-client", "tiering-service");

  /** Optional: nothing else needs it or its libraries. */
  private static final String LINK = "redundancy-elimination";

  private static final String CLASS_PATH = "target/classpath";

  private final Path root;
  private final Release release;

  private InstalledTree(Path root, Release release) {
    this.root = root;
    this.release = release;
  }

  /**
   * @param root of the checkout
   */
  static List<Entry> of(Path root, Release release) throws IOException {
    return new InstalledTree(root, release).entries();
  }

  /**
   * Writes a tar.gz of it, or of a part.
   *
   * @param root of the checkout
   * @param paths which of them
   * @param out is left open
   */
  public static void tarGz(Path root, Predicate<String> paths, OutputStream out)
      throws IOException {
    tarGz(root, Release.of(root).version(), paths, out);
  }

  /** The same under the name of another version. */
  public static void tarGz(Path root, String version, Predicate<String> paths, OutputStream out)
      throws IOException {
    Release release = new Release(version, Release.of(root).time());
    List<Entry> entries =
        of(root, release).stream().filter(entry -> paths.test(entry.path())).toList();
    TarGz.write(entries, "thermocline-" + release.version() + "/", release, out);
  }

  /**
   * Writes it as a Debian package.
   *
   * @param root of the checkout
   * @param out is left open
   */
  public static void deb(Path root, OutputStream out) throws IOException {
    Release release = Release.of(root);
    Deb.write(of(root, release), release, out);
  }

  private List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    entries.add(Entry.file(LAUNCHER, Entry.EXECUTABLE, root.resolve(LAUNCHER)));
    entries.add(Entry.text("VERSION", Entry.PLAIN, release.version() + "\n"));
    for (String file : List.of("LICENSE", "README.md")) {
      entries.add(Entry.file(file, Entry.PLAIN, root.resolve(file)));
    }
    addAll("conf", entries);
    addAll("docs", entries);
    for (String module : MODULES) {
      entries.add(jar("lib", module));
    }
    entries.add(jar("plugin", "placement-policy"));
    entries.add(jar("client", "hints-client"));
    entries.add(jar("client", "placement-policy"));
    entries.add(Wheel.of(root.resolve("python"), "client", release));
    entries.add(jar("link", LINK));
    Set<Path> own = libraries("dist", CLASS_PATH);
    for (Path library : libraries(LINK, "target/libraries")) {
      String name = library.getFileName().toString();
      entries.add(
          own.contains(library)
              ? Entry.link("link/" + name, "../lib/" + name)
              : library(library, "link/"));
    }
    for (Path library : own) {
      entries.add(library(library, "lib/"));
    }
    Set<Path> hadoop = libraries("tiering-service", CLASS_PATH);
    Set<Path> artifacts = own.stream().map(InstalledTree::artifact).collect(Collectors.toSet());
    for (Path library : hadoop) {
      if (!artifacts.contains(artifact(library))) {
        entries.add(library(library, HADOOP));
      }
    }
    entries.sort(Comparator.comparing(Entry::path));
    return entries;
  }

  private void addAll(String directory, List<Entry> entries) throws IOException {
    Path from = root.resolve(directory);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        entries.add(Entry.file(directory + "/" + from.relativize(file), Entry.PLAIN, file));
      }
    }
  }

  private Entry jar(String directory, String module) throws IOException {
    Path classes = root.resolve(module).resolve("target/classes");
    if (!Files.isDirectory(classes)) {
      throw new IOException(classes + " is not there: build first, with bin/thermocline build");
    }
    return Entry.bytes(
        directory + "/" + module + "-" + release.version() + ".jar",
        Entry.PLAIN,
        ClassesJar.of(classes, release));
  }

  private Entry library(Path library, String directory) throws IOException {
    String path = directory + library.getFileName();
    return WebJar.isOne(library)
        ? Entry.bytes(path, Entry.PLAIN, WebJar.of(library, Dashboard.libraryFiles(), release))
        : Entry.file(path, Entry.PLAIN, library);
  }

  /** Jars that a module runs with, without our own. */
  private Set<Path> libraries(String module, String classPath) throws IOException {
    Path list = root.resolve(module).resolve(classPath);
    if (!Files.exists(list)) {
      throw new IOException(list + " is not there: build first, with bin/thermocline build");
    }
    Set<Path> jars = new LinkedHashSet<>();
    Arrays.stream(Files.readString(list).strip().split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> !path.startsWith(root) && !isOurs(path))
        .forEach(jars::add);
    return jars;
  }

  private static boolean isOurs(Path jar) {
    return MODULES.stream()
        .anyMatch(module -> jar.getFileName().toString().startsWith(module + "-"));
  }

  /**
   * Group and name, as the directories of Maven's repository have them: of one library, only one version is loaded, but
   * two of them may have the same name.
   */
  private static Path artifact(Path jar) {
    return jar.getParent().getParent();
  }
}
