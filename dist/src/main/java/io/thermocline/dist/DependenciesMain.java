// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import io.thermocline.tiering.process.CommandLines;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares each library with the registry's releases, in two steps with the versions plugin of Maven between them. */
@Command(
    name = "thermocline dependencies",
    mixinStandardHelpOptions = true,
    description = {
      "Compares each library with the newest releases in the Maven registry. Prints the libraries that have a newer"
          + " patch release.",
      "",
      "A library is old if it is a year older than this release and the registry has a newer version. Each old library"
          + " needs a reason in docs/decisions/0062-old-libraries.md.",
      "",
      "Exit codes: 0 where each old library has a reason, or where the registry can't be reached; 1 where a reason is"
          + " missing or names a library that isn't used, or where the versions plugin fails for another cause."
    })
public final class DependenciesMain implements Callable<Integer> {

  private static final String RECORD = "docs/decisions/0062-old-libraries.md";

  /** In the record: {@code `group:artifact`}, either with a star at its end. */
  private static final Pattern NAMED = Pattern.compile("`([\\w.-]+:[\\w.*-]+)`");

  /** Versions that are no release, or are named by their day, which sorts them above all others. */
  private static final Pattern UNFINISHED =
      Pattern.compile(
          "(?i).*[.-](alpha|beta|rc|cr|m|b|ea|pr|pre|preview|snapshot|redhat)[.-]?\\d*.*|\\d{8}\\..*");

  /** Where the build lists what is shipped in {@code lib/}, {@code hadoop/} and {@code link/}. */
  private static final List<String> SHIPPED =
      List.of(
          "tiering-service/target/classpath",
          "dist/target/classpath",
          "redundancy-elimination/target/libraries");

  @Spec private CommandSpec spec;

