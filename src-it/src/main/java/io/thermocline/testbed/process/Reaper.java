// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.File;
import java.io.IOException;

/**
 * Kills a process that was started when this one ends, even if this one is killed: a shell waits for the end of a pipe
 * that the system closes. For programs that aren't started by their {@link io.thermocline.testbed.process.inside.Tether}.
 */
public final class Reaper {

  private static final String SCRIPT = "trap '' INT TERM HUP; read -r _; kill -KILL \"$1\"";

  private Reaper() {}

  /** Watches until the process has ended. */
  public static Process watch(Process process) throws IOException {
    File nowhere = new File("/dev/null");
    Process shell =
        new ProcessBuilder("sh", "-c", SCRIPT, "sh", Long.toString(process.pid()))
            .directory(new File("/"))
            .redirectOutput(nowhere)
            .redirectError(nowhere)
            .start();
    // Before its number is another process's.
    process.onExit().thenRun(shell::destroyForcibly);
    return process;
  }

  /** Kills a process and all that it started, and returns when it is gone. */
  public static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
  }
}
