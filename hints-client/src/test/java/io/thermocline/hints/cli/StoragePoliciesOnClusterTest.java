// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Scope;
import io.thermocline.hints.client.HintServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HDFS's own commands still do what they did, beside ours. */
@Tag("cluster")
class StoragePoliciesOnClusterTest {

  @Test
  void stockCommandsAreTheStockOnes(@TempDir java.nio.file.Path directory) throws Exception {
    Files.createDirectories(java.nio.file.Path.of(System.getProperty("java.io.tmpdir")));
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), directory.toFile()).build();
    PrintStream systemOut = System.out;
    PrintStream systemErr = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (HintServer service = new HintServer()) {
      Configuration conf = new Configuration(cluster.getConfiguration(0));
      conf.set("thermocline.hints.service", service.address());
      Path data = new Path("/data");
      cluster.getFileSystem().mkdirs(data);
      // Where the stock command prints.
      PrintStream captured = new PrintStream(said, true);
      System.setOut(captured);
      System.setErr(captured);
      StoragePolicies policies = new StoragePolicies(conf, captured, captured);
      assertEquals(
          0, run(conf, policies, "-setStoragePolicy", "-path", "/data", "-policy", "COLD"));
      assertEquals(
          "COLD", cluster.getFileSystem().getStoragePolicy(data).getName(), said.toString());
      assertEquals(0, run(conf, policies, "-getStoragePolicy", "-path", "/data"));
      assertTrue(said.toString().contains("BlockStoragePolicy{COLD:2"), said.toString());
      assertEquals(0, run(conf, policies, "-unsetStoragePolicy", "-path", "/data"));
      assertEquals(0, run(conf, policies, "-listPolicies"));
      assertTrue(said.toString().contains("ONE_SSD"), said.toString());
      assertEquals(1, run(conf, policies, "-noSuchCommand"));
      said.reset();
      assertEquals(1, run(conf, policies));
      assertTrue(said.toString().contains("[-setStoragePolicy "), said.toString());
      assertTrue(said.toString().contains("[-suggest -path <path> [-json]]"), said.toString());
      said.reset();
      // As the stock one.
      assertEquals(1, run(conf, policies, "-help"));
      assertTrue(said.toString().contains("[-listPolicies]"), said.toString());
      assertTrue(said.toString().contains("[-tiering status"), said.toString());
      assertEquals(0, run(conf, policies, "-help", "getStoragePolicy"));

      assertEquals(0, run(conf, policies, "-hint", "-path", "/data", "-lease", "1d"));
      assertEquals(Scope.DIRECTORY, service.hints.get(0).scope());
      assertEquals(2, run(conf, policies, "-hint", "-path", "/none", "-lease", "1d"));
    } finally {
      System.setOut(systemOut);
      System.setErr(systemErr);
      cluster.shutdown(true);
    }
  }

  private static int run(Configuration conf, StoragePolicies policies, String... arguments)
      throws Exception {
    return ToolRunner.run(conf, policies, arguments);
  }
}
