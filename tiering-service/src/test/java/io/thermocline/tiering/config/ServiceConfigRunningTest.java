// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.Windows;
import io.thermocline.tiering.ha.Leadership;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How it moves, where it listens, and with which others it runs. */
class ServiceConfigRunningTest extends ConfigFileCase {

  @Test
  void listensOnThisHostAlone() throws IOException, ConfigException {
    assertEquals(null, read(LEAST).api().host());
    assertEquals("::1", read(LEAST + "api: {listen: '[::1]:0'}\n").api().host());
    for (String elsewhere : List.of("0.0.0.0:8480", "node1:8480")) {
      ConfigException refused =
          assertThrows(
              ConfigException.class, () -> read(LEAST + "api: {listen: '" + elsewhere + "'}\n"));
      assertTrue(refused.getMessage().contains("without authentication"), refused.getMessage());
    }
    for (String odd : List.of("8480", "localhost:", "localhost:99999")) {
      ConfigException refused =
          assertThrows(ConfigException.class, () -> read(LEAST + "api: {listen: '" + odd + "'}\n"));
      assertTrue(refused.getMessage().contains("expected host:port"), refused.getMessage());
    }
  }

  @Test
  void readsHowMovesAreHeldBack() throws IOException, ConfigException {
    ServiceConfig.Act act =
        read(LEAST
                + """
                act:
                  backEnd: satisfier
                  bandwidthPerNode: 10 MB
                  perType: {ARCHIVE: {copies: 2, bandwidth: 1 MB}, SSD: {copies: 9}}
                  nameNodeOperations: 50
                  beginWithin: 1h
                  windows: [mon-fri 20:00-06:00]
                  timeZone: Europe/Berlin
                  throttle: {lowRedundancy: 3, transfers: 9, rpcQueue: 5ms, lookEvery: 1s, idle: 200}
                """)
            .act();

    assertEquals(ServiceConfig.Mover.SATISFIER, act.backEnd());
    assertEquals(
        new Pacing(
            10 << 20,
            Map.of(
                StorageType.ARCHIVE,
                new Pacing.OfType(2, 1 << 20),
                StorageType.SSD,
                new Pacing.OfType(9, Double.POSITIVE_INFINITY)),
            50,
            Duration.ofHours(1)),
        act.pacing());
    assertEquals(
        Windows.of(List.of("mon-fri 20:00-06:00"), ZoneId.of("Europe/Berlin")), act.windows());
    assertEquals(
        new ServiceConfig.Yielding(
            Set.of("/system/balancer.id"),
            new Surroundings.Bounds(3, 9, 5, Double.POSITIVE_INFINITY),
            Duration.ofSeconds(1),
            200),
        act.yielding());
    List<String> problems =
        problems(
            LEAST
                + "act: {windows: [nights], timeZone: Mars, throttle: {waitFor: [movr]}, backEnd: sps}");
    assertEquals(4, problems.size(), problems::toString);
  }

  @Test
  void pathsToApplyAreForShadowMode() throws IOException, ConfigException {
    assertEquals(List.of("/w/a"), read(LEAST + "act: {apply: [/w/a]}\n").act().apply());
    assertTrue(read(LEAST + "act: {apply: [/w/a]}\n").act().changes());
    assertFalse(read(LEAST).act().changes());
    for (String bad : List.of("{mode: apply, apply: [/w/a]}", "{apply: [w]}")) {
      ConfigException e =
          assertThrows(ConfigException.class, () -> read(LEAST + "act: " + bad + "\n"));
      assertTrue(e.getMessage().contains("act.apply"), e.getMessage());
    }
  }

  @Test
  void readsWhatSeveralServicesShare() throws IOException, ConfigException {
    String shared =
        LEAST.replace("/var/lib/thermocline", "hdfs://ns1/thermocline/journal")
            + "heat:\n"
            + "  checkpoint: /var/lib/thermocline/heat\n"
            + "ha: {zooKeeper: \"a:1,b:2\", id: node1, address: \"http://node1:8480\","
            + " sessionTimeout: 6s}\n";

    ServiceConfig config = read(shared);

    assertEquals(
        new ServiceConfig.Shared(
            URI.create("hdfs://ns1/thermocline/journal"),
            Duration.ofDays(90),
            new Leadership.Election(
                "a:1,b:2",
                "/thermocline",
                "node1",
                URI.create("http://node1:8480"),
                Duration.ofSeconds(6),
                null)),
        config.shared());
    assertEquals(Path.of("/var/lib/thermocline/heat"), config.journal());
    assertTrue(
        problems(shared.replace("  checkpoint: /var/lib/thermocline/heat", "  files: 5000"))
            .get(0)
            .contains("is in HDFS: then heat.checkpoint must name a local directory"));
    assertTrue(
        problems(LEAST + "ha: {zooKeeper: \"a:1\", id: node1}\n")
            .get(0)
            .contains("expected a directory in HDFS, like hdfs://"));
    assertTrue(
        problems(shared.replace("zooKeeper: \"a:1,b:2\", ", ""))
            .get(0)
            .contains("ha.zooKeeper is missing"));
    assertTrue(
        problems(shared.replace("http://node1:8480", "node1:8480"))
            .get(0)
            .contains("ha.address expected where this one's REST interface is reached"));
  }

  @Test
  void readsTheLoginOfASecureCluster() throws IOException, ConfigException {
    String secure =
        LEAST.replace("/var/lib/thermocline", "hdfs://ns1/thermocline/journal")
            + "heat: {checkpoint: /var/lib/thermocline/heat}\n"
            + "hdfs: {kerberos: {principal: t/_HOST@R, keytab: /t.keytab}}\n"
            + "ha: {zooKeeper: \"a:1\", id: node1, authentication: kerberos}\n";

    ServiceConfig config = read(secure);

    assertEquals(
        new ServiceConfig.Keytab("t/_HOST@R", Path.of("/t.keytab")), config.hdfs().kerberos());
    assertEquals(
        new Leadership.Login("t/_HOST@R", Path.of("/t.keytab"), "zookeeper"),
        config.shared().election().login());
    assertTrue(
        problems(secure.replaceFirst("hdfs: \\{kerberos.*\n", ""))
            .get(0)
            .contains("ha.authentication expected hdfs.kerberos, whose keytab it logs in with"));
    assertTrue(
        problems(secure.replace(", keytab: /t.keytab", ""))
            .get(0)
            .contains("hdfs.kerberos.keytab is missing"));
  }
}
