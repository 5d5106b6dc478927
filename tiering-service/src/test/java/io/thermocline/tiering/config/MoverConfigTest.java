// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.HdfsActionCalls;
import io.thermocline.tiering.act.mover.MoverHandler;
import io.thermocline.tiering.act.mover.MoverRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MoverConfigTest {

  private static final Path CONF = Path.of(System.getProperty("project.root"), "conf");

  private static final MoverConfig EXAMPLE =
      new MoverConfig(
          new ServiceConfig.Hdfs(null, Path.of("/etc/hadoop/conf"), null, null, null, null),
          Path.of("/run/thermocline-mover/mover.sock"),
          "thermocline",
          300,
          new MoverRules(
              List.of("/warehouse"),
              List.of(),
              Set.of("HOT", "WARM", "COLD", "ONE_SSD", "ALL_SSD", "ALL_NVDIMM"),
              Set.of(StorageType.ARCHIVE, StorageType.DISK, StorageType.SSD, StorageType.NVDIMM),
              Optional.empty(),
              0),
          new HdfsActionCalls.Pool("thermocline", 0, Duration.ofDays(1)),
          new MoverHandler.Caps(2L << 40, 100_000),
          500,
          "/system/thermocline/mover.id",
          false);

  @TempDir Path directory;

  @Test
  void readsTheExampleAsItIsWhichShowsTheDefaults() throws Exception {
    assertEquals(EXAMPLE, MoverConfig.read(CONF.resolve("mover.yaml")));
    assertEquals(
        EXAMPLE, read("hdfs: {configuration: /etc/hadoop/conf}\nallow: {paths: [/warehouse]}\n"));
  }

  @Test
  void readsWhatTheExampleHasInComments() throws Exception {
    String text =
        Files.readString(CONF.resolve("mover.yaml"))
            .replace("# kerberos:", "kerberos:")
            .replace("# nameNode:", "nameNode:")
            .replace("# replication:", "replication:")
            .replace("# cache:", "cache:")
            .replace("services: alone", "services: elected");
    MoverConfig read = read(text);

    assertEquals(Optional.of(new MoverRules.Factors(2, 6)), read.rules().replication());
    assertEquals(1, read.rules().cachedCopies());
    assertEquals(
        new HdfsActionCalls.Pool("thermocline", 10L << 30, Duration.ofDays(1)), read.pool());
    assertEquals("thermocline-mover/_HOST@EXAMPLE.ORG", read.hdfs().kerberos().principal());
    assertTrue(read.elected());
  }

  @Test
  void saysAllThatIsWrongAtOnce() throws IOException {
    List<String> problems =
        problems(
            """
            listen: {socket: mover.sock, usr: x}
            allow: {except: [/a/../b], types: [TAPE], replication: {min: 4, max: 3}, cache: {}}
            perHour: {bytes: many}
            mutex: mover.id
            services: some
            """);
    String all = String.join("\n", problems);
    for (String expected :
        List.of(
            "listen.socket expected an absolute path",
            "listen.usr is no key: did you mean listen.user?",
            "allow.paths is missing",
            "allow.except expected plain absolute paths in HDFS, found '/a/../b'",
            "allow.types expected some of ARCHIVE, DISK, SSD, NVDIMM, found 'TAPE'",
            "allow.replication.max expected a whole number from 4 to 512",
            "allow.cache.maxBytes is missing",
            "perHour.bytes expected a size",
            "mutex expected an absolute path in HDFS",
            "services expected one of alone, elected")) {
      assertTrue(all.contains(expected), () -> expected + " in\n" + all);
    }
    assertEquals(10, problems.size(), all);
  }

  @Test
  void namesWhatReplacedAKey() throws IOException {
    String all =
        String.join(
            "\n",
            problems(
                """
                hdfs: {configuration: /etc/hadoop/conf}
                allow: {paths: [/a], replication: {least: 2, most: 3}, cache: {most: 1 GB}}
                """));
    for (String expected :
        List.of(
            "allow.cache.most was renamed: use allow.cache.maxBytes",
            "allow.replication.least was renamed: use allow.replication.min",
            "allow.replication.most was renamed: use allow.replication.max")) {
      assertTrue(all.contains(expected), () -> expected + " in\n" + all);
    }
  }

  private MoverConfig read(String text) throws Exception {
    return MoverConfig.read(Files.writeString(directory.resolve("mover.yaml"), text));
  }

  private List<String> problems(String text) throws IOException {
    ConfigException refused = assertThrows(ConfigException.class, () -> read(text));
    return refused.getMessage().lines().toList();
  }
}
