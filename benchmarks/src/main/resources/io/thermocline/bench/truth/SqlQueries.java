// SPDX-License-Identifier: Apache-2.0

import org.apache.spark.sql.SparkSession;

/**
 * Spark SQL over Parquet, each query an application of its own. With "write" it makes the tables: sales with 40 partitions of three
 * files, joined with one of a single file, and events with 320 files.
 */
public class SqlQueries {
  private static SparkSession session() {
    return SparkSession.builder()
        .appName("queries")
        .master("local[4]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate();
  }

  public static void main(String[] args) {
    String root = args[1];
    if (args[0].equals("write")) {
      SparkSession spark = session();
      String[] columns = {
        "cast(id % 40 as int) as day", "id % 100 as item", "rand() as x", "uuid() as a", "uuid() as b"
      };
      spark.range(0, 240_000, 1, 3).selectExpr(columns).write().partitionBy("day").parquet(root + "/sales");
      spark.range(0, 640_000, 1, 320).selectExpr(columns).write().parquet(root + "/events");
      spark.range(0, 100, 1, 1).selectExpr("id as item", "uuid() as name").write().parquet(root + "/items");
      spark.stop();
      return;
    }
    for (int query = 0; query < 6; query++) {
      query(root, "day >= 37");
      query(root, null);
      if (query % 3 == 0) {
        query(root, "day >= 30");
      }
    }
    query(root, "day >= 0");
  }

  /** Sales of some days joined with items, or without days, all events. */
  private static void query(String root, String days) {
    SparkSession spark = session();
    if (days == null) {
      spark.read().parquet(root + "/events").selectExpr("sum(x)", "max(a)", "max(b)").collect();
    } else {
      spark.read().parquet(root + "/sales").where(days)
          .join(spark.read().parquet(root + "/items"), "item")
          .groupBy("name").count().collect();
    }
    spark.stop();
  }
}
