// SPDX-License-Identifier: Apache-2.0
package io.thermocline.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.image.GeneratedImage;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.image.FirstView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README tells people to type. */
class ReadmeTest {

  private static final String TEST = "bin/thermocline test";

  @TempDir Path directory;

  @Test
  void showsTheTwoCommands() throws IOException {
    assertTrue(commands().contains("bin/thermocline demo"), commands().toString());
    assertTrue(commands().contains(TEST), commands().toString());
  }

  /** All but the one that runs this. */
  @Tag("cluster")
  @Test
  void showsCommandsThatWork() throws Exception {
    writeSite();
    for (String command : commands()) {
      if (!command.equals(TEST)) {
        List<String> words = List.of(command.split(" +"));
        assertEquals("bin/thermocline", words.get(0));
        Launched ended =
            Launched.start(Launched.LAUNCHER, directory, words.subList(1, words.size()))
                .await(Duration.ofMinutes(5));
        assertEquals(0, ended.status(), command + ": " + ended.out() + ended.err());
      }
    }
    assertTrue(Files.size(directory.resolve("thermocline-demo.html")) > 100_000);
    assertTrue(Files.size(directory.resolve("what-if.html")) > 10_000);
  }

  /** What the README has a site's own files named: an image, and an audit log of reads of the files in it. */
  private void writeSite() throws IOException {
    Path image = directory.resolve("fsimage_0000000000000004711");
    GeneratedImage.write(image, 2_000, 1, null);
    List<FileView> files = new ArrayList<>();
    FirstView.of(image, null, new Configuration(false), System::nanoTime, words -> {})
        .read(List.of("/"), path -> false, files::add);
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      int drawn = (int) (files.size() * Math.pow(random.nextDouble(), 3));
      log.append(
          "2026-11-20 00:%02d:%02d,000 INFO FSNamesystem.audit: allowed=true\tugi=etl (auth:SIMPLE)\tip=/10.0.0.%d\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc%n"
              .formatted(i / 60, i % 60, 1 + random.nextInt(200), files.get(drawn).path()));
    }
    Files.writeString(directory.resolve("hdfs-audit.log"), log);
  }

  /** The lines of the README's code blocks that call the launcher, without their comments. */
  private static List<String> commands() throws IOException {
    return Files.readAllLines(Launched.ROOT.resolve("README.md")).stream()
        .filter(
            line -> line.startsWith("    bin/thermocline") || line.startsWith("bin/thermocline"))
        .map(line -> line.strip().replaceFirst("\\s+#.*", ""))
        .toList();
  }
}
