// SPDX-License-Identifier: Apache-2.0

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/** Writes a table, and goes on with it as a stream. Knows nothing of hints. */
public class SparkJob {

  public static void main(String[] args) throws Exception {
    SparkSession spark =
        SparkSession.builder()
            .appName("nightly")
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
    spark.range(1000).selectExpr("id", "id % 3 as day").write().partitionBy("day").parquet(args[0] + "/table");
    spark
        .readStream()
        .schema("id bigint, day int")
        .parquet(args[0] + "/table")
        .writeStream()
        .format("parquet")
        .option("checkpointLocation", args[0] + "/checkpoint")
        .trigger(Trigger.AvailableNow())
        .start(args[0] + "/stream")
        .awaitTermination();
    long rows = spark.read().parquet(args[0] + "/stream").count();
    if (rows != 1000) {
      throw new IllegalStateException(rows + " rows");
    }
    spark.stop();
  }
}