  @Option(
      names = "--pom",
      paramLabel = "FILE",
      description = "write a POM that names all libraries, for the versions plugin")
  private Path pom;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "read what the versions plugin found")
  private Path report;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "what Maven printed, which says why there is no report")
  private Path log;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new DependenciesMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Path root = Path.of(System.getProperty("thermocline.home", ".")).toAbsolutePath().normalize();
    Map<String, Library> libraries = libraries(root);
    if (pom != null) {
      Files.createDirectories(pom.toAbsolutePath().getParent());
      Files.writeString(pom, pom(libraries));
      return 0;
    }
    PrintWriter out = spec.commandLine().getOut();
    if (report == null || !Files.exists(report)) {
      return MavenLog.of(log).explain(out, "the versions plugin", "the libraries' age isn't known")
          ? 0
          : 1;
    }
    LocalDate yearBefore =
        LocalDate.ofInstant(Release.of(root).time(), ZoneOffset.UTC).minusYears(1);
    return compare(libraries, reasons(root), yearBefore, out);
  }

  /**
   * A library in use.
   *
   * @param released when its jar was made; none where the jar doesn't say it, or isn't here
   */
  private record Library(String version, Optional<LocalDate> released) {}

  private int compare(
      Map<String, Library> libraries, List<String> reasons, LocalDate yearBefore, PrintWriter out)
      throws IOException {
    NodeList found = parse(report).getElementsByTagName("dependencyManagement");
    TreeSet<String> unused = new TreeSet<>(reasons);
    int patches = 0;
    int missing = 0;
    for (int i = 0; i < found.getLength(); i++) {
      Element each = (Element) found.item(i);
      String name =
          text(each, "groupId").orElseThrow() + ":" + text(each, "artifactId").orElseThrow();
      Library library = libraries.get(name);
      if (library == null) {
        throw new IOException(
            report + " names " + name + ", which isn't a library of this checkout");
      }
      Optional<String> patch = newest(each, "incremental");
      Optional<String> newest =
          newest(each, "major").or(() -> newest(each, "minor")).or(() -> patch);
      List<String> because = reasons.stream().filter(reason -> fits(reason, name)).toList();
      boolean isOld =
          newest.isPresent()
              && library.released().map(date -> date.isBefore(yearBefore)).orElse(true);
      unused.removeAll(because);
      String since = library.released().map(date -> " of " + date).orElse(", date unknown");
      if (patch.isPresent()) {
        patches++;
        out.printf("newer patch: %s %s%s: %s%n", name, library.version(), since, patch.get());
      }
      if (isOld && because.isEmpty()) {
        missing++;
        out.printf(
            "old, and no reason in %s: %s %s%s, newest %s%n",
            RECORD, name, library.version(), since, newest.get());
      }
    }
    unused.forEach(reason -> out.println(RECORD + ": no library is named " + reason));
    out.printf(
        "%d libraries, %d with a newer patch release, %d old without a reason%n",
        found.getLength(), patches, missing);
    out.flush();
    return missing == 0 && unused.isEmpty() && found.getLength() > 0 ? 0 : 1;
  }

  private static boolean fits(String reason, String name) {
    return reason.endsWith("*")
        ? name.startsWith(reason.substring(0, reason.length() - 1))
        : name.equals(reason);
  }

  /** The last release of those that a version number's part tells apart; the plugin sorts them. */
  private static Optional<String> newest(Element dependency, String part) {
    NodeList versions = dependency.getElementsByTagName(part);
    Optional<String> newest = Optional.empty();
    for (int i = 0; i < versions.getLength(); i++) {
      String version = versions.item(i).getTextContent().strip();
      if (!UNFINISHED.matcher(version).matches()) {
        newest = Optional.of(version);
      }
    }
    return newest;
  }

  private static List<String> reasons(Path root) throws IOException {
    return Files.readAllLines(root.resolve(RECORD)).stream()
        .filter(line -> line.startsWith("|"))
        .flatMap(line -> NAMED.matcher(line).results().map(match -> match.group(1)))
        .toList();
  }

  /** Of what is shipped, with all that comes with it; and of what the POMs name for tests, benchmarks and optional modules. */
  private static Map<String, Library> libraries(Path root) throws IOException {
    Map<String, Library> libraries = new TreeMap<>();
    Path repository = root;
    for (String list : SHIPPED) {
      for (String name : Files.readString(root.resolve(list)).strip().split(File.pathSeparator)) {
        Path jar = Path.of(name);
        if (!jar.startsWith(root) && name.endsWith(".jar")) {
          Path artifact = jar.getParent().getParent();
          repository = repository(artifact);
          String group =
              repository
                  .relativize(artifact.getParent())
                  .toString()
                  .replace(File.separatorChar, '.');
          libraries.put(
              group + ":" + artifact.getFileName(),
              new Library(jar.getParent().getFileName().toString(), released(jar)));
        }
      }
    }
    for (Path each : poms(root)) {
      Map<String, String> properties = properties(each);
      properties(root.resolve("pom.xml")).forEach(properties::putIfAbsent);
      NodeList named = parse(each).getElementsByTagName("dependency");
      for (int i = 0; i < named.getLength(); i++) {
        Element dependency = (Element) named.item(i);
        String group = text(dependency, "groupId").orElseThrow();
        String artifact = text(dependency, "artifactId").orElseThrow();
        Optional<String> declared = text(dependency, "version");
        if (declared.isPresent() && !group.equals("io.thermocline")) {
          String version = filled(declared.get(), properties);
          Path jar =
              repository
                  .resolve(group.replace('.', '/'))
                  .resolve(artifact + "/" + version + "/" + artifact + "-" + version + ".jar");
          libraries.putIfAbsent(group + ":" + artifact, new Library(version, released(jar)));
        }
      }
    }
    return libraries;
  }

  /** Maven's, on this machine. */
  private static Path repository(Path directory) {
    Path repository = directory;
    while (!repository.getFileName().toString().equals("repository")) {
      repository = repository.getParent();
    }
    return repository;
  }

  private static List<Path> poms(Path root) throws IOException {
    try (Stream<Path> directories = Files.list(root)) {
      return Stream.concat(Stream.of(root), directories.sorted())
          .map(directory -> directory.resolve("pom.xml"))
          .filter(Files::exists)
          .toList();
    }
  }

  /** The latest time of its entries: some builds fix it at a time that no library is of. */
  private static Optional<LocalDate> released(Path jar) throws IOException {
    if (!Files.exists(jar)) {
      return Optional.empty();
    }
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .map(ZipEntry::getTime)
          .max(Comparator.naturalOrder())
          .map(time -> LocalDate.ofInstant(Instant.ofEpochMilli(time), ZoneOffset.UTC))
          .filter(date -> date.getYear() > 1990);
    }
  }

  private static Map<String, String> properties(Path pom) throws IOException {
    Map<String, String> properties = new TreeMap<>();
    Matcher found =
        Pattern.compile("<([\\w.-]+\\.version)>([^<]+)</\\1>").matcher(Files.readString(pom));
    while (found.find()) {
      properties.putIfAbsent(found.group(1), found.group(2));
    }
    return properties;
  }

  private static String filled(String version, Map<String, String> properties) {
    return version.startsWith("${")
        ? properties.getOrDefault(version.substring(2, version.length() - 1), version)
        : version;
  }

  private static String pom(Map<String, Library> libraries) {
    StringBuilder xml =
        new StringBuilder(
            """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>io.thermocline</groupId>
              <artifactId>libraries</artifactId>
              <version>0</version>
              <dependencyManagement>
                <dependencies>
            """);
    libraries.forEach(
        (name, library) -> {
          String[] parts = name.split(":");
          xml.append(
              "      <dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>\n"
                  .formatted(parts[0], parts[1], library.version()));
        });
    return xml.append("    </dependencies>\n  </dependencyManagement>\n</project>\n").toString();
  }

  private static Document parse(Path file) throws IOException {
    try {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /** Of the child itself, not of what is below it. */
  private static Optional<String> text(Element parent, String child) {
    NodeList children = parent.getChildNodes();
    for (int i = 0; i < children.getLength(); i++) {
      if (children.item(i).getNodeName().equals(child)) {
        return Optional.of(children.item(i).getTextContent().strip());
      }
    }
    return Optional.empty();
  }
}
