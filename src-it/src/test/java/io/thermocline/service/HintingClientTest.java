// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.client.Connections;
import io.thermocline.hints.client.HintAnswer;
import io.thermocline.hints.client.HintClient;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.client.ServiceException;
import io.thermocline.hints.fs.HintingFileSystem;
import io.thermocline.hints.wire.HintError;
import io.thermocline.hints.wire.HintJson;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.HintResource;
import io.thermocline.tiering.api.Localhost;
import io.thermocline.tiering.app.Seams;
import io.thermocline.tiering.app.ServiceConfigFile;
import io.thermocline.tiering.app.TieringService;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client's classes against the service itself. */
@Tag("cluster")
class HintingClientTest {
  private static final String USER = System.getProperty("user.name");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String FILE = "/jobs/out/part-0";

  @TempDir Path temp;

  @Test
  void whatAnApplicationSaysReachesTheService() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(
            temp,
            List.of(StorageType.DISK, StorageType.SSD),
            4,
            Map.of(
                "hadoop.proxyuser." + USER + ".hosts", "*",
                "hadoop.proxyuser." + USER + ".users", "*"))) {
      Path directory = Files.createDirectories(temp.resolve("service"));
      Path config =
          cluster.setup("/jobs").planEvery("1h").replace("take: off", "take: on").write(directory);
      org.apache.hadoop.fs.Path jobs = new org.apache.hadoop.fs.Path("/jobs");
      cluster.superuser().mkdirs(jobs);
      cluster.superuser().setOwner(jobs, "alice", null);
      try (TieringService service =
              TieringService.start(ServiceConfigFile.read(config), Seams.system());
          ApiServer server =
              ApiServer.start(
                  new ApiServer.Listen("127.0.0.1", 0, null),
                  new ApiServer.Parts(
                      List.of(new HintResource(service.hintDesk().orElseThrow())),
                      List.of(),
                      new Localhost(),
                      Activity.HERE),
                  Thread::new)) {
        fileSystem(cluster, server.address().toString());
        background(server.address().toString());
        answers(server.address().toString());
        assertNotNull(
            cluster
                .superuser()
                .getXAttrs(new org.apache.hadoop.fs.Path(FILE))
                .get(HintWire.attributeOf(Operation.REDIRECT)));
        service.drain(Duration.ofMinutes(1));
      }
    }
  }

  /** An application that knows nothing of hints. */
  private static void fileSystem(ServedCluster cluster, String address) throws Exception {
    Configuration conf = new Configuration(cluster.superuser().getConf());
    conf.setClass("fs.hdfs.impl", HintingFileSystem.class, FileSystem.class);
    conf.set("thermocline.hints.service", address);
    conf.setBoolean("thermocline.hints.strict", true);
    conf.set("thermocline.hints.rules", "out");
    conf.set("thermocline.hints.rule.out.path", "/jobs/out/**");
    conf.set("thermocline.hints.rule.out.requirement", "low-latency");
    conf.set("thermocline.hints.rule.out.stream", "nightly");
    try (FileSystem fs =
        UserGroupInformation.createRemoteUser("alice")
            .doAs(
                (PrivilegedExceptionAction<FileSystem>)
                    () -> FileSystem.newInstance(cluster.superuser().getUri(), conf))) {
      try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(FILE))) {
        out.write("x".getBytes(StandardCharsets.UTF_8));
      }
      assertEquals(
          "ONE_SSD",
          cluster.superuser().getStoragePolicy(new org.apache.hadoop.fs.Path(FILE)).getName());
    }
    Map<?, ?> page = (Map<?, ?>) to(address, "alice").get("/hints?owner=alice");
    Map<?, ?> shown = (Map<?, ?>) ((List<?>) page.get("items")).get(0);
    Hint hint = HintJson.fromAnswer(shown);
    assertEquals(Operation.REDIRECT, hint.operation());
    assertEquals(FILE, hint.target());
    assertEquals("nightly", hint.stream());
    assertEquals("alice", hint.owner());
    assertEquals("FILE_SYSTEM", Source.valueOf(shown.get("source").toString()).name());
  }

  /** One that says something in a line. */
  private static void background(String address) {
    try (HintClient hints = HintClient.of("http://localhost:1," + address, "alice")) {
      hints.give(
          Hint.onFile(Operation.PREFETCH, FILE).temperature(Temperature.HOT), Duration.ofHours(1));
      hints.give(Hint.onFile(Operation.PREFETCH, "/jobs/none"), Duration.ofHours(1));
      Eventually.holds(
          "both are answered",
          PATIENCE,
          () -> hints.counts().taken() == 1 && hints.counts().refused() == 1);
      assertTrue(hints.counts().lastProblem().startsWith("NO_SUCH_FILE: "), hints::toString);
    }
  }

  /** One that waits. */
  private static void answers(String address) throws Exception {
    ServiceClient alice = to(address, "alice");
    Hint pin = Hint.onFile(Operation.PIN, FILE).owner("alice").leaseExpiryMillis(3_600_000).build();
    HintAnswer dry = alice.give(List.of(pin), 0, true).get(0);
    assertTrue(dry.isTaken(), dry::toString);
    HintAnswer taken = alice.give(List.of(pin), 0, false).get(0);
    assertTrue(taken.isTaken(), taken::toString);
    String resource = "/hints/" + ServiceClient.escaped(taken.id());
    alice.post(resource + "/renew", Map.of("leaseMillis", 7_200_000));
    ServiceException mallory =
        assertThrows(ServiceException.class, () -> to(address, "mallory").delete(resource));
    assertEquals(HintError.FORBIDDEN, mallory.error());
    alice.delete(resource);
    ServiceException gone = assertThrows(ServiceException.class, () -> alice.get(resource));
    assertEquals(HintError.NO_SUCH_HINT, gone.error());
    ServiceException later =
        assertThrows(ServiceException.class, () -> alice.get("/hints-of-tomorrow"));
    assertEquals(HintError.NO_SUCH_RESOURCE, later.error());
    HintAnswer refused =
        to(address, "mallory")
            .give(
                List.of(
                    Hint.onFile(Operation.PIN, FILE)
                        .owner("mallory")
                        .leaseExpiryMillis(3_600_000)
                        .build()),
                0,
                false)
            .get(0);
    assertFalse(refused.isTaken());
    assertEquals(HintError.FORBIDDEN, refused.error());
  }

  @Test
  void bothSidesKnowTheSameErrors() {
    for (HintError error : HintError.values()) {
      if (error.status() != 0) {
        assertEquals(error.status(), ErrorCode.valueOf(error.name()).status(), error.name());
      }
    }
  }

  private static ServiceClient to(String address, String user) {
    return ServiceClient.of(address, Connections.plain(user, 30_000));
  }
}
