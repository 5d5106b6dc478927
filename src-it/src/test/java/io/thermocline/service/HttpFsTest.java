// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.HttpFs;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users who read through one gateway, Hadoop's own HttpFS, as it is published. */
@Tag("cluster")
class HttpFsTest {

  private static final Path DATA =
      Path.of(System.getProperty("test.build.data", "target/test-data"))
          .toAbsolutePath()
          .resolve("jobs");
  private static final int USERS = 40;
  private static final int TIMES = 5;
  private static final List<String> FILES = List.of("/served/a", "/served/b", "/served/c");
  private static final int READS = USERS * TIMES * 3;

  @TempDir private Path temp;

  @Test
  void eachUserIsAReader() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(
            temp,
            List.of(StorageType.DISK, StorageType.SSD),
            4,
            ServedCluster.actsForCallers(HttpFs.USER))) {
      for (String file : FILES) {
        cluster.write(file);
      }
      Path directory = Files.createDirectories(temp.resolve("service"));
      Path config = cluster.setup("/served").sharesOpens().write(directory);
      try (HttpFs gateway =
              HttpFs.start(temp.resolve("httpfs"), cluster.superuser().getUri(), DATA);
          ServiceProcess service = ServiceProcess.start(directory, config)) {
        service.logs("plan 1: 3 files managed");
        for (int user = 0; user < USERS; user++) {
          for (int time = 0; time < TIMES; time++) {
            for (String file : FILES) {
              assertArrayEquals(
                  ServedCluster.content(file), gateway.read("user" + user, file), file);
            }
          }
        }
        List<String> opens =
            Files.readAllLines(cluster.auditLog()).stream()
                .filter(line -> line.contains("cmd=open\tsrc=/served/"))
                .toList();
        Pattern proxied =
            Pattern.compile(
                "ugi=user\\d+ \\(auth:PROXY\\) via httpfs \\(auth:SIMPLE\\)\tip=/127.0.0.1\t");
        assertEquals(READS, opens.size());
        assertTrue(opens.stream().allMatch(line -> proxied.matcher(line).find()), opens.get(0));
        Eventually.holds(
            "all reads are counted",
            () -> service.get("/state").at("/observed/reads").asInt() >= READS);
        JsonNode observed = service.get("/state").path("observed");
        assertEquals(READS, observed.path("reads").asInt(), observed::toString);
        assertEquals(READS - USERS * 3, observed.path("sharedOpens").asInt(), observed::toString);
        // Each file is a block: an open that shares it is a read of all of it, too.
        Eventually.holds(
            "the heat is of all reads",
            () ->
                Math.abs(service.get("/directories?path=/").at("/items/0/heat").asDouble() - READS)
                    < 1);
        service.terminate();
      }
    } catch (UnresolvedHadoopException e) {
      abort(e.getMessage());
    }
  }
}
