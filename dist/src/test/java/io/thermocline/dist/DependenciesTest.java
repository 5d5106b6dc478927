// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DependenciesTest {

  private static final String RELEASED = "2026-11-20T00:00:00Z";

  /** What Maven prints where it reaches no registry, and where it may not try. */
  private static final List<String> UNREACHABLE =
      List.of(
          "[ERROR] Plugin org.codehaus.mojo:versions-maven-plugin:2.19.1 or one of its dependencies could not be"
              + " resolved: Failed to read artifact descriptor for org.codehaus.mojo:versions-maven-plugin:jar:2.19.1:"
              + " Could not transfer artifact org.codehaus.mojo:versions-maven-plugin:pom:2.19.1 from/to central"
              + " (https://repo.maven.apache.org/maven2): Connection refused -> [Help 1]",
          "[ERROR] Plugin org.codehaus.mojo:versions-maven-plugin:2.19.1 or one of its dependencies could not be"
              + " resolved: Cannot access central (https://repo.maven.apache.org/maven2) in offline mode and the"
              + " artifact org.codehaus.mojo:versions-maven-plugin:jar:2.19.1 has not been downloaded from it before.");

  /** What it prints where the plugin or its version isn't right. */
  private static final List<String> FAILED =
      List.of(
          "[WARNING] Connection refused\n[ERROR] Failed to execute goal"
              + " org.codehaus.mojo:versions-maven-plugin:2.19.1:dependency-updates-report (default-cli) on project"
              + " libraries: Execution default-cli of goal"
              + " org.codehaus.mojo:versions-maven-plugin:2.19.1:dependency-updates-report failed:"
              + " org.apache.maven.wagon.ResourceDoesNotExistException",
          "[ERROR] Plugin org.codehaus.mojo:versions-maven-plugin:2.19.99 or one of its dependencies could not be"
              + " resolved: Could not find artifact org.codehaus.mojo:versions-maven-plugin:jar:2.19.99 in central"
              + " (https://repo.maven.apache.org/maven2) -> [Help 1]",
          "");

  @TempDir Path temp;

  private Path root;

  private final StringWriter out = new StringWriter();
  private final String home = System.getProperty("thermocline.home");

  @BeforeEach
  void setUp() throws IOException {
    root = Files.createDirectories(temp.resolve("checkout"));
    System.setProperty("thermocline.home", root.toString());
    Files.writeString(
        root.resolve("pom.xml"),
        """
        <project><version>1.0</version>
        <properties><project.build.outputTimestamp>%s</project.build.outputTimestamp><t.version>5.0</t.version></properties>
        <dependency><groupId>org.test</groupId><artifactId>test</artifactId><version>${t.version}</version></dependency>
        </project>"""
            .formatted(RELEASED));
    String path =
        jar("org/old", "old", "1.1", "2024-01-02T00:00:00Z")
            + ":"
            + jar("org/fresh", "fresh", "2.0", "2026-10-01T00:00:00Z")
            + ":"
            + jar("org/last", "last", "3.0", "2010-01-01T00:00:00Z");
    list("tiering-service/target/classpath", path);
    list("dist/target/classpath", path);
    list(
        "redundancy-elimination/target/libraries",
        jar("org/linked", "linked", "4.0", "2010-01-01T00:00:00Z").toString());
    reasons("`org.old:*`", "`org.test:test`");
  }

  private void list(String file, String path) throws IOException {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), path);
  }

  @AfterEach
  void restore() {
    if (home == null) {
      System.clearProperty("thermocline.home");
    } else {
      System.setProperty("thermocline.home", home);
    }
  }

  @Test
  void namesAllLibrariesForTheVersionsPlugin() throws IOException {
    Path pom = root.resolve("made/pom.xml");
    assertEquals(0, run("--pom", pom.toString()));
    String text = Files.readString(pom);
    assertTrue(text.contains("<artifactId>fresh</artifactId><version>2.0</version>"), text);
    assertTrue(text.contains("<artifactId>test</artifactId><version>5.0</version>"), text);
    assertTrue(text.contains("<artifactId>linked</artifactId><version>4.0</version>"), text);
  }

  @Test
  void takesOldLibrariesThatHaveAReason() throws IOException {
    assertEquals(0, run("--report", report().toString()), out::toString);
    assertTrue(
        out.toString().contains("newer patch: org.fresh:fresh 2.0 of 2026-10-01: 2.0.1\n"),
        out::toString);
    assertFalse(out.toString().contains("2.0.2-rc1"), out::toString);
    assertTrue(
        out.toString().contains("4 libraries, 1 with a newer patch release, 0 old"), out::toString);
  }

  @Test
  void refusesAnOldLibraryWithoutAReason() throws IOException {
    reasons("`org.test:test`");
    assertEquals(1, run("--report", report().toString()), out::toString);
    assertTrue(out.toString().contains("org.old:old 1.1 of 2024-01-02, newest 2.0"), out::toString);
  }

  /** A library whose jar isn't here may be of any age. */
  @Test
  void refusesALibraryOfUnknownAge() throws IOException {
    reasons("`org.old:old`");
    assertEquals(1, run("--report", report().toString()), out::toString);
    assertTrue(out.toString().contains("org.test:test 5.0, date unknown"), out::toString);
  }

  @Test
  void refusesAReasonForWhatIsNotUsed() throws IOException {
    reasons("`org.old:*`", "`org.test:test`", "`org.gone:gone`");
    assertEquals(1, run("--report", report().toString()), out::toString);
    assertTrue(out.toString().contains("no library is named org.gone:gone"), out::toString);
  }

  @Test
  void passesWhereTheRegistryCannotBeReached() throws IOException {
    reasons();
    for (String said : UNREACHABLE) {
      assertEquals(0, runWithoutReport(said), out::toString);
    }
    assertTrue(out.toString().contains("can't be reached"), out::toString);
  }

  @Test
  void refusesWhereThePluginFails() throws IOException {
    for (String said : FAILED) {
      assertEquals(1, runWithoutReport(said), said);
    }
    assertTrue(out.toString().contains("ResourceDoesNotExistException"), out::toString);
    assertFalse(out.toString().contains("can't be reached"), out::toString);
  }

  private int runWithoutReport(String said) throws IOException {
    Path log = Files.writeString(temp.resolve("log"), said);
    return run("--report", root.resolve("nowhere.xml").toString(), "--log", log.toString());
  }

  private int run(String... arguments) {
    return CommandLines.of(new DependenciesMain())
        .setOut(new PrintWriter(out, true))
        .execute(arguments);
  }

  private void reasons(String... names) throws IOException {
    Path record = root.resolve("docs/decisions/0062-old-libraries.md");
    Files.createDirectories(record.getParent());
    Files.writeString(record, "| " + String.join(" ", names) + " | because |\n");
  }

  private Path jar(String group, String artifact, String version, String time) throws IOException {
    Path jar =
        temp.resolve("repository")
            .resolve(group)
            .resolve(artifact + "/" + version + "/" + artifact + "-" + version + ".jar");
    Files.createDirectories(jar.getParent());
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      ZipEntry entry = new ZipEntry("A.class");
      entry.setTime(Instant.parse(time).toEpochMilli());
      zip.putNextEntry(entry);
    }
    return jar;
  }

  private Path report() throws IOException {
    return Files.writeString(
        root.resolve("report.xml"),
        "<r><dependencyManagements>"
            + found("org.old", "old", "1.1", "<majors><major>2.0</major></majors>")
            + found(
                "org.fresh",
                "fresh",
                "2.0",
                "<incrementals><incremental>2.0.1</incremental><incremental>2.0.2-rc1</incremental>"
                    + "</incrementals>")
            + found("org.last", "last", "3.0", "")
            + found("org.test", "test", "5.0", "<minors><minor>5.1</minor></minors>")
            + "</dependencyManagements></r>");
  }

  private static String found(String group, String artifact, String version, String newer) {
    return "<dependencyManagement><groupId>%s</groupId><artifactId>%s</artifactId><currentVersion>%s</currentVersion>%s</dependencyManagement>"
        .formatted(group, artifact, version, newer);
  }
}
