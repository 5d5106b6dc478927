// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceTest {

  private final String home = System.getProperty("thermocline.home");

  @TempDir Path root;

  @AfterEach
  void restore() {
    if (home == null) {
      System.clearProperty("thermocline.home");
    } else {
      System.setProperty("thermocline.home", home);
    }
  }

  @Test
  void figuresOlderThanTheirCodeAreRefused() throws Exception {
    write("code/A.java", "a");
    write("code/b/B.java", "b");
    write("other/C.java", "c");
    // find code -type f | LC_ALL=C sort | xargs sha256sum | sha256sum
    write("docs/evidence/a.md", line("2030-01-01", "103737373246", "`code`"));
    write("docs/evidence/b.md", "Figures are the same\non every machine.\n");

    assertEquals("1 measurements, 0 of older code or unclear\n0", checked(root));

    write("other/C.java", "changed");
    assertEquals("1 measurements, 0 of older code or unclear\n0", checked(root));

    write("code/b/B.java", "changed");
    assertEquals(
        "a.md: measured on 2030-01-01; code changed since: code 80335e92460a\n"
            + "1 measurements, 1 of older code or unclear\n1",
        checked(root));
  }

  @Test
  void figuresOfAnEarlierVersionAreRefused() throws Exception {
    write("code/A.java", "a");
    write(
        "docs/evidence/a.md",
        "Measured on 2030-01-01, with an earlier version, with `bin/thermocline bench a`, of `code`.\n");

    assertEquals(
        List.of("1 measurements, 1 of older code or unclear", "1"),
        checked(root).lines().skip(1).toList());
  }

  @Test
  void aPageThatSaysTooLittleIsRefused() throws Exception {
    write("code/A.java", "a");
    write("docs/evidence/a.md", "It took 3 s.\n");
    write("docs/evidence/b.md", "Measured on 2026-11-24, commit 0123456789.\n");
    write("docs/evidence/d.md", line("2030-01-01", "0123456789ab", "`code`, `gone`"));

    String checked = checked(root);

    assertEquals(
        List.of(
            "a.md: neither measured at a commit, nor the same on every machine",
            "b.md: a line isn't 'Measured on DATE, commit HASH, code DIGEST, with `bin/thermocline ...`, of `PATH`,"
                + " `PATH`.'",
            "b.md: neither measured at a commit, nor the same on every machine",
            "d.md: there is no gone"),
        checked.lines().limit(4).toList());
    assertEquals(
        List.of("1 measurements, 4 of older code or unclear", "1"),
        checked.lines().skip(4).toList());
  }

  /** Whether they are of the code as it is, is asked before a release only. */
  @Test
  void thePagesOfThisProjectSayWhatWasMeasured() throws Exception {
    List<String> unclear =
        checked(Path.of("..").toRealPath())
            .lines()
            .filter(line -> line.contains(".md: ") && !line.contains("since"))
            .toList();
    assertEquals(List.of(), unclear);
  }

  private static String line(String date, String digest, String code) {
    return "Measured on %s, commit 0123456789, code %s, with\n`bin/thermocline bench a`, of %s.\n"
        .formatted(date, digest, code);
  }

  private static String checked(Path home) {
    System.setProperty("thermocline.home", home.toString());
    StringWriter out = new StringWriter();
    int status = CommandLines.of(new EvidenceMain()).setOut(new PrintWriter(out)).execute();
    return out.toString() + status;
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
