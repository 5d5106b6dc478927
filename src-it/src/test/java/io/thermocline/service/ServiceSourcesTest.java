// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.fs.SafeModeAction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The NameNode's image in place of listings, and the DataNodes' logs beside the audit log, on a real cluster. */
@Tag("cluster")
class ServiceSourcesTest {

  private static final int MIB = 1 << 20;
  @TempDir private Path temp;
  private ServedCluster cluster;
  private ClientTrace trace;

  @BeforeEach
  void start() throws IOException {
    cluster = ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD));
    trace = ClientTrace.into(temp.resolve("datanodes/all/hdfs-clienttrace.log"));
  }

  @AfterEach
  void stop() {
    if (trace != null) {
      trace.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void plansWithoutListingsAndKnowsBytes() throws Exception {
    for (String name : List.of("hot", "gone", "renamed", "cold", "theirs")) {
      cluster.write("/data/" + name);
    }
    cluster.write("/data/still/f");
    cluster.write("/elsewhere/unmanaged");
    cluster.superuser().setStoragePolicy(path("/data/theirs"), "HOT");
    saveImage();
    cluster.superuser().delete(path("/data/gone"), false);
    cluster.superuser().rename(path("/data/renamed"), path("/data/moved"));
    cluster.write("/data/new");

    Path config =
        cluster
            .setup("/data")
            .planEvery("250ms")
            .image(cluster.web().toString())
            .clientTraceLogs(temp.resolve("datanodes/*/hdfs-clienttrace.log").toString())
            .write(Files.createDirectories(temp.resolve("service")));
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      assertEquals(
          List.of("how complete the audit logs are: observe.nameNodeWebs names no NameNode"),
          unknown(service));
      service.plansOn(1);
      JsonNode managed = service.get("/state").path("managed");
      assertEquals(1, managed.path("leftAlone").asInt());
      assertTrue(managed.path("files").asInt() >= 4, "what the image had, at first");
      Eventually.holds(
          "decisions on what is read: from the image, renamed since and made since",
          () -> {
            cluster.read("/data/hot", 3);
            for (int i = 0; i < 3; i++) {
              cluster.readAt("/data/moved", 4096, 0);
            }
            cluster.read("/data/new", 3);
            // Each in a plan of its own, where that is made between two reads.
            return Stream.of("/data/hot", "/data/moved", "/data/new").allMatch(this::isDecided);
          });
      assertTrue(listings() <= 1, "only once, since it was made just before the image");
      assertFalse(Files.exists(image("fsimage")), "the image was read");

      JsonNode hot =
          settled(
              service,
              "/data/hot",
              profile -> Math.max(1, reads(profile)) * ServedCluster.FILE_BYTES);
      assertEquals(
          reads(hot) * ServedCluster.FILE_BYTES, bytesRead(hot), "as many as its reads take");
      assertEquals(1, hot.path("sequentialShare").asDouble());
      readHereAndThere(service);
      String metrics = service.metrics();
      assertTrue(
          metrics.matches("(?s).*\nthermocline_observe_transfers_total\\{kind=\"known\"} [1-9].*"),
          metrics);
    }

    // The same without an image.
    Path listing = cluster.setup("/data").write(Files.createDirectories(temp.resolve("listing")));
    try (ServiceProcess service = ServiceProcess.start(listing.getParent(), listing)) {
      service.plansOn(1);
      Eventually.holds("listings in the audit log", () -> listings() > 1);
      assertTrue(
          unknown(service).get(0).contains("observe.clientTraceLogs"),
          "it says what it can't know");
    }
  }

  /** Whether shadow mode has noted that it would move a file. */
  private boolean isDecided(String file) {
    try {
      Path noted = ServiceSetup.journalOf(temp.resolve("service")).resolve("shadow/journal.jsonl");
      return Files.exists(noted) && Files.readString(noted).contains('"' + file + '"');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** 4 KB at either end of a block of 2 MB, in turn, and once all of it. */
  private void readHereAndThere(ServiceProcess service) throws Exception {
    large();
    cluster.readAt("/data/large", 4096, 0);
    settled(service, "/data/large", profile -> 4096);
    // Other data by this name: it has its profile when its blocks come.
    large();
    int end = 2 * MIB - 4096;
    cluster.readAt("/data/large", 4096, 8192, end, 0, end, 0, end);
    JsonNode random = settled(service, "/data/large", profile -> 6 * 4096);
    assertEquals(6 * 4096, bytesRead(random));
    assertEquals(0, random.path("sequentialShare").asDouble(-1));
    // None where a plan saw the file between its last block and its end.
    assertTrue(
        Set.of(0L, 2L * MIB).contains(random.path("writtenBytes").asLong()),
        () -> random + ": once, not for each replica");
    cluster.readAt("/data/large", 2 * MIB, 0);
    JsonNode both = settled(service, "/data/large", profile -> 2 * MIB + 6 * 4096);
    assertEquals(2 * MIB + 6 * 4096, bytesRead(both));
    assertEquals(2 * MIB, Math.round(both.path("sequentialShare").asDouble() * bytesRead(both)));
  }

  private void large() throws IOException {
    try (OutputStream out =
        cluster.superuser().create(path("/data/large"), true, 4096, (short) 3, 4 * MIB)) {
      out.write(new byte[2 * MIB]);
    }
  }

  /**
   * As it is some plans after all transfers that are waited for were known. A DataNode logs one a
   * moment after its client has the last byte.
   */
  private static JsonNode settled(
      ServiceProcess service, String file, ToLongFunction<JsonNode> bytes) throws Exception {
    Eventually.holds(
        "transfers of " + file,
        () -> {
          JsonNode profile = profile(service, file);
          return bytesRead(profile) >= bytes.applyAsLong(profile);
        });
    service.plansOn(4);
    return profile(service, file);
  }

  /** Missing where there is none yet. */
  private static JsonNode profile(ServiceProcess service, String file) throws Exception {
    HttpResponse<String> answer = service.answer("/files?path=" + file);
    return new ObjectMapper().readTree(answer.body()).path("profile");
  }

  private static long reads(JsonNode profile) {
    return profile.path("reads").asLong();
  }

  private static long bytesRead(JsonNode profile) {
    return profile.path("readBytes").asLong();
  }

  private static List<String> unknown(ServiceProcess service) throws Exception {
    List<String> unknown = new ArrayList<>();
    service.get("/state").path("unknown").forEach(one -> unknown.add(one.asText()));
    return unknown;
  }

  private void saveImage() throws IOException {
    cluster.superuser().setSafeMode(SafeModeAction.ENTER);
    cluster.superuser().saveNamespace();
    cluster.superuser().setSafeMode(SafeModeAction.LEAVE);
  }

  /** By the service's user, of a directory in which nothing changes, in the audit log so far. */
  private long listings() throws IOException {
    return Files.readAllLines(cluster.auditLog()).stream()
        .filter(line -> line.contains("cmd=listStatus\tsrc=/data/still"))
        .filter(line -> line.contains("ugi=" + ServiceProcess.USER))
        .count();
  }

  private Path image(String name) {
    return temp.resolve("service/journal/image").resolve(name);
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
