// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    git("init", "-q");
    write("code/A.java", "a");
    write("other/B.java", "b");
    String commit = commit();
    write("docs/evidence/a.md", line("2030-01-01", commit, "`code`"));
    write("docs/evidence/b.md", "Figures are the same\non every machine.\n");
    commit();

    assertEquals("1 measurements, 0 of older code or unclear\n0", checked(root));

    write("other/B.java", "changed");
    commit();
    assertEquals("1 measurements, 0 of older code or unclear\n0", checked(root));

    write("code/A.java", "changed");
    commit();
    assertEquals(
        "a.md: measured on 2030-01-01 at "
            + commit
            + "; commits since then to code: 1\n1 measurements, 1 of older code or unclear\n1",
        checked(root));
  }

  @Test
  void aPageThatSaysTooLittleIsRefused() throws Exception {
    git("init", "-q");
    write("code/A.java", "a");
    String commit = commit();
    write("docs/evidence/a.md", "It took 3 s.\n");
    write("docs/evidence/b.md", "Measured on 2026-11-24, commit " + commit + ".\n");
    write("docs/evidence/c.md", line("2030-01-01", "0123456789ab", "`code`"));
    write("docs/evidence/d.md", line("2030-01-01", commit, "`code`, `gone`"));

    String checked = checked(root);

    assertEquals(
        List.of(
            "a.md: neither measured at a commit, nor the same on every machine",
            "b.md: a line isn't 'Measured on DATE, commit HASH, with `bin/thermocline ...`, of `PATH`, `PATH`.'",
            "b.md: neither measured at a commit, nor the same on every machine",
            "c.md: there is no commit 0123456789ab",
            "d.md: there is no gone"),
        checked.lines().limit(5).toList());
    assertEquals(
        List.of("2 measurements, 5 of older code or unclear", "1"),
        checked.lines().skip(5).toList());
  }

  /** Whether they are of the code as it is, is asked before a release only. */
  @Test
  void thePagesOfThisProjectSayWhatWasMeasured() throws Exception {
    assumeTrue(Files.exists(Path.of("../.git")), "this is no git checkout");
    assumeTrue(isThere("git"), "there is no git");
    List<String> unclear =
        checked(Path.of("..").toRealPath())
            .lines()
            .filter(line -> line.contains(".md: ") && !line.contains("since"))
            .toList();
    assertEquals(List.of(), unclear);
  }

  private static String line(String date, String commit, String code) {
    return "Measured on %s, commit %s, with\n`bin/thermocline bench a`, of %s.\n"
        .formatted(date, commit, code);
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

  private String commit() throws IOException, InterruptedException {
    git("add", "-A");
    git("-c", "user.name=test", "-c", "user.email=test@test", "commit", "-q", "-m", "change");
    return git("rev-parse", "--short=8", "HEAD").strip();
  }

  private static boolean isThere(String program) throws InterruptedException {
    try {
      return new ProcessBuilder(program, "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private String git(String... arguments) throws IOException, InterruptedException {
    assumeTrue(isThere("git"), "there is no git");
    List<String> line = new ArrayList<>(List.of("git"));
    line.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(line).directory(root.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }
}
