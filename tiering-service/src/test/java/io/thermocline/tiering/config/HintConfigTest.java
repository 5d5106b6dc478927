// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HintConfigTest {

  @TempDir Path directory;

  @Test
  void rangesOfSizesAscend() throws Exception {
    assertEquals(List.of(1L << 10, 1L << 30), read("hints: {sizes: [1 KB, 1 GB]}").hints().sizes());
    for (String sizes : List.of("[1 MB, 256 KB]", "[1 MB, 1 MB]", "[large]")) {
      ConfigException wrong =
          assertThrows(ConfigException.class, () -> read("hints: {sizes: " + sizes + "}"));
      assertTrue(
          wrong.getMessage().contains("hints.sizes expected sizes like 256 KB"), wrong::getMessage);
    }
  }

  @Test
  void saysWhichOperationsNothingWouldComeOf() throws Exception {
    assertEquals(Set.of(Operation.REPLICATE), off(""));
    assertEquals(Set.of(), off("decide: {actions: {replicas: {max: 6}}}"));
    assertEquals(
        Set.of(Operation.REPLICATE, Operation.PREFETCH),
        off("hints: {prefetch: {maxBytes: 0 B, perOwner: 0 B}}"));
  }

  private Set<Operation> off(String more) throws Exception {
    return HintOperations.off(read(more)).keySet();
  }

  private ServiceConfig read(String more) throws IOException, ConfigException {
    String least =
        """
        observe:
          auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]
        manage:
          paths: [/warehouse]
        journal:
          directory: /var/lib/thermocline
        """;
    return ServiceConfigFile.read(
        Files.writeString(directory.resolve("thermocline.yaml"), least + more + "\n"));
  }
}
