// SPDX-License-Identifier: Apache-2.0

import org.apache.spark.sql.SparkSession;

/** Counts the words of what is there. Knows nothing of groups. */
public class SparkWordsJob {

  public static void main(String[] args) {
    SparkSession spark =
        SparkSession.builder()
            .appName("words")
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .getOrCreate();
    spark
        .read()
        .text(args[0])
        .selectExpr("explode(split(value, ' ')) as word")
        .groupBy("word")
        .count()
        .orderBy("word")
        .selectExpr("concat_ws('\t', word, count) as value")
        .coalesce(1)
        .write()
        .text(args[1]);
    spark.stop();
  }
}
