// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/**
 * HBase with a block cache that is smaller than its table. With "write" it makes the table, of twelve regions with three store
 * files each; with "read" it gets rows, of regions by Zipf's law, and scans three regions.
 */
public class HBaseReads {
  private static final byte[] FAMILY = "f".getBytes(StandardCharsets.UTF_8);
  private static final TableName NAME = TableName.valueOf("users");
  private static final int REGIONS = 12;
  private static final int ROWS = 2_000;
  private static final int FLUSHES = 3;
  private static final int GETS = 6_000;

  public static void main(String[] args) {
    int status = 1;
    try {
      run(args[0].equals("write"));
      status = 0;
    } catch (Exception e) {
      e.printStackTrace();
    }
    // Its threads don't end by themselves.
    System.exit(status);
  }

  private static void run(boolean writes) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.rootdir", FileSystem.get(conf).getUri() + "/hbase");
    conf.set("hbase.wal.provider", "filesystem");
    conf.setLong("hbase.master.store.region.flush.size", conf.getLong("dfs.blocksize", 0) / 2);
    conf.set("hbase.master.info.port", "-1");
    conf.set("hbase.regionserver.info.port", "-1");
    conf.set("hbase.master.port", "0");
    conf.set("hbase.regionserver.port", "0");
    conf.set("hbase.master.start.timeout.localHBaseCluster", "240000");
    conf.set("hbase.unsafe.stream.capability.enforce", "true");
    conf.setInt("hbase.hstore.compaction.min", 10);
    conf.set("hfile.block.cache.size", "0.02");
    MiniZooKeeperCluster zooKeeper = new MiniZooKeeperCluster(conf);
    int port = zooKeeper.startup(new File("zookeeper").getAbsoluteFile());
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.clientPort", port);
    LocalHBaseCluster cluster = new LocalHBaseCluster(conf, 1, 1);
    cluster.startup();
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      if (writes) {
        write(connection, admin);
      } else {
        read(connection);
      }
      admin.shutdown();
    }
    cluster.join();
    zooKeeper.shutdown();
    FileSystem.closeAll();
  }

  private static byte[] row(int region, int row) {
    return String.format("%02d-%06d", region, row).getBytes(StandardCharsets.UTF_8);
  }

  private static void write(Connection connection, Admin admin) throws Exception {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int region = 1; region < REGIONS; region++) {
      splits[region - 1] = row(region, 0);
    }
    admin.createTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build(),
        splits);
    Random random = new Random(1);
    byte[] value = new byte[2_000];
    try (Table table = connection.getTable(NAME)) {
      for (int flush = 0; flush < FLUSHES; flush++) {
        for (int region = 0; region < REGIONS; region++) {
          List<Put> puts = new ArrayList<>();
          for (int row = flush; row < ROWS; row += FLUSHES) {
            random.nextBytes(value);
            puts.add(new Put(row(region, row)).addColumn(FAMILY, FAMILY, value.clone()));
          }
          table.put(puts);
        }
        admin.flush(NAME);
      }
    }
  }

  private static void read(Connection connection) throws Exception {
    Random random = new Random(2);
    double[] upTo = new double[REGIONS];
    double sum = 0;
    for (int region = 0; region < REGIONS; region++) {
      sum += 1.0 / (1 + (5 * region) % REGIONS);
      upTo[region] = sum;
    }
    try (Table table = connection.getTable(NAME)) {
      for (int get = 0; get < GETS; get++) {
        double drawn = random.nextDouble() * sum;
        int region = 0;
        while (upTo[region] < drawn) {
          region++;
        }
        if (table.get(new Get(row(region, random.nextInt(ROWS)))).isEmpty()) {
          throw new IllegalStateException("a row is missing");
        }
      }
      for (int region : new int[] {0, 0, 3, 0, 7}) {
        try (ResultScanner rows =
            table.getScanner(
                new Scan().withStartRow(row(region, 0)).withStopRow(row(region, ROWS)))) {
          int found = 0;
          while (rows.next() != null) {
            found++;
          }
          if (found != ROWS) {
            throw new IllegalStateException(found + " rows");
          }
        }
      }
    }
  }
}
