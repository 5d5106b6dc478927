// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is refused before anything is asked, and that the file then stays. Asking needs a cluster. */
class AttributesMainTest {

  private static final String OLD = "* cpu=1%\n";

  private final StringWriter err = new StringWriter();

  @TempDir Path directory;
  private Path out;
  private Path from;

  @BeforeEach
  void write() throws IOException {
    out = Files.writeString(directory.resolve("node-attributes"), OLD);
    from = directory.resolve("by-hand");
  }

  @Test
  void badHandWrittenLinesAreNamedEachWithItsPlace() throws IOException {
    Files.writeString(from, "class SSD sata < nvme\ndn1 SSD class=nvm\n\ndn2 cpu=200%\n");
    assertEquals(CommandLines.USAGE, run("--from", from.toString()));
    List<String> lines = err.toString().lines().toList();
    assertEquals(1, lines.size(), "the class is looked at once the lines are right: " + lines);
    assertEquals(
        "thermocline attributes: " + from + ":4:9: cpu: '200%' is more than 100%", lines.get(0));
    Files.writeString(from, "dn1 SSD class=nvm\ndn1 zone=B\n");
    err.getBuffer().setLength(0);
    assertEquals(CommandLines.USAGE, run("--from", from.toString()));
    assertTrue(err.toString().contains(from + ":2:10: zone: "), err.toString());
    assertEquals(OLD, Files.readString(out));
  }

  @Test
  void handWrittenLinesThatAreNoTextAreRefused() throws IOException {
    Files.write(from, "dn1 zone=ü".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(CommandLines.USAGE, run("--from", from.toString()));
    assertEquals("thermocline attributes: " + from + " is not UTF-8 text\n", err.toString());
  }

  @Test
  void missingFilesAndDirectoriesAreNamed() {
    assertEquals(CommandLines.USAGE, run("--from", from.toString()));
    assertEquals("thermocline attributes: --from: there is no file " + from + "\n", err.toString());
    err.getBuffer().setLength(0);
    assertEquals(CommandLines.USAGE, run());
    assertTrue(
        err.toString()
            .startsWith(
                "thermocline attributes: --config: "
                    + directory
                    + " has no core-site.xml that can be read: "),
        err.toString());
    err.getBuffer().setLength(0);
    out = directory.resolve("no/file");
    assertEquals(CommandLines.USAGE, run());
    assertTrue(
        err.toString().contains("--out: there is no directory " + directory.resolve("no")),
        err.toString());
  }

  /** It would grow each time. */
  @Test
  void theFileIsNotCopiedIntoItself() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), out);
    assertEquals(CommandLines.USAGE, run("--from", link.toString()));
    assertTrue(err.toString().contains("--from and --out are one file"), err.toString());
    assertEquals(OLD, Files.readString(out));
  }

  @Test
  void aDurationNeedsItsUnit() {
    for (String bad : new String[] {"30", "0s", "soon", "99999999999999999999s"}) {
      err.getBuffer().setLength(0);
      assertEquals(CommandLines.USAGE, run("--every", bad));
      assertEquals(1, err.toString().lines().count(), err.toString());
      assertTrue(err.toString().contains("'--every'"), err.toString());
      assertTrue(err.toString().contains(bad), err.toString());
    }
  }

  @Test
  void whatIsNoHdfsIsSaid() throws IOException {
    Files.writeString(directory.resolve("core-site.xml"), "<configuration/>");
    assertEquals(CommandLines.FAILURE, run());
    assertEquals(
        "thermocline attributes: file:/// is no HDFS: name one in fs.defaultFS of the core-site.xml"
            + " in --config\n",
        err.toString());
    assertEquals(OLD, Files.readString(out));
  }

  private int run(String... more) {
    CommandLine line = CommandLines.of(new AttributesMain());
    line.setErr(new PrintWriter(err, true));
    List<String> arguments =
        new ArrayList<>(List.of("--config", directory.toString(), "--out", out.toString()));
    arguments.addAll(List.of(more));
    return line.execute(arguments.toArray(String[]::new));
  }
}
