// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process.inside;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.qjournal.server.JournalNode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ToolRunner;

/** Loads the classes that servers and tools of a cluster load, by being all of them for a moment. */
public final class SmallCluster {

  private static final String ANY_PORT = "127.0.0.1:0";

  private static final long POLL_NANOS = 20_000_000;

  private SmallCluster() {}

  /**
   * @param args its directory, which is not there yet; then, where it is to go on, the file for its address
   */
  public static void main(String[] args) throws Exception {
    for (String server : new String[] {"hdfs", "datanode", "journal"}) {
      // Published jars have no web pages: a server looks for them here before its class path.
      Files.createDirectories(Paths.get("src/main/webapps", server));
    }
    Configuration conf = new HdfsConfiguration();
    conf.set("hadoop.tmp.dir", args[0]);
    conf.set("fs.defaultFS", "hdfs://" + ANY_PORT);
    for (String address :
        new String[] {
          "dfs.namenode.http-address",
          "dfs.datanode.address",
          "dfs.datanode.http.address",
          "dfs.datanode.ipc.address",
          "dfs.journalnode.rpc-address",
          "dfs.journalnode.http-address"
        }) {
      conf.set(address, ANY_PORT);
    }
    conf.set("dfs.journalnode.edits.dir", args[0] + "/journal");
    // Formatting registers sources of metrics, too.
    DefaultMetricsSystem.setMiniClusterMode(true);
    NameNode.format(conf);
    NameNode nameNode = NameNode.createNameNode(new String[0], conf);
    conf.set("fs.defaultFS", "hdfs://" + nameNode.getNameNodeAddressHostPortString());
    DataNode.createDataNode(new String[0], conf);
    while (nameNode.getNamesystem().getNumLiveDataNodes() == 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    JournalNode journalNode = new JournalNode();
    journalNode.setConf(conf);
    journalNode.start();
    Path file = new Path("/file");
    try (FileSystem files = FileSystem.newInstance(conf)) {
      try (FSDataOutputStream out = files.create(file)) {
        out.write(1);
      }
      try (FSDataInputStream in = files.open(file)) {
        in.read();
      }
    }
    ToolRunner.run(new FsShell(conf), new String[] {"-ls", "/"});
    ToolRunner.run(new DFSAdmin(conf), new String[] {"-report"});
    if (args.length == 1) {
      System.exit(0);
    }
    java.nio.file.Path made = Paths.get(args[1] + ".made");
    Files.write(made, conf.get("fs.defaultFS").getBytes(StandardCharsets.UTF_8));
    Files.move(made, Paths.get(args[1]));
  }
}
