// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("cluster")
class HadoopStoreTest {

  private static MiniDFSCluster cluster;
  private static DistributedFileSystem hdfs;
  private static HadoopStore store;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new Configuration();
    conf.set(
        MiniDFSCluster.HDFS_MINIDFS_BASEDIR,
        System.getProperty("test.build.data", "target/test-data") + "/HadoopStoreTest");
    conf.setLong("dfs.blocksize", 1 << 20);
    conf.setLong("dfs.namenode.fs-limits.min-block-size", 1024);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
    hdfs = cluster.getFileSystem();
    Configuration own = new Configuration(conf);
    own.setInt("dfs.replication", 1);
    store = HadoopStore.of(hdfs.getUri() + "/archive", own);
  }

  @AfterAll
  static void stop() {
    cluster.shutdown(true);
  }

  @Test
  void aFileIsWrittenResumedCheckedAndNamed() throws Exception {
    byte[] data = new byte[3_300_000];
    new Random(1).nextBytes(data);
    assertEquals(OptionalLong.empty(), store.length("t/.a"));
    try (RemoteStore.Writer writer = store.create("t/.a")) {
      writer.write(data, 0, 2_000_000);
    }
    try (RemoteStore.Writer writer = store.append("t/.a")) {
      writer.write(data, 2_000_000, 1_300_000);
      writer.finish();
    }
    CRC32C crc = new CRC32C();
    crc.update(data, 0, data.length);

    assertEquals(
        (int) crc.getValue(), store.checksum("t/.a"), "as DataNodes have it, over four blocks");
    store.rename("t/.a", "t/a");
    assertEquals(OptionalLong.of(data.length), store.length("t/a"));
    byte[] part = new byte[1_500_000];
    try (RemoteStore.Reader reader = store.open("t/a")) {
      assertEquals(1_500_000, reader.read(900_000, part, 1_500_000));
      assertArrayEquals(Arrays.copyOfRange(data, 900_000, 2_400_000), part);
      assertEquals(300_000, reader.read(3_000_000, part, 1_500_000));
    }
  }

  /** The lease of a gateway that was killed: HDFS closes the file, and what was written is there. */
  @Test
  void goesOnWithAFileThatADeadGatewayLeftOpen() throws Exception {
    FSDataOutputStream left = hdfs.create(new Path("/archive/t/.left"));
    left.write(new byte[5000]);
    left.hflush();

    RemoteStore.Writer writer = null;
    for (int attempt = 0; writer == null; attempt++) {
      try {
        writer = store.append("t/.left");
      } catch (IOException e) {
        assertTrue(e.getMessage().contains("try again") && attempt < 100_000, e.getMessage());
      }
    }
    writer.write(new byte[10], 0, 10);
    writer.finish();
    writer.close();

    assertEquals(OptionalLong.of(5010), store.length("t/.left"));
  }

  @Test
  void nothingIsReplacedAndDirectoriesAreNoFiles() throws Exception {
    for (String name : new String[] {"t/x", "t/y"}) {
      try (RemoteStore.Writer writer = store.create(name)) {
        writer.write(name.getBytes(), 0, 3);
        writer.finish();
      }
    }
    assertThrows(FileAlreadyExistsException.class, () -> store.rename("t/x", "t/y"));
    assertThrows(IOException.class, () -> store.create("t/x"));
    assertThrows(IOException.class, () -> store.length("t"));
    store.delete("t/x");
    store.delete("t/x");
    assertEquals(OptionalLong.empty(), store.length("t/x"));
    assertThrows(IOException.class, () -> HadoopStore.of("file:///tmp", new Configuration()));
  }
}
