// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.ActionLimits;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.decide.Stability;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.plan.FirstParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Section decide. */
class ServiceConfigDecideTest extends ConfigFileCase {

  @Test
  void readsTheLibraryOfPatterns() throws IOException, ConfigException {
    String shipped = ROOT.resolve("conf/chew.yaml").toString();
    String chew = LEAST + "decide:\n  strategy: chew\n";
    assertEquals(
        ChewFile.read(Path.of(shipped)),
        read(chew + "  chew: " + shipped + "\n").decide().chew().orElseThrow());
    // Named, and not chosen.
    assertEquals(
        Optional.empty(), read(LEAST + "decide:\n  chew: /nowhere.yaml\n").decide().chew());
    assertEquals(
        List.of(
            ":8:3: decide.chew is missing: expected the pattern library, for instance"
                + " /etc/thermocline/chew.yaml"),
        problems(chew));
    assertTrue(
        problems(chew + "  chew: /nowhere.yaml\n").get(0).contains("/nowhere.yaml: no such file"));
    Path tape = directory.resolve("tape.yaml");
    Files.writeString(tape, Files.readString(Path.of(shipped)).replace("NVDIMM", "TAPE"));
    assertTrue(
        problems(chew + "  chew: " + tape + "\n")
            .get(0)
            .endsWith("names pool 'TAPE', which is no type of storage"));
  }

  @Test
  void everyTierTakesPartButForThoseThatAreOff() throws IOException, ConfigException {
    Map<StorageType, TierLimits> all =
        Map.of(
            StorageType.NVDIMM,
            new TierLimits(0.8, 0.9, 4),
            StorageType.SSD,
            new TierLimits(0.8, 0.9, 2),
            StorageType.DISK,
            new TierLimits(0.75, 0.85, 1),
            StorageType.ARCHIVE,
            new TierLimits(0.85, 0.9, 0));
    assertEquals(all, read(LEAST).decide().tiers());
    assertEquals(all, read(LEAST + "decide:\n  tiers:\n    SSD:\n").decide().tiers());

    Map<StorageType, TierLimits> some = new EnumMap<>(all);
    some.remove(StorageType.ARCHIVE);
    some.put(StorageType.SSD, new TierLimits(0.8, 0.9, 3));
    String off = LEAST + "decide:\n  tiers: {ARCHIVE: off, SSD: {threshold: 3}}\n";
    assertEquals(some, read(off).decide().tiers());
    assertEquals(
        List.of(":6:20: decide.tiers.ARCHIVE expected a section with keys of its own, found 'no'"),
        problems(
            LEAST.replaceFirst("journal:\n.*\n", "")
                + "decide:\n  tiers: {ARCHIVE: no}\njournal:\n  directory: /j\n"));
  }

  @Test
  void readsWhatDecisionsKeepTo() throws IOException, ConfigException {
    ServiceConfig.Decide decide =
        read(LEAST
                + """
                decide:
                  thresholds: fixed
                  promotion: gradual
                  tiers:
                    SSD: {threshold: 3, demoteBelow: 1.5}
                  stability: {residency: 0s, flaps: 1, window: 2h}
                  caps:
                    - {user: alice, type: ssd, max: 10 TB}
                    - {path: /tenants/a, type: nvdimm, max: 64 GB}
                  flashWritesPerDay: {SSD: 20 TB}
                """)
            .decide();

    assertEquals(new TierLimits(0.8, 0.9, 3, 1.5), decide.tiers().get(StorageType.SSD));
    assertEquals(new Stability(Duration.ZERO, 1, Duration.ofHours(2)), decide.stability());
    assertEquals(
        List.of(
            new Cap(new Cap.Scope.Owner("alice"), StorageType.SSD, 10L << 40, Cap.COUNTED),
            new Cap(new Cap.Scope.Below("/tenants/a"), StorageType.NVDIMM, 64L << 30, Cap.COUNTED)),
        decide.caps());
    assertEquals(Map.of(StorageType.SSD, 20L << 40), decide.flashWritesPerDay());
    assertEquals(
        List.of(
            ":6:44: decide.tiers.SSD.demoteBelow expected at most the threshold",
            ":7:48: decide.stability.window expected at least the residency",
            ":11:7: decide.caps expected a list of sections, found 'x' in it",
            ":9:14: decide.caps[1].user expected one of user, group and an absolute path",
            ":10:24: decide.caps[2].max expected a size like 64 MB or 2 TB, found 'all'"),
        problems(
            LEAST.replaceFirst("journal:\n.*\n", "")
                + """
                decide:
                  tiers: {SSD: {threshold: 3, demoteBelow: 4}}
                  stability: {residency: 3h, flaps: 1, window: 2h}
                  caps:
                    - {user: alice, path: /a, max: 1 TB}
                    - {user: bob, max: all}
                    - x
                journal:
                  directory: /j
                """));
  }

