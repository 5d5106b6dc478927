// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.image.ImageCheckpoint;
import io.thermocline.tiering.observe.image.ImageDigest;
import io.thermocline.tiering.observe.image.ImageFetch;
import io.thermocline.tiering.observe.image.ImageFile;
import io.thermocline.tiering.observe.image.ImageReader;
import io.thermocline.tiering.observe.image.NamespaceImage;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An image that a NameNode saved and served, against what its listings say, file by file. */
@Tag("cluster")
class ImageOnClusterTest {
  private static final int BLOCK = 1 << 20;

  @TempDir private java.nio.file.Path directory;
  private MiniDFSCluster cluster;
  private DistributedFileSystem hdfs;

  /** Whole, in parts that are loaded in parallel, and compressed. */
  @ParameterizedTest
  @CsvSource({"false,", "true,", "false,DefaultCodec", "false,GzipCodec"})
  void saysWhatListingsSay(boolean parts, String codec) throws Exception {
    start(parts, codec);
    populate();
    try (FSDataOutputStream open = hdfs.create(new Path("/warehouse/cold/open"))) {
      open.write(new byte[3 * BLOCK / 2]);
      ((DFSOutputStream) open.getWrappedStream()).hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
      NameNodeAdapter.enterSafeMode(cluster.getNameNode(), false);
      NameNodeAdapter.saveNamespace(cluster.getNameNode());
      NameNodeAdapter.leaveSafeMode(cluster.getNameNode());

      java.nio.file.Path image = fetch();
      assertEquals(ImageDigest.Result.EQUAL, ImageDigest.check(image));
      String raw = Files.readString(image, StandardCharsets.ISO_8859_1);
      assertEquals(parts, raw.contains("INODE_SUB"), "whether there are parts of sections");
      Map<String, String> listed = new TreeMap<>();
      list(new Path("/"), listed);
      Map<String, String> read = new TreeMap<>();
      NamespaceImage opened = NamespaceImage.open(image, new Configuration());
      assertEquals(codec == null ? "" : "org.apache.hadoop.io.compress." + codec, opened.codec());
      try (ImageReader reader = opened.reader(ImageCheckpoint.beginning(), System::nanoTime)) {
        while (reader.poll(file -> assertEquals(null, read.put(file.path(), text(file))), 7)) {
          // All of it.
        }
        // /warehouse/gone, and /warehouse/left/inside with the directory it was in.
        assertEquals(2, reader.checkpoint().counts().inSnapshotsOnly());
        assertEquals(listed.size(), reader.checkpoint().counts().files());
      }
      assertEquals(listed, read);
      assertTrue(listed.get("/warehouse/cold/open").endsWith("UNDER_CONSTRUCTION"));
      Set<String> kinds = new HashSet<>();
      listed.values().forEach(line -> kinds.add(line.split(" ")[3]));
      assertTrue(kinds.size() >= 4, "policies of the files: " + kinds);
      fetchesOnce(image);
    }
  }

