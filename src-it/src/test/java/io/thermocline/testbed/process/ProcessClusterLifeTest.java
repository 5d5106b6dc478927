// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.thermocline.testbed.cluster.Eventually;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class ProcessClusterLifeTest {

  private static final String VERSION = System.getProperty("hadoop.version", "3.4.3");

  @TempDir Path temp;

  @BeforeEach
  void resolvable() throws IOException {
    try {
      HadoopLine.resolve(VERSION, TestLines.DIRECTORY);
    } catch (UnresolvedHadoopException e) {
      abort(e.getMessage());
    }
  }

  @Test
  void nothingOutlivesATestbedThatIsKilled() throws IOException {
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "-Dtest.build.data=" + System.getProperty("test.build.data", "target/test-data"),
                HeldCluster.class.getName(),
                VERSION,
                temp.toString())
            .redirectError(temp.resolve("err").toFile())
            .start();
    try (BufferedReader out = holder.inputReader()) {
      String directory = out.readLine();
      assertTrue(
          directory != null && Files.isDirectory(Path.of(directory)),
          () -> directory + "\n" + errors());
      List<ProcessHandle> children = holder.descendants().toList();
      // The NameNode, the DataNode, and the shell that deletes the directory.
      assertTrue(children.size() >= 3, children::toString);
      holder.destroyForcibly();
      Eventually.holds(
          "all processes ended", () -> children.stream().noneMatch(ProcessHandle::isAlive));
      Eventually.holds("the directory is gone", () -> !new File(directory).exists());
    } finally {
      holder.descendants().forEach(ProcessHandle::destroyForcibly);
      holder.destroyForcibly();
    }
  }

  private String errors() {
    try {
      return Files.readString(temp.resolve("err"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void aStartThatFailsSaysWhyAndLeavesNothing() throws Exception {
    ProcessCluster.Builder builder =
        HeldCluster.start(VERSION, temp)
            .setting("dfs.block.replicator.classname", "no.such.Policy");
    IOException e = assertThrows(IOException.class, builder::start);
    assertTrue(e.getMessage().contains("no.such.Policy"), e.getMessage());
    try (Stream<Path> left = Files.list(temp)) {
      assertEquals(List.of(), left.toList());
    }
    assertEquals(
        List.of(),
        ProcessHandle.current()
            .descendants()
            .filter(child -> child.info().commandLine().orElse("").contains(temp.toString()))
            .toList());
  }
}
