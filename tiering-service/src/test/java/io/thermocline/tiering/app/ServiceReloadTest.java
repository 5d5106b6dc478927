// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.ConfigReload;
import io.thermocline.tiering.api.ConfigResource;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.Task;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A configuration that is read again while the service runs. */
class ServiceReloadTest {

  private static final String START =
      """
      observe:
        auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]
      manage:
        paths: [/warehouse]
        ignore: [/warehouse/tmp]
      journal:
        directory: /var/lib/thermocline
      act:
        copies: 16
      """;

  @TempDir private Path directory;
  private Path file;
  private final Tasks tasks = new Tasks(Clock.systemUTC());
  private final List<ServiceConfig> taken = new ArrayList<>();
  private ServiceReload reload;

  @BeforeEach
  void start() throws Exception {
    file = directory.resolve("thermocline.yaml");
    Files.writeString(file, START);
    reload = new ServiceReload(ServiceConfigFile.read(file), taken::add, () -> tasks);
  }

  private String value(String key) {
    return reload.settings().stream()
        .filter(each -> each.key().equals(key))
        .map(ConfigResource.Setting::value)
        .findFirst()
        .orElse("none");
  }

  @Test
  void takesUpWhatHoldsAtOnceAndNamesTheRest() throws Exception {
    Files.writeString(
        file,
        START
            .replace("copies: 16", "copies: 4\n  exclude: [dn7]")
            .replace("[/warehouse/tmp]", "[/warehouse/tmp, /warehouse/raw]")
            .replace("[/warehouse]", "[/warehouse, /logs]"));

    ConfigReload.Reloaded would = reload.reload(false, "ann", null);
    assertTrue(would.dryRun());
    assertEquals(0, taken.size());
    assertEquals("16", value("act.copies"));

    ConfigReload.Reloaded done = reload.reload(true, "ann", "night shift");
    assertEquals(would.changes(), done.changes());
    assertTrue(done.what().contains("act.copies: 16 -> 4"), done.what());
    assertTrue(
        done.what().contains("manage.paths: [/warehouse] -> [/warehouse, /logs] (needs"),
        done.what());
    assertEquals(4, taken.get(0).act().limits().copies());
    assertEquals(List.of("dn7"), taken.get(0).act().excluded());
    assertEquals("4", value("act.copies"));
    assertEquals("[/warehouse]", value("manage.paths"), "it needs a restart");

    Task task = tasks.get(done.task().orElseThrow()).orElseThrow();
    assertEquals("ann night shift", task.who() + " " + task.why());
    assertEquals(done.what(), task.result().orElseThrow());

    ConfigReload.Reloaded again = reload.reload(true, "ann", "again");
    assertEquals(1, taken.size(), "only what needs a restart is left");
    assertEquals(
        List.of("manage.paths"), again.changes().stream().map(ConfigReload.Changed::key).toList());
  }

  @Test
  void refusesAFileWithMistakesAndKeepsWhatItHas() throws Exception {
    Files.writeString(file, START.replace("copies: 16", "copies: many\n  bandwith: 3"));
    ApiException refused =
        assertThrows(ApiException.class, () -> reload.reload(true, "ann", "night shift"));
    assertEquals(ErrorCode.BAD_CONFIGURATION, refused.code());
    assertTrue(refused.getMessage().contains("act.copies"), refused.getMessage());
    assertTrue(refused.getMessage().contains("bandwith"), refused.getMessage());
    assertEquals(0, taken.size());
    assertEquals("16", value("act.copies"));
    assertEquals(List.of(), tasks.all());

    Files.delete(file);
    assertThrows(ApiException.class, () -> reload.reload(true, "ann", "night shift"));
  }
}
