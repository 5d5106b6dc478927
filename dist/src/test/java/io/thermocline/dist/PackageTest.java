// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.tiering.process.CommandLines;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Packages of this checkout with made-up classes and libraries, and our own jars for others; {@link
 * WholePackage} makes the real ones.
 */
class PackageTest {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();

  /** What only servers of Hadoop's load, or nobody here. */
  private static final Pattern SERVERS =
      Pattern.compile(
          ".*/(.*(jsp|leveldb|jetty|jersey|jettison|servlet|avro|nimbus|jsch|bcp).*"
              + "|netty-(all|codec-\\D|.*-linux-).*|log4j-1.*)");

  private static final String HOME = "./usr/lib/thermocline/";
  private static final List<String> UNITS =
      List.of(
          "thermocline",
          "thermocline-mover",
          "thermocline-directory-hints",
          "thermocline-attributes");

  @TempDir Path temp;

  @Test
  void theSameSourcesGiveTheSameBytes() throws Exception {
    Path here = checkout("here", Instant.EPOCH);
    Path there = checkout("there", Instant.parse("2031-01-01T00:00:00Z"));

    assertArrayEquals(tarGz(here), tarGz(there));
    assertArrayEquals(deb(here), deb(there));
  }

  @Test
  void ownLibrariesStandApartFromHadoops() throws Exception {
    List<String> names = List.copyOf(tar(tarGz(checkout("here", Instant.EPOCH))).keySet());

    String top = "thermocline-" + Release.of(ROOT).version() + "/";
    assertTrue(names.contains(top + "lib/jackson-core-2.18.12.jar"), names::toString);
    assertTrue(names.contains(top + "hadoop/hadoop-common-3.4.3.jar"), names::toString);
    assertTrue(names.stream().noneMatch(name -> name.contains("hadoop/jackson")), "not twice");
    assertTrue(names.contains(top + "lib/metrics-core-5.0.6.jar"), names::toString);
    assertTrue(names.contains(top + "link/guava-33.8.0-jre.jar"), "only for the optional link");
    assertTrue(names.stream().noneMatch(name -> name.matches(top + "(lib|hadoop)/guava.*")));
    assertTrue(names.contains(top + "hadoop/metrics-core-3.2.4.jar"), "of another group");
    assertTrue(
        names.stream().anyMatch(name -> name.matches(top + "plugin/placement-policy-.*\\.jar")));
    assertTrue(names.stream().anyMatch(name -> name.matches(top + "client/hints-client-.*\\.jar")));
    assertTrue(names.stream().allMatch(name -> name.startsWith(top)), "all of it in one directory");
  }

