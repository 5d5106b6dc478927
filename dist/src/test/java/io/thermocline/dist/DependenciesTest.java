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
    for (String module : List.of("tiering-service", "dist")) {
      Files.createDirectories(root.resolve(module).resolve("target"));
      Files.writeString(root.resolve(module).resolve("target/classpath"), path);
    }
    reasons("`org.old:*`", "`org.test:test`");
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
    assertEquals(0, run("--report", root.resolve("nowhere.xml").toString()));
    assertTrue(out.toString().contains("can't be reached"), out::toString);
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
