// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.cluster.Eventually;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReaperTest {

  /** A program that starts a process, says its number, and ends when it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      Process held = Reaper.watch(new ProcessBuilder("sleep", "300").start());
      System.out.println(held.pid());
      held.waitFor();
    }
  }

  @Test
  void killsWhatOneStartedThatIsKilled() throws Exception {
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                ProcessCluster.codeOf(Reaper.class) + ":" + ProcessCluster.codeOf(Holder.class),
                Holder.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<ProcessHandle> held = List.of();
    try (BufferedReader out = holder.inputReader()) {
      long pid = Long.parseLong(out.readLine());
      held = holder.descendants().toList();
      assertTrue(held.stream().anyMatch(each -> each.pid() == pid), held::toString);
      holder.destroyForcibly();
      List<ProcessHandle> all = held;
      Eventually.holds("they ended", () -> all.stream().noneMatch(ProcessHandle::isAlive));
    } finally {
      held.forEach(ProcessHandle::destroyForcibly);
      Reaper.kill(holder);
    }
  }

  @Test
  void leavesNoShellWhenTheProcessEnds() throws Exception {
    Process ends = Reaper.watch(new ProcessBuilder("true").start());
    String pid = Long.toString(ends.pid());
    Eventually.holds(
        "the shell that watched it has ended",
        () ->
            ProcessHandle.current()
                .children()
                .noneMatch(child -> child.info().commandLine().orElse("").endsWith("sh " + pid)));
  }
}