  /** Of the real libraries: a newer one may bring others. */
  @Test
  void packagesHaveNoMoreThanTheServiceLoads() throws Exception {
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (Entry entry : InstalledTree.of(ROOT, Release.of(ROOT))) {
      if (entry.content() instanceof Entry.Data data) {
        sizes.put(entry.path(), data.size());
      }
    }
    List<String> libraries =
        sizes.keySet().stream().filter(path -> path.matches("(lib|hadoop|link)/.*")).toList();
    assertTrue(libraries.size() > 80, libraries::toString);
    assertEquals(
        List.of(), libraries.stream().filter(path -> SERVERS.matcher(path).matches()).toList());
    assertEquals(
        Set.of("link"),
        libraries.stream()
            .filter(path -> path.matches(".*/(guava|failureaccess|listenablefuture)-.*"))
            .map(path -> path.replaceAll("/.*", ""))
            .collect(Collectors.toSet()),
        "Guava is only for the optional link");
    List<String> names = libraries.stream().map(path -> path.replaceAll(".*/", "")).toList();
    assertEquals(names.size(), Set.copyOf(names).size(), () -> "twice: " + names);
    long all = sizes.values().stream().mapToLong(Long::longValue).sum();
    long hadoop =
        sizes.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(InstalledTree.HADOOP))
            .mapToLong(Map.Entry::getValue)
            .sum();
    assertTrue(all < 82_000_000, () -> all + " bytes");
    assertTrue(all - hadoop < 52_000_000, () -> all - hadoop + " bytes without Hadoop");
  }

  @Test
  void librariesForBrowsersHaveOnlyWhatTheServiceSends() throws Exception {
    Path jar = Files.createDirectories(temp.resolve("org/webjars/chart/1.0")).resolve("chart.jar");
    String files = "META-INF/resources/webjars/chart/1.0/";
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (String name :
          List.of("META-INF/MANIFEST.MF", files + "a.js", files + "a.js.map", files + "LICENSE")) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(name.getBytes(StandardCharsets.UTF_8));
      }
    }
    assertTrue(WebJar.isOne(jar));
    byte[] kept = WebJar.of(jar, List.of("chart/1.0/a.js"), Release.of(ROOT));
    Map<String, String> entries = new LinkedHashMap<>();
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(kept))) {
      for (ZipEntry next = in.getNextEntry(); next != null; next = in.getNextEntry()) {
        entries.put(next.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    assertEquals(
        List.of("META-INF/MANIFEST.MF", files + "a.js", files + "LICENSE"),
        List.copyOf(entries.keySet()));
    entries.forEach((name, content) -> assertEquals(name, content));
  }

  @Test
  void thereIsAPackageWithoutHadoop() throws Exception {
    Path root = checkout("here", Instant.EPOCH);
    Path output = temp.resolve("output");
    String home = System.getProperty("thermocline.home");
    System.setProperty("thermocline.home", root.toString());
    try {
      assertEquals(0, CommandLines.of(new PackageMain()).execute("--output", output.toString()));
    } finally {
      if (home == null) {
        System.clearProperty("thermocline.home");
      } else {
        System.setProperty("thermocline.home", home);
      }
    }
    String name = "thermocline-" + Release.of(ROOT).version();
    Set<String> whole = tar(Files.readAllBytes(output.resolve(name + ".tar.gz"))).keySet();
    Path lean = output.resolve(name + "-without-hadoop.tar.gz");
    assertEquals(
        whole.stream()
            .filter(path -> !path.startsWith(name + "/hadoop/"))
            .collect(Collectors.toSet()),
        Set.copyOf(tar(Files.readAllBytes(lean)).keySet()));
    try (Stream<Path> packages = Files.list(output)) {
      assertEquals(4, packages.count(), "each with Hadoop, and without");
    }

    run("tar", "-xzf", lean.toString(), "-C", temp.toString());
    Process status =
        new ProcessBuilder(
                "env",
                "-i",
                "PATH=/usr/bin:/bin",
                temp.resolve(name + "/bin/thermocline").toString(),
                "status")
            .redirectErrorStream(true)
            .start();
    String said = new String(status.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(1, status.waitFor(), said);
    assertTrue(said.contains("there is no Hadoop") && said.contains("THERMOCLINE_HADOOP"), said);
  }

  /** They stand on the class paths of NameNodes and of others' programs. */
  @Test
  void jarsForOthersClassPathsHoldNothingForeign() throws Exception {
    for (String module : List.of("placement-policy", "hints-client")) {
      byte[] jar = ClassesJar.of(ROOT.resolve(module + "/target/classes"), Release.of(ROOT));
      List<String> names = new ArrayList<>();
      try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
        for (ZipEntry next = in.getNextEntry(); next != null; next = in.getNextEntry()) {
          names.add(next.getName());
        }
      }
      assertTrue(names.stream().filter(name -> name.endsWith(".class")).count() > 10, module);
      assertEquals(
          List.of(),
          names.stream()
              .filter(name -> !name.startsWith("io/thermocline/"))
              .filter(name -> !name.startsWith("META-INF/"))
              // Ours by name, in a package of HDFS for what only that may see.
              .filter(name -> !name.matches("org/apache/hadoop/hdfs/.*/Thermocline[^/]*\\.class"))
              .toList(),
          module);
    }
  }

  @Test
  void pipInstallsThePythonClient() throws Exception {
    byte[] tree = tarGz(checkout("here", Instant.EPOCH));
    Path archive = Files.write(temp.resolve("it.tar.gz"), tree);
    String wheel = "thermocline_hints-0.1.0.dev0-py3-none-any.whl";
    String top = "thermocline-" + Release.of(ROOT).version() + "/client/";
    assertTrue(tar(tree).containsKey(top + wheel));
    run("tar", "-xzf", archive.toString(), "-C", temp.toString(), top + wheel);
    assumeTrue(hasPip(), "there is no pip for python3 here");
    Path site = temp.resolve("site");
    run(
        "python3",
        "-m",
        "pip",
        "install",
        "--no-index",
        "--target",
        site.toString(),
        "--disable-pip-version-check",
        "--root-user-action=ignore",
        temp.resolve(top + wheel).toString());
    String said =
        run(
            "python3",
            "-B",
            "-c",
            "import sys; sys.path.insert(0, sys.argv[1]); import thermocline_hints as h;"
                + " print(h.__file__, h.Hint.__name__)",
            site.toString());
    assertTrue(said.contains("site/thermocline_hints/__init__.py Hint"), said);
  }

  private static boolean hasPip() throws InterruptedException {
    try {
      Process pip = new ProcessBuilder("python3", "-m", "pip", "--version").start();
      pip.getInputStream().readAllBytes();
      return pip.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aPackageOfDebianHasAllInItsPlace() throws Exception {
    Map<String, byte[]> members = ar(deb(checkout("here", Instant.EPOCH)));

    assertEquals(
        List.of("debian-binary", "control.tar.gz", "data.tar.gz"), List.copyOf(members.keySet()));
    Map<String, TarArchiveEntry> data = tar(members.get("data.tar.gz"));
    assertEquals(0755, data.get(HOME + "bin/thermocline").getMode() & 0777);
    assertEquals(
        "../lib/thermocline/bin/thermocline", data.get("./usr/bin/thermocline").getLinkName());
    assertTrue(data.containsKey("./etc/thermocline/thermocline.yaml"));
    assertTrue(data.containsKey("./etc/thermocline/mover.yaml"));
    for (String unit : UNITS) {
      assertTrue(data.containsKey("./usr/lib/systemd/system/" + unit + ".service"), unit);
      assertFalse(data.containsKey("./etc/thermocline/" + unit + ".service"), unit);
    }
    assertEquals(0700, data.get("./var/lib/thermocline/").getMode() & 0777);
    data.values()
        .forEach(
            entry -> {
              assertEquals(0, entry.getLongUserId() + entry.getLongGroupId(), entry.getName());
              assertTrue(
                  entry.isSymbolicLink() || (entry.getMode() & 022) == 0,
                  () -> entry.getName() + " is for root alone to write");
            });
    Map<String, TarArchiveEntry> control = tar(members.get("control.tar.gz"));
    assertEquals(0755, control.get("./postinst").getMode() & 0777);
  }

  @Test
  void dpkgTakesIt() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg-deb")), "there is no dpkg-deb here");
    Path file = Files.write(temp.resolve("it.deb"), deb(checkout("here", Instant.EPOCH)));

    String info = run("dpkg-deb", "--info", file.toString());
    assertTrue(info.contains("Package: thermocline"), info);
    run("dpkg-deb", "-x", file.toString(), temp.resolve("out").toString());
    assertTrue(Files.isExecutable(temp.resolve("out/usr/lib/thermocline/bin/thermocline")));
    assertEquals(
        Path.of("../lib/thermocline/bin/thermocline"),
        Files.readSymbolicLink(temp.resolve("out/usr/bin/thermocline")));
    Path control = temp.resolve("control");
    run("dpkg-deb", "-e", file.toString(), control.toString());
    for (String name : Files.readAllLines(control.resolve("conffiles"))) {
      assertTrue(Files.exists(temp.resolve("out" + name)), name);
    }
    try (Stream<Path> conf = Files.list(ROOT.resolve("conf"))) {
      assertEquals(
          Set.copyOf(UNITS),
          conf.map(path -> path.getFileName().toString())
              .filter(name -> name.endsWith(".service"))
              .map(name -> name.replace(".service", ""))
              .collect(Collectors.toSet()),
          "each unit of conf/ is systemd's");
    }
    for (String script : List.of("postinst", "prerm", "postrm")) {
      String text = Files.readString(control.resolve(script));
      UNITS.forEach(unit -> assertTrue(text.contains(unit), script + " knows " + unit));
      run("sh", "-n", control.resolve(script).toString());
    }
    for (String script : List.of("prerm", "postrm")) {
      assertTrue(
          Files.readString(control.resolve(script)).contains("thermocline uninstall"),
          script + " says how what is in HDFS goes");
    }
    String purging = Files.readString(control.resolve("postrm"));
    for (String unit : UNITS) {
      for (String line : Files.readAllLines(ROOT.resolve("conf/" + unit + ".service"))) {
        Matcher made = Pattern.compile("(State|Logs)Directory=(.*)").matcher(line);
        if (made.matches()) {
          String directory =
              (made.group(1).equals("State") ? "/var/lib/" : "/var/log/") + made.group(2);
          assertTrue(List.of(purging.split("\\s+")).contains(directory), directory + " of " + unit);
        }
      }
    }
  }

  /** A checkout with our own files and made-up classes and libraries, all of that time. */
  private Path checkout(String name, Instant time) throws IOException {
    Path root = Files.createDirectories(temp.resolve(name));
    for (String file : List.of("pom.xml", "LICENSE", "README.md", "bin/thermocline")) {
      copy(ROOT.resolve(file), root.resolve(file));
    }
    for (String directory : List.of("conf", "docs", "python")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          copy(file, root.resolve(ROOT.relativize(file)));
        }
      }
    }
    for (String module :
        List.of("placement-policy", "hints-client", "tiering-service", "redundancy-elimination")) {
      write(root.resolve(module + "/target/classes/io/A.class"), module);
      write(root.resolve(module + "/target/classes/io/b/B.class"), module);
    }
    Path repository = temp.resolve("repository-" + name);
    List<Path> own =
        libraries(
            repository,
            "com/fasterxml/jackson/core/jackson-core/2.18.12",
            "info/picocli/picocli/4.7.7",
            "io/dropwizard/metrics5/metrics-core/5.0.6");
    List<Path> all = new ArrayList<>(own);
    all.add(root.resolve("hints-client/target/classes"));
    all.addAll(
        libraries(
            repository,
            "com/fasterxml/jackson/core/jackson-core/2.12.7",
            "io/dropwizard/metrics/metrics-core/3.2.4",
            "org/apache/hadoop/hadoop-common/3.4.3"));
    write(root.resolve("dist/target/classpath"), path(own));
    write(
        root.resolve("redundancy-elimination/target/libraries"),
        path(libraries(repository, "com/google/guava/guava/33.8.0-jre")));
    write(root.resolve("tiering-service/target/classpath"), path(all));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(time));
      }
    }
    return root;
  }

  private static String path(List<Path> jars) {
    return String.join(java.io.File.pathSeparator, jars.stream().map(Path::toString).toList());
  }

  /**
   * @param directories as Maven's repository has them
   */
  private static List<Path> libraries(Path repository, String... directories) throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String each : directories) {
      Path directory = repository.resolve(each);
      String name = directory.getParent().getFileName() + "-" + directory.getFileName() + ".jar";
      jars.add(write(directory.resolve(name), name));
    }
    return jars;
  }

  private static Path write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to);
  }

  private static byte[] tarGz(Path root) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Release release = Release.of(root);
    TarGz.write(
        InstalledTree.of(root, release), "thermocline-" + release.version() + "/", release, out);
    return out.toByteArray();
  }

  private static byte[] deb(Path root) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Release release = Release.of(root);
    Deb.write(InstalledTree.of(root, release), release, out);
    return out.toByteArray();
  }

  private static Map<String, TarArchiveEntry> tar(byte[] bytes) throws IOException {
    Map<String, TarArchiveEntry> entries = new LinkedHashMap<>();
    try (TarArchiveInputStream in =
        new TarArchiveInputStream(new GzipCompressorInputStream(new ByteArrayInputStream(bytes)))) {
      for (TarArchiveEntry next = in.getNextEntry(); next != null; next = in.getNextEntry()) {
        assertEquals(null, entries.put(next.getName(), next), () -> "twice in the archive");
      }
    }
    return entries;
  }

  private static Map<String, byte[]> ar(byte[] bytes) throws IOException {
    Map<String, byte[]> members = new LinkedHashMap<>();
    try (ArArchiveInputStream in = new ArArchiveInputStream(new ByteArrayInputStream(bytes))) {
      for (ArArchiveEntry next = in.getNextEntry(); next != null; next = in.getNextEntry()) {
        members.put(next.getName(), in.readAllBytes());
      }
    }
    return members;
  }

  private String run(String... line) throws Exception {
    Path out = temp.resolve("out.txt");
    Process process =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "ends");
    String said = Files.readString(out, StandardCharsets.UTF_8);
    assertEquals(0, process.exitValue(), said);
    return said;
  }
}