  private void start(boolean parts, String codec) throws IOException {
    Files.createDirectories(java.nio.file.Path.of(System.getProperty("java.io.tmpdir")));
    Configuration conf = new HdfsConfiguration();
    conf.setLong("dfs.blocksize", BLOCK);
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    if (parts) {
      conf.setBoolean("dfs.image.parallel.load", true);
      conf.setInt("dfs.image.parallel.inode.threshold", 1);
      conf.setInt("dfs.image.parallel.target.sections", 4);
    }
    if (codec != null) {
      conf.setBoolean("dfs.image.compress", true);
      conf.set("dfs.image.compression.codec", "org.apache.hadoop.io.compress." + codec);
    }
    cluster =
        new MiniDFSCluster.Builder(conf, directory.resolve("cluster").toFile())
            .numDataNodes(3)
            .storagesPerDatanode(3)
            .storageTypes(
                new StorageType[] {StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE})
            .build();
    cluster.waitActive();
    hdfs = cluster.getFileSystem();
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.shutdown(true);
    }
  }

  private void populate() throws IOException {
    for (String path : new String[] {"hot", "cold", "left", "coded", "renamed", "é 漢字", "empty"}) {
      hdfs.mkdirs(new Path("/warehouse/" + path));
    }
    hdfs.setStoragePolicy(new Path("/warehouse/cold"), "COLD");
    hdfs.setStoragePolicy(new Path("/warehouse/hot"), "ONE_SSD");
    hdfs.enableErasureCodingPolicy("XOR-2-1-1024k");
    hdfs.setErasureCodingPolicy(new Path("/warehouse/coded"), "XOR-2-1-1024k");
    write("/top", 10, 2);
    write("/warehouse/plain", 3 * BLOCK + 5, 3);
    write("/warehouse/zero", 0, 1);
    write("/warehouse/hot/inherits", 100, 1);
    write("/warehouse/hot/own", 100, 1);
    hdfs.setStoragePolicy(new Path("/warehouse/hot/own"), "WARM");
    hdfs.mkdirs(new Path("/warehouse/cold/deep/deeper"));
    write("/warehouse/cold/deep/deeper/inherits", 100, 2);
    write("/warehouse/é 漢字/датотека", 100, 1);
    try (FSDataOutputStream out = hdfs.create(new Path("/warehouse/coded/striped"))) {
      out.write(new byte[5 * BLOCK / 2]);
    }
    for (int i = 0; i < 60; i++) {
      write("/warehouse/renamed/file" + i, 10 + i, 1);
    }
    hdfs.setTimes(new Path("/top"), 1_700_000_000_123L, 1_710_000_000_456L);

    write("/warehouse/gone", 1, 1);
    write("/warehouse/left/inside", 1, 1);
    write("/warehouse/left/saved", 1, 1);
    write("/warehouse/left/moved", 1, 1);
    hdfs.allowSnapshot(new Path("/warehouse"));
    hdfs.createSnapshot(new Path("/warehouse"), "before");
    hdfs.delete(new Path("/warehouse/gone"), false);
    // References: inodes that a snapshot has in one place and the namespace in another.
    hdfs.rename(new Path("/warehouse/renamed/file1"), new Path("/warehouse/hot/came"));
    hdfs.rename(new Path("/warehouse/left/saved"), new Path("/saved-from-left"));
    hdfs.rename(new Path("/warehouse/left/moved"), new Path("/warehouse/cold/moved"));
    hdfs.rename(new Path("/warehouse/renamed"), new Path("/warehouse/cold/renamed"));
    hdfs.rename(new Path("/warehouse/cold/renamed/file2"), new Path("/file2"));
    hdfs.createSnapshot(new Path("/warehouse"), "after");
    hdfs.rename(new Path("/warehouse/cold/renamed/file3"), new Path("/warehouse/there"));
    hdfs.rename(new Path("/warehouse/there"), new Path("/warehouse/cold/renamed/file3"));
    hdfs.delete(new Path("/warehouse/left"), true);
    // Another by the name of one that a snapshot has, and changes to what is in a snapshot.
    write("/warehouse/plain2", 1, 1);
    hdfs.rename(new Path("/warehouse/plain2"), new Path("/warehouse/cold/renamed/file1"));
    hdfs.setReplication(new Path("/warehouse/plain"), (short) 2);
    try (FSDataOutputStream out = hdfs.append(new Path("/warehouse/hot/inherits"))) {
      out.write(new byte[50]);
    }
    hdfs.truncate(new Path("/warehouse/plain"), BLOCK);
  }

  private void write(String path, int length, int replication) throws IOException {
    try (FSDataOutputStream out =
        hdfs.create(
            new Path(path),
            org.apache.hadoop.fs.permission.FsPermission.getFileDefault(),
            EnumSet.of(CreateFlag.CREATE),
            4096,
            (short) replication,
            BLOCK,
            null)) {
      out.write(new byte[length]);
    }
  }

  private java.nio.file.Path fetch() throws IOException {
    Files.createDirectories(directory.resolve("images"));
    return new ImageFetch(web(), new Configuration(), System::nanoTime)
        .fetch(directory.resolve("images"), (bytes, of, left) -> assertTrue(bytes <= of));
  }

  private URI web() {
    return URI.create(
        "http://"
            + cluster.getNameNode().getHttpAddress().getHostName()
            + ":"
            + cluster.getNameNode().getHttpAddress().getPort());
  }

  /** What is there and sound isn't fetched again; what isn't sound is. */
  private void fetchesOnce(java.nio.file.Path image) throws IOException {
    ImageFetch again = new ImageFetch(web(), new Configuration(), System::nanoTime);
    byte[] sound = Files.readAllBytes(image);
    boolean[] received = new boolean[1];
    again.fetch(image.getParent(), (bytes, of, left) -> received[0] = true);
    assertFalse(received[0]);
    byte[] damaged = sound.clone();
    damaged[damaged.length / 2] ^= 1;
    Files.write(image, damaged);
    Files.write(image.resolveSibling("fsimage.part"), new byte[7]);
    assertEquals(image, again.fetch(image.getParent(), (bytes, of, left) -> received[0] = true));
    assertTrue(received[0]);
    assertEquals(ImageDigest.Result.EQUAL, ImageDigest.check(image));
    try (var files = Files.list(image.getParent())) {
      assertEquals(2, files.count(), "the image and its digest");
    }
    IOException e =
        assertThrows(
            IOException.class,
            () ->
                new ImageFetch(web().resolve("/nowhere/"), new Configuration(), System::nanoTime)
                    .fetch(directory.resolve("absent"), (bytes, of, left) -> {}));
    assertTrue(e.getMessage().contains("absent"), e.getMessage());
  }

  private void list(Path path, Map<String, String> into) throws IOException {
    for (FileStatus status : hdfs.listStatus(path)) {
      if (status.isDirectory()) {
        list(status.getPath(), into);
      } else {
        into.put(status.getPath().toUri().getPath(), text(status));
      }
    }
  }

  private String text(FileStatus status) throws IOException {
    HdfsFileStatus more = (HdfsFileStatus) status;
    int coding = more.getErasureCodingPolicy() == null ? 0 : more.getErasureCodingPolicy().getId();
    int blocks =
        hdfs.getClient()
            .getLocatedBlocks(status.getPath().toUri().getPath(), 0, Long.MAX_VALUE)
            .locatedBlockCount();
    boolean open = !hdfs.isFileClosed(status.getPath());
    return more.getFileId()
        + " "
        + status.getLen()
        + " "
        + status.getReplication()
        + " "
        + more.getStoragePolicy()
        + " "
        + status.getModificationTime()
        + " "
        + status.getAccessTime()
        + " "
        + coding
        + " "
        + blocks
        + " "
        + (open ? ImageFile.State.UNDER_CONSTRUCTION : ImageFile.State.CLOSED);
  }

  private static String text(ImageFile file) {
    return file.id()
        + " "
        + file.length()
        + " "
        + file.replication()
        + " "
        + file.policy().effective()
        + " "
        + file.modified()
        + " "
        + file.accessed()
        + " "
        + file.erasureCoding()
        + " "
        + file.blocks()
        + " "
        + file.state();
  }
}