  /** What the example shows behind # are the defaults. */
  @Test
  void makesGroupsWhereTheyAreTurnedOn() throws IOException, ConfigException {
    assertEquals(Optional.empty(), ServiceConfigFile.read(EXAMPLE).decide().actions().groups());
    String text = example("actions:", "  groups: {");
    String least =
        text.replaceFirst("groups: \\{maxBytes: 100 GB.*}", "groups: {maxBytes: 100 GB}");
    assertTrue(!least.equals(text), "the example has no groups");
    String raise = ", raise: {maxBytes: 1 TB, reads: 10}";
    assertEquals(read(least), read(text.replace(raise, "")));
    assertEquals(
        new GroupsConfig.Raise(1L << 40, 10),
        read(text).decide().actions().groups().orElseThrow().raise());
    assertEquals(100L << 30, read(text).decide().actions().groups().orElseThrow().most());
    ConfigException wrong =
        assertThrows(
            ConfigException.class,
            () -> read(least.replace("{maxBytes: 100 GB}", "{directory: groups, fils: 3}")));
    assertEquals(3, wrong.getMessage().lines().count(), wrong.getMessage());
  }

  /** What the example shows behind # are the defaults. */
  @Test
  void movesAFirstPartWhereThatIsTurnedOn() throws IOException, ConfigException {
    assertEquals(FirstParts.Settings.OFF, ServiceConfigFile.read(EXAMPLE).decide().firstPart());
    String text = example("firstPart: {");
    assertEquals(
        new FirstParts.Settings(0.2, 50, Duration.ofHours(1), 0.5, Duration.ofDays(1)),
        read(text).decide().firstPart());
    assertEquals(
        read(text), read(text.replaceFirst("firstPart: \\{[^}]*}", "firstPart: {gain: 50 %}")));
    ConfigException wrong =
        assertThrows(
            ConfigException.class,
            () -> read(text.replaceFirst("share: 20 %, files: 50", "shear: 20 %, files: 1")));
    assertTrue(
        wrong.getMessage().contains("decide.firstPart.files")
            && wrong.getMessage().contains("decide.firstPart.shear"),
        wrong::getMessage);
  }

  /** As the example shows them behind #. */
  @Test
  void pullsActionsWhereTheyAreTurnedOn() throws IOException, ConfigException {
    assertEquals(ActionLimits.NONE, ServiceConfigFile.read(EXAMPLE).decide().actions().limits());
    String text = example("actions:", "  cache: {maxBytes: 10 GB,", "  replicas: {max: 6}");
    assertEquals(
        new ServiceConfig.Actions(
            new ActionLimits(
                new ActionLimits.Cache(10L << 30, 1, 4, new TierSpeed(4L << 30, 1, 0)),
                new ActionLimits.Copies(6)),
            "thermocline",
            Duration.ofDays(1)),
        read(text).decide().actions());
    String least = text.replaceFirst("cache: \\{maxBytes: 10 GB[^}]*}", "cache: {maxBytes: 10 GB}");
    assertEquals(read(text), read(least.replace("replicas: {max: 6}", "replicas: {}")));

    ConfigException wrong =
        assertThrows(
            ConfigException.class,
            () ->
                read(
                    least
                        .replace("{maxBytes: 10 GB}", "{maxByte: 10 GB}")
                        .replace("max: 6", "max: 1")));
    assertTrue(
        wrong.getMessage().contains("decide.actions.cache.maxBytes")
            && wrong.getMessage().contains("expected how much memory to take")
            && wrong.getMessage().contains("maxByte ")
            && wrong.getMessage().contains("decide.actions.replicas.max"),
        wrong::getMessage);
  }
}
