// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.KeptFiles;
import io.thermocline.tiering.cluster.ManagedFiles;
import io.thermocline.tiering.cluster.Selection;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AuditHistory;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import io.thermocline.tiering.observe.image.FirstView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files out of an image that a NameNode served, kept up from its audit log, against listings of it. */
@Tag("cluster")
class KeptViewTest {

  private static final long SEED = Long.getLong("test.seed", 7);

  private static final List<String> ROOTS = List.of("/data");
  private static final Predicate<String> IGNORED = path -> path.startsWith("/data/ignored");

  @TempDir private Path temp;
  private ServedCluster cluster;
  private DistributedFileSystem hdfs;
  private HdfsReader reader;
  private DistributedFileSystem keeper;
  private AuditSource followed;
  private ManagedFiles managed;
  private KeptFiles kept;

  @BeforeEach
  void start() throws Exception {
    cluster = ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD));
    hdfs = cluster.superuser();
    reader = new HdfsReader(hdfs.getClient());
    keeper =
        UserGroupInformation.createRemoteUser(ServiceProcess.USER)
            .doAs(
                (PrivilegedExceptionAction<DistributedFileSystem>)
                    () ->
                        (DistributedFileSystem)
                            FileSystem.newInstance(hdfs.getUri(), hdfs.getConf()));
  }

  @AfterEach
  void stop() throws IOException {
    if (followed != null) {
      followed.close();
    }
    if (keeper != null) {
      keeper.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void equalsAListingThroughAllThatClientsDo() throws Exception {
    for (int i = 0; i < 20; i++) {
      write("/data/quiet/d" + i + "/f");
      write("/data/table/dt=" + i + "/f");
    }
    for (String name : List.of("appended", "cut", "deleted", "kept", "moved", "one", "other")) {
      write("/data/files/" + name);
    }
    write("/data/ignored/f");
    write("/elsewhere/came/f");
    OutputStream open = hdfs.create(path("/data/files/open"));
    open.write(new byte[100]);
    saveImage();

    // Between the image and the first look, when nobody follows the log yet.
    open.close();
    hdfs.rename(path("/data/files/moved"), path("/data/files/target"));
    hdfs.mkdirs(path("/data/renamed"));
    hdfs.rename(path("/data/table/dt=3"), path("/data/renamed"));
    hdfs.delete(path("/data/files/deleted"), false);
    write("/data/new/f");
    follow(SourceCheckpoint.none());
    int quiet = listingsOfQuiet();
    assertTrue(quiet <= 20, "once, since what is there was made just before the image: " + quiet);
    assertEquals(List.of(), lines("cmd=open"), "nor is anything opened");
    agrees("just read");

    try (OutputStream more = hdfs.append(path("/data/files/appended"))) {
      more.write(new byte[50]);
    }
    hdfs.truncate(path("/data/files/cut"), 10);
    hdfs.concat(
        path("/data/files/one"), new org.apache.hadoop.fs.Path[] {path("/data/files/other")});
    hdfs.setReplication(path("/data/files/kept"), (short) 2);
    hdfs.setStoragePolicy(path("/data/table/dt=4"), "ONE_SSD");
    hdfs.setStoragePolicy(path("/data/files/kept"), "ALL_SSD");
    agrees("after changes of files");

    hdfs.rename(path("/data/table"), path("/data/other"));
    hdfs.rename(path("/data/files/kept"), path("/data/other/dt=4"));
    hdfs.rename(path("/data/files/cut"), path("/data/files/target"), Options.Rename.OVERWRITE);
    hdfs.rename(path("/elsewhere/came"), path("/data/came"));
    hdfs.rename(path("/data/renamed"), path("/elsewhere/went"));
    hdfs.rename(path("/data/other/dt=5"), path("/data/other/dt=4/into"));
    hdfs.delete(path("/data/other/dt=6"), true);
    hdfs.unsetStoragePolicy(path("/data/other/dt=4"));
    agrees("after renames");

    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 150; i++) {
      anything(random);
    }
    agrees("after anything");
    assertEquals(quiet, listingsOfQuiet(), "what nobody changed isn't listed");

    // A restart: names are forgotten, the place in the log isn't; the image is as old.
    SourceCheckpoint saved = followed.checkpoint();
    followed.close();
    hdfs.rename(path("/data/other"), path("/data/while-down"));
    hdfs.delete(path("/data/came"), true);
    write("/data/files/made-while-down");
    for (int i = 0; i < 50; i++) {
      anything(random);
    }
    follow(saved);
    agrees("after a restart");
    for (int i = 0; i < 50; i++) {
      anything(random);
    }
    agrees("and all that came then");
  }

  private void anything(SplittableRandom random) throws IOException {
    org.apache.hadoop.fs.Path some =
        path("/data/r/d" + random.nextInt(4) + "/" + random.nextInt(5));
    org.apache.hadoop.fs.Path other =
        path("/data/r/d" + random.nextInt(4) + "/" + random.nextInt(5));
    try {
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> write(some.toUri().getPath());
        case 3 -> hdfs.rename(some, other);
        case 4 -> hdfs.rename(some, other.getParent());
        case 5 -> hdfs.rename(some.getParent(), other);
        case 6 -> hdfs.delete(some, true);
        default -> hdfs.setStoragePolicy(some, random.nextBoolean() ? "HOT" : "ONE_SSD");
      }
    } catch (IOException e) {
      // What HDFS refuses is logged as refused, or not at all.
      assertTrue(e.getMessage() != null, e::toString);
    }
  }

  /** What the service does between two plans, until the log has all that was done. */
  private void agrees(String when) {
    Eventually.holds(
        when,
        () -> {
          while (followed.poll(kept::accept, Long.MAX_VALUE)) {
            continue;
          }
          List<FileView> listed = new ArrayList<>();
          reader.pass(ROOTS, IGNORED, listed::add);
          return attributes(shown()).equals(attributes(listed));
        });
  }

  /** All files of the view; none is selected, so none is looked up. */
  private List<FileView> shown() throws IOException {
    List<FileView> shown = new ArrayList<>();
    managed.look(
        new Selection() {
          @Override
          public void pass(FileView file) {
            shown.add(file);
          }

          @Override
          public List<FileView> selected() {
            return List.of();
          }

          @Override
          public boolean isAll() {
            return false;
          }
        },
        List.of());
    return shown;
  }

  private static TreeMap<String, String> attributes(List<FileView> files) {
    TreeMap<String, String> attributes = new TreeMap<>();
    for (FileView file : files) {
      attributes.put(
          file.path(), file.length() + " " + file.replication() + " " + file.storagePolicy());
    }
    return attributes;
  }

  private void follow(SourceCheckpoint saved) throws IOException {
    kept = new KeptFiles(ROOTS, IGNORED, Clock.systemUTC());
    List<AuditLog> logs =
        List.of(new AuditLog("ns", cluster.auditLog(), ZoneId.systemDefault(), null));
    followed =
        new AuditSource(
            logs,
            LogStart.END,
            AccessSettings.defaults(AccessSettings.Ignored.nothing()),
            saved,
            Clock.systemUTC());
    followed.poll(kept::accept, Long.MAX_VALUE);
    FirstView view =
        FirstView.fetched(
            cluster.web(), temp.resolve("image"), hdfs.getConf(), System::nanoTime, words -> {});
    managed =
        ManagedFiles.fromImage(
            new HdfsReader(keeper.getClient()),
            ROOTS,
            IGNORED,
            new ManagedFiles.Bootstrap(
                view,
                kept,
                (since, sink) -> AuditHistory.read(logs, since, Clock.systemUTC(), sink),
                Duration.ofDays(1),
                System::nanoTime));
    shown();
  }

  private void saveImage() throws IOException {
    hdfs.setSafeMode(SafeModeAction.ENTER);
    hdfs.saveNamespace();
    hdfs.setSafeMode(SafeModeAction.LEAVE);
  }

  /** By the user that keeps the view. */
  private int listingsOfQuiet() throws IOException {
    return (int)
        lines("cmd=listStatus\tsrc=/data/quiet/").stream()
            .filter(line -> line.contains("ugi=" + ServiceProcess.USER))
            .count();
  }

  private List<String> lines(String text) throws IOException {
    return Files.readAllLines(cluster.auditLog()).stream()
        .filter(line -> line.contains(text))
        .toList();
  }

  private void write(String file) throws IOException {
    try (OutputStream out = hdfs.create(path(file))) {
      out.write(new byte[100]);
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
