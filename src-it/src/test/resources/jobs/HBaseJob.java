// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/** HBase with its files in HDFS: writes, flushes, compacts and reads a table. Knows nothing of hints. */
public class HBaseJob {

  private static final byte[] FAMILY = "f".getBytes(StandardCharsets.UTF_8);

  public static void main(String[] args) {
    int status = 1;
    try {
      run(args[0]);
      status = 0;
    } catch (Exception e) {
      e.printStackTrace();
    }
    // Its threads don't end by themselves.
    System.exit(status);
  }

  private static void run(String root) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.rootdir", FileSystem.get(conf).getUri() + root);
    // Through HDFS's class; the other provider writes blocks with a client of its own.
    conf.set("hbase.wal.provider", "filesystem");
    // The master's own log has blocks of twice this.
    conf.setLong("hbase.master.store.region.flush.size", conf.getLong("dfs.blocksize", 0) / 2);
    conf.set("hbase.master.info.port", "-1");
    conf.set("hbase.regionserver.info.port", "-1");
    conf.set("hbase.master.port", "0");
    conf.set("hbase.regionserver.port", "0");
    // A busy machine.
    conf.set("hbase.master.start.timeout.localHBaseCluster", "240000");
    conf.set("hbase.unsafe.stream.capability.enforce", "true");
    MiniZooKeeperCluster zooKeeper = new MiniZooKeeperCluster(conf);
    int port = zooKeeper.startup(new File("zookeeper").getAbsoluteFile());
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.clientPort", port);
    LocalHBaseCluster cluster = new LocalHBaseCluster(conf, 1, 1);
    cluster.startup();
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      TableName name = TableName.valueOf("words");
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      try (Table table = connection.getTable(name)) {
        for (int i = 0; i < 100; i++) {
          table.put(new Put(("row" + i).getBytes(StandardCharsets.UTF_8)).addColumn(FAMILY, FAMILY, FAMILY));
        }
        admin.flush(name);
        int rows = 0;
        try (ResultScanner scanner = table.getScanner(new Scan())) {
          while (scanner.next() != null) {
            rows++;
          }
        }
        if (rows != 100) {
          throw new IllegalStateException(rows + " rows");
        }
      }
      admin.shutdown();
    }
    cluster.join();
    zooKeeper.shutdown();
    FileSystem.closeAll();
  }
}
