// SPDX-License-Identifier: Apache-2.0
package io.thermocline.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.testbed.process.Reaper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The tests of python/, all of them: with the machine's Python where that has pytest and fsspec,
 * else in an environment of its own with both from PyPI.
 */
class PythonClientTest {

  private static final Path PYTHON =
      Path.of(System.getProperty("project.root", ".."), "python").toAbsolutePath().normalize();

  private static final String NEEDS =
      "import sys, pytest, fsspec; assert sys.version_info >= (3, 8)";

  /** Kept, as it is fetched. */
  private static final Path OWN = Path.of("target", "python").toAbsolutePath();

  @Test
  void itsOwnTestsPass() throws Exception {
    String own = OWN.resolve("bin/python").toString();
    boolean hasBoth = succeeds("python3", "-c", NEEDS);
    assumeTrue(
        hasBoth
            || succeeds(own, "-c", NEEDS)
            || succeeds("python3", "-m", "venv", "--clear", OWN.toString())
                && succeeds(own, "-m", "pip", "install", "--quiet", "pytest", "fsspec")
                && succeeds(own, "-c", NEEDS),
        "no python3 of 3.8 or newer with pytest and fsspec, nor with venv and PyPI to have them from");
    Ended ended =
        run(hasBoth ? "python3" : own, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider");
    assertEquals(0, ended.status(), ended.said());
    assertTrue(ended.said().contains(" passed"), ended.said());
    assertFalse(ended.said().contains(" skipped"), ended.said());
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      return run(command).status() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private record Ended(int status, String said) {}

  private static Ended run(String... command) throws IOException, InterruptedException {
    Process process =
        Reaper.watch(
            new ProcessBuilder(command)
                .directory(PYTHON.toFile())
                .redirectErrorStream(true)
                .start());
    try {
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(2, TimeUnit.MINUTES), said);
      return new Ended(process.exitValue(), said);
    } finally {
      process.destroyForcibly();
    }
  }
}
