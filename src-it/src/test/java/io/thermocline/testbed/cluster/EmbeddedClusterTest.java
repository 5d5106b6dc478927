// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.IOUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class EmbeddedClusterTest {
  @TempDir Path temp;

  @Test
  void smoke() throws Exception {
    long t0 = System.nanoTime();
    EmbeddedCluster cluster =
        EmbeddedCluster.builder(temp)
            .logFragment(Path.of("src/test/resources/audit-log4j.properties"))
            .create();
    cluster.start();
    System.out.println("start " + (System.nanoTime() - t0) / 1e9);
    DistributedFileSystem fs = cluster.fileSystem();
    byte[] data = new byte[2_000_000];
    new java.util.Random(1).nextBytes(data);
    for (String p : new String[] {"HOT", "ALL_SSD", "COLD", "ALL_NVDIMM"}) {
      org.apache.hadoop.fs.Path d = new org.apache.hadoop.fs.Path("/" + p);
      fs.mkdirs(d);
      fs.setStoragePolicy(d, p);
      try (var out = fs.create(new org.apache.hadoop.fs.Path(d, "f"))) {
        out.write(data, 0, p.equals("ALL_NVDIMM") ? 500_000 : data.length);
      }
    }
    System.out.println(cluster.devices().counts());
    cluster.devices().pace();
    for (String p : new String[] {"HOT", "ALL_SSD", "COLD", "ALL_NVDIMM"}) {
      t0 = System.nanoTime();
      var before = cluster.devices().counts();
      try (var alice = cluster.fileSystem("alice");
          var in = alice.open(new org.apache.hadoop.fs.Path("/" + p + "/f"))) {
        long c0 = System.nanoTime();
        byte[] b = new byte[p.equals("ALL_NVDIMM") ? 500_000 : data.length];
        IOUtils.readFully(in, b, 0, b.length);
        System.out.println(
            p
                + " read "
                + (System.nanoTime() - c0) / 1e9
                + " "
                + cluster.devices().counts().minus(before));
      }
    }
    System.out.println(Files.readString(cluster.auditLog()));
    for (var r :
        fs.getClient()
            .getDatanodeStorageReport(
                org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType.LIVE)) {
      System.out.println(
          r.getDatanodeInfo()
              + " "
              + java.util.Arrays.stream(r.getStorageReports())
                  .map(
                      s ->
                          s.getStorage().getStorageType()
                              + ":"
                              + s.getCapacity()
                              + ":"
                              + s.getRemaining()
                              + ":"
                              + s.getDfsUsed())
                  .toList());
    }
    t0 = System.nanoTime();
    cluster.close();
    System.out.println("close " + (System.nanoTime() - t0) / 1e9);
    for (Thread t : Thread.getAllStackTraces().keySet())
      if (!t.isDaemon()) System.out.println("nondaemon " + t);
    assertFalse(Files.exists(cluster.directory()));
  }
}
