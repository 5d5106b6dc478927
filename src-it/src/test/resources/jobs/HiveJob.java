// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.DriverFactory;
import org.apache.hadoop.hive.ql.IDriver;
import org.apache.hadoop.hive.ql.session.SessionState;

/** Hive with its tables in HDFS: fills a partitioned table and asks it. Knows nothing of hints. */
public class HiveJob {

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
    HiveConf conf = new HiveConf(HiveJob.class);
    conf.set("javax.jdo.option.ConnectionURL", "jdbc:derby:memory:metastore;create=true");
    conf.set("datanucleus.schema.autoCreateAll", "true");
    conf.set("hive.metastore.schema.verification", "false");
    conf.set("hive.metastore.warehouse.dir", root + "/warehouse");
    conf.set("hive.metastore.warehouse.external.dir", root + "/warehouse");
    conf.set("hive.exec.scratchdir", root + "/scratch");
    conf.set("hive.query.results.cache.enabled", "false");
    conf.set("hive.execution.engine", "mr");
    conf.set("hive.support.concurrency", "false");
    conf.set("hive.stats.autogather", "false");
    conf.set("mapreduce.framework.name", "local");
    SessionState.start(conf);
    IDriver driver = DriverFactory.newDriver(conf);
    driver.run("create external table words (word string) partitioned by (day int) stored as orc");
    driver.run("insert into words partition (day = 1) values ('hot'), ('warm'), ('hot')");
    driver.run("insert into words partition (day = 2) values ('cold')");
    driver.run("select word, count(*) from words where day = 1 group by word order by word");
    List<String> rows = new ArrayList<>();
    driver.getResults(rows);
    if (!rows.equals(List.of("hot\t2", "warm\t1"))) {
      throw new IllegalStateException(rows.toString());
    }
  }
}
