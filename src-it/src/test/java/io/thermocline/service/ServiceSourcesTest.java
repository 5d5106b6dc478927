// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.process.Seams;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.security.UserGroupInformation;
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
    try (TieringService service = serve(config)) {
      assertEquals(
          List.of("how complete the audit logs are: observe.nameNodeWebs names no NameNode"),
          service.status().unknown());
      Eventually.holds("a first plan", () -> service.status().plans() >= 1);
      assertEquals(1, service.status().leftAlone());
      assertTrue(service.status().files() >= 4, "what the image had, at first");
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

      Eventually.holds("bytes of /data/hot", () -> profile(service, "/data/hot").bytesRead() > 0);
      Profile hot =
          settled(
              service,
              "/data/hot",
              profile -> profile.bytesRead() >= profile.reads() * ServedCluster.FILE_BYTES);
      assertEquals(
          hot.reads() * ServedCluster.FILE_BYTES, hot.bytesRead(), "as many as its reads take");
      assertEquals(1, hot.sequentialShare());
      readHereAndThere(service);
      assertTrue(service.status().transfers().known() > 0);
    }

    // The same without an image.
    Path listing = cluster.setup("/data").write(Files.createDirectories(temp.resolve("listing")));
    try (TieringService service = serve(listing)) {
      Eventually.holds("a first plan", () -> service.status().plans() >= 1);
      Eventually.holds("listings in the audit log", () -> listings() > 1);
      assertTrue(
          service.status().unknown().get(0).contains("observe.clientTraceLogs"),
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
  private void readHereAndThere(TieringService service) throws Exception {
    large();
    cluster.readAt("/data/large", 4096, 0);
    Eventually.holds("a profile of it", () -> service.profile("/data/large").isPresent());
    settled(service, "/data/large", profile -> profile.bytesRead() >= 4096);
    // Other data by this name: it has its profile when its blocks come.
    large();
    int end = 2 * MIB - 4096;
    cluster.readAt("/data/large", 4096, 8192, end, 0, end, 0, end);
    Profile random = settled(service, "/data/large", profile -> profile.bytesRead() >= 6 * 4096);
    assertEquals(6 * 4096, random.bytesRead());
    assertEquals(0, random.sequentialBytes());
    // None where a plan saw the file between its last block and its end.
    assertTrue(
        Set.of(0L, 2L * MIB).contains(random.bytesWritten()),
        () -> random.bytesWritten() + ": once, not for each replica");
    cluster.readAt("/data/large", 2 * MIB, 0);
    Profile both =
        settled(service, "/data/large", profile -> profile.bytesRead() >= 2 * MIB + 6 * 4096);
    assertEquals(2 * MIB + 6 * 4096, both.bytesRead());
    assertEquals(2 * MIB, both.sequentialBytes());
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
  private Profile settled(TieringService service, String file, Predicate<Profile> known) {
    Eventually.holds("transfers of " + file, () -> service.profile(file).filter(known).isPresent());
    long plans = service.status().plans();
    Eventually.holds("more plans", () -> service.status().plans() >= plans + 4);
    return profile(service, file);
  }

  private static Profile profile(TieringService service, String file) {
    return service.profile(file).orElseThrow();
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

  private static TieringService serve(Path config) throws Exception {
    return UserGroupInformation.createRemoteUser(ServiceProcess.USER)
        .doAs(
            (PrivilegedExceptionAction<TieringService>)
                () -> TieringService.start(ServiceConfigFile.read(config), Seams.system()));
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
