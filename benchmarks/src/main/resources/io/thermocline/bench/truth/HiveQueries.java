// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.DriverFactory;
import org.apache.hadoop.hive.ql.IDriver;
import org.apache.hadoop.hive.ql.session.SessionState;

/**
 * Hive over the Parquet tables of SqlQueries, all queries by one user from one process. With "create" it makes the tables known
 * to a metastore in the working directory.
 */
public class HiveQueries {
  private final IDriver driver;

  private HiveQueries(IDriver driver) {
    this.driver = driver;
  }

  public static void main(String[] args) {
    int status = 1;
    try {
      new HiveQueries(driver()).run(args[0].equals("create"), args[1]);
      status = 0;
    } catch (Exception e) {
      e.printStackTrace();
    }
    // Its threads don't end by themselves.
    System.exit(status);
  }

  private static IDriver driver() {
    HiveConf conf = new HiveConf(HiveQueries.class);
    conf.set("javax.jdo.option.ConnectionURL", "jdbc:derby:;databaseName=metastore;create=true");
    conf.set("datanucleus.schema.autoCreateAll", "true");
    conf.set("hive.metastore.schema.verification", "false");
    conf.set("hive.metastore.warehouse.dir", "/hive/warehouse");
    conf.set("hive.metastore.warehouse.external.dir", "/hive/warehouse");
    conf.set("hive.exec.scratchdir", "/hive/scratch");
    conf.set("hive.query.results.cache.enabled", "false");
    conf.set("hive.execution.engine", "mr");
    conf.set("hive.support.concurrency", "false");
    conf.set("hive.stats.autogather", "false");
    conf.set("hive.exec.submit.local.task.via.child", "false");
    conf.set("mapreduce.framework.name", "local");
    SessionState.start(conf);
    return DriverFactory.newDriver(conf);
  }

  private void run(boolean creates, String root) throws Exception {
    if (creates) {
      String columns = " (item bigint, x double, a string, b string) ";
      driver.run("create external table sales" + columns + "partitioned by (day int) stored as parquet location '" + root + "/sales'");
      driver.run("msck repair table sales");
      driver.run("create external table events (day int, item bigint, x double, a string, b string) stored as parquet location '" + root + "/events'");
      driver.run("create external table items (item bigint, name string) stored as parquet location '" + root + "/items'");
      return;
    }
    for (int query = 0; query < 6; query++) {
      sales("day >= 37");
      ask("select sum(x), max(a) from events");
      if (query % 3 == 0) {
        sales("day >= 30");
      }
    }
    sales("day >= 0");
    // Without a job: Hive itself reads.
    ask("select a from sales where day = 39");
  }

  private void sales(String days) throws Exception {
    ask("select i.name, count(*) from sales s join items i on s.item = i.item where " + days + " group by i.name");
  }

  private void ask(String query) throws Exception {
    driver.run(query);
    int rows = 0;
    for (ArrayList<String> some = new ArrayList<>(); driver.getResults(some); some.clear()) {
      rows += some.size();
    }
    if (rows == 0) {
      throw new IllegalStateException("no rows: " + query);
    }
  }
}
