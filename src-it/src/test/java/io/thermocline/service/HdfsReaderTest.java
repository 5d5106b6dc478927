// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.NamespaceView;
import io.thermocline.tiering.cluster.Quotas;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What decisions need of HDFS, from a cluster. */
@Tag("cluster")
class HdfsReaderTest {

  private static final long QUOTA = 10 << 20;

  @TempDir Path temp;

  @Test
  void readsFilesWithTheirOwnersWholeDirectoriesAndQuotas() throws Exception {
    Configuration conf = new HdfsConfiguration();
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, temp.toFile())
            .numDataNodes(1)
            .storageTypes(
                new org.apache.hadoop.fs.StorageType[] {
                  org.apache.hadoop.fs.StorageType.DISK, org.apache.hadoop.fs.StorageType.SSD
                })
            .build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      write(fs, "/data/whole/a");
      write(fs, "/data/whole/b");
      write(fs, "/data/parent/f");
      write(fs, "/data/parent/child/f");
      write(fs, "/data/ignored/f");
      write(fs, "/data/some/f");
      write(fs, "/data/some/ignored");
      fs.setOwner(new org.apache.hadoop.fs.Path("/data/whole/a"), "alice", null);
      try (OutputStream open = fs.create(new org.apache.hadoop.fs.Path("/data/written/open"))) {
        open.write(1);
        write(fs, "/data/written/closed");
        HdfsReader reader = new HdfsReader(fs.getClient());

        List<FileView> files = new ArrayList<>();
        Set<String> wholeDirectories =
            reader.pass(List.of("/data", "/none"), path -> path.contains("ignored"), files::add);

        assertEquals(
            Set.of(
                "/data/whole/a",
                "/data/whole/b",
                "/data/parent/f",
                "/data/parent/child/f",
                "/data/some/f",
                "/data/written/closed"),
            Set.copyOf(files.stream().map(FileView::path).toList()));
        assertEquals(Set.of("/data/whole", "/data/parent/child"), wholeDirectories);
        assertTrue(
            files.stream()
                .anyMatch(f -> f.path().equals("/data/whole/a") && f.owner().equals("alice")));

        fs.setStoragePolicy(new org.apache.hadoop.fs.Path("/data/whole"), "ALL_SSD");
        fs.setQuotaByStorageType(
            new org.apache.hadoop.fs.Path("/data/whole"),
            org.apache.hadoop.fs.StorageType.SSD,
            QUOTA);
        write(fs, "/data/whole/on-ssd");
        assertEquals(
            List.of(new Quotas.Quota("/data/whole", StorageType.SSD, QUOTA, 3)),
            new Quotas(fs.getClient(), () -> 0)
                .look(List.of("/data/whole", "/data/parent", "/none"))
                .quotas());
      }
    }
  }

  @Test
  void leavesOutWhatItsUserMayNotList() throws Exception {
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), temp.toFile())
            .numDataNodes(1)
            .build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      org.apache.hadoop.fs.Path closed = new org.apache.hadoop.fs.Path("/data/closed");
      for (int i = 0; i < 20; i++) {
        write(fs, "/data/closed/below/f" + i);
      }
      write(fs, "/data/open/f");
      fs.setPermission(closed, new FsPermission("700"));
      List<String> found = new ArrayList<>();
      try (DistributedFileSystem alice = as("alice", cluster)) {
        HdfsReader reader = new HdfsReader(alice.getClient());
        assertEquals(
            Set.of("/data/open"),
            reader.pass(List.of("/data"), path -> false, file -> found.add(file.path())));
        assertEquals(List.of("/data/open/f"), found);
        assertEquals(Set.of("/data/closed"), reader.unreadable());
        assertTrue(reader.has("/data", file -> false), "it may lie where nobody can look");
        List<String> asked =
            IntStream.range(0, 20).mapToObj(i -> "/data/closed/below/f" + i).toList();
        assertEquals(Map.of(), reader.files(asked));

        // Not all of so many are named.
        fs.mkdirs(new org.apache.hadoop.fs.Path("/closed"));
        for (int i = 0; i < NamespaceView.MOST_UNREADABLE; i++) {
          fs.mkdirs(new org.apache.hadoop.fs.Path("/closed/d" + i), new FsPermission("000"));
        }
        reader.pass(List.of("/closed"), path -> false, file -> {});
        assertEquals(NamespaceView.MOST_UNREADABLE, reader.unreadable().size());
        assertTrue(reader.has("/closed", file -> false), "nobody can look into the last, either");

        fs.delete(new org.apache.hadoop.fs.Path("/closed"), true);
        reader.pass(List.of("/closed"), path -> false, file -> {});
        fs.setPermission(closed, new FsPermission("755"));
        reader.pass(List.of("/data"), path -> false, file -> {});
        assertFalse(reader.unreadable().contains("/data/closed"), reader.unreadable()::toString);
        assertFalse(reader.has("/data", file -> false));
        assertEquals(20, reader.files(asked).size());
      }
    }
  }

  private static DistributedFileSystem as(String user, MiniDFSCluster cluster) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<DistributedFileSystem>)
                () ->
                    (DistributedFileSystem)
                        FileSystem.newInstance(
                            cluster.getFileSystem().getUri(), cluster.getConfiguration(0)));
  }

  @Test
  void looksAtManyFilesAsItLooksAtEach() throws Exception {
    Configuration conf = new HdfsConfiguration();
    // Several pages a directory.
    conf.setInt(DFSConfigKeys.DFS_LIST_LIMIT, 40);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, temp.toFile()).numDataNodes(1).build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      List<String> paths = new ArrayList<>(List.of("/gone", "/none/at/all", "/many/written"));
      for (int i = 0; i < 120; i++) {
        write(fs, "/many/f" + i);
        write(fs, "/r" + i);
        write(fs, "/sparse/" + (i < 20 ? "asked" : "") + i);
        paths.add("/r" + i);
        if (i % 3 != 0) {
          paths.add("/many/f" + i);
        }
      }
      for (int i = 0; i < 20; i++) {
        paths.add("/sparse/asked" + i);
        paths.add("/many/gone" + i);
      }
      try (OutputStream open = fs.create(new org.apache.hadoop.fs.Path("/many/written"))) {
        open.write(1);
        HdfsReader reader = new HdfsReader(fs.getClient());
        Map<String, FileView> each = new HashMap<>();
        for (String path : paths) {
          reader.file(path).ifPresent(file -> each.put(path, file));
        }
        assertEquals(120 + 80 + 20, each.size());
        assertEquals(each, reader.files(paths));
        assertEquals(Map.of(), reader.files(List.of()));
      }
    }
  }

  private static void write(DistributedFileSystem fs, String path) throws IOException {
    try (OutputStream out =
        fs.createFile(new org.apache.hadoop.fs.Path(path))
            .recursive()
            .replication((short) 1)
            // A block counts whole against a quota while it is written.
            .blockSize(1 << 20)
            .build()) {
      out.write(7);
    }
  }
}
