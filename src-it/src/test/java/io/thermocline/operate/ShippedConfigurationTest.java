// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.launcher.Launched;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands of the pages about operating that change thermocline.yaml, on the one that is shipped. */
class ShippedConfigurationTest {

  private static final String FILE = "/opt/thermocline/conf/thermocline.yaml";

  @TempDir Path temp;

  @Test
  void commandsOfThePagesTurnMovesOn() throws Exception {
    Path config = temp.resolve("thermocline.yaml");
    Files.copy(Launched.ROOT.resolve("conf/thermocline.yaml"), config);
    List<ServiceConfig.Act> acts = new ArrayList<>(List.of(ServiceConfigFile.read(config).act()));
    for (Page.Block block : Page.operating(Launched.ROOT)) {
      boolean appends = block.commands().contains("cat >> " + FILE);
      if (block.commands().startsWith("sed -i ") || appends && block.kind().isEmpty()) {
        Process process =
            new ProcessBuilder("bash", "-euc", block.commands().replace(FILE, config.toString()))
                .inheritIO()
                .start();
        assertEquals(0, process.waitFor(), block.commands());
        acts.add(ServiceConfigFile.read(config).act());
      }
    }
    assertEquals(3, acts.size(), acts::toString);
    assertTrue(!acts.get(0).changes() && acts.get(1).changes(), acts::toString);
    assertEquals(List.of("/warehouse/hot"), acts.get(1).apply());
    assertEquals(ServiceConfig.Mode.APPLY, acts.get(2).mode());
  }
}
