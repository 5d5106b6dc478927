// SPDX-License-Identifier: Apache-2.0
package io.thermocline.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The tests of python/, with what the machine has: Python and pytest, and fsspec for those that
 * need it.
 */
class PythonClientTest {

  private static final Path PYTHON =
      Path.of(System.getProperty("project.root", ".."), "python").toAbsolutePath().normalize();

  @Test
  void itsOwnTestsPass() throws Exception {
    assumeTrue(
        has("import sys, pytest; assert sys.version_info >= (3, 8)"),
        "no python3 of 3.8 or newer with pytest: pip install pytest fsspec");
    Ended ended = python("-B", "-m", "pytest", "-q", "-p", "no:cacheprovider");
    assertEquals(0, ended.status(), ended.said());
    assertTrue(ended.said().contains(" passed"), ended.said());
  }

  private static boolean has(String script) throws InterruptedException {
    try {
      return python("-c", script).status() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private record Ended(int status, String said) {}

  private static Ended python(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("python3").directory(PYTHON.toFile());
    builder.command().addAll(List.of(arguments));
    Process process = builder.redirectErrorStream(true).start();
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
