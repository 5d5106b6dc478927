// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Deletes a directory when this process ends, even if it is killed: a shell of its own waits for the end
 * of a pipe that the system closes.
 */
public final class Janitor implements AutoCloseable {

  /** Tries for ten seconds, because what lives in the directory may take a moment to die. */
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      read -r _
      i=0
      while [ -e "$1" ] && [ $i -lt 50 ]; do rm -rf "$1" 2>/dev/null || sleep 0.2; i=$((i + 1)); done
      """;

  private final Process shell;

  private Janitor(Process shell) {
    this.shell = shell;
  }

  /** Watches until it is closed, or this process ends. */
  public static Janitor watch(Path directory) throws IOException {
    File nowhere = new File("/dev/null");
    return new Janitor(
        new ProcessBuilder("sh", "-c", SCRIPT, "sh", directory.toString())
            .directory(new File("/"))
            .redirectOutput(nowhere)
            .redirectError(nowhere)
            .start());
  }

  /** Has it delete what there still is, and waits for that. */
  @Override
  public void close() throws IOException {
    shell.getOutputStream().close();
    shell.onExit().join();
  }
}
