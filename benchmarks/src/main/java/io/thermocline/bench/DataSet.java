// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import java.util.SplittableRandom;
import org.apache.commons.text.StringEscapeUtils;

/** Names of tables, partitions and files of a warehouse, as an audit log shows them. Stateless. */
final class DataSet {

  /** Exponent of the files' popularity: about what traces of HDFS clusters show. */
  static final double EXPONENT = 1.0;

  /** One file in this many has a tab and letters beyond ASCII, which the NameNode escapes. */
  private static final int ESCAPED_ONE_IN = 50;

  private DataSet() {}

  static String table(SplittableRandom random) {
    return "/warehouse/tablespace/external/db%d/table%d"
        .formatted(random.nextInt(20), random.nextInt(400));
  }

  static String day(SplittableRandom random) {
    return "dt=2026-%02d-%02d".formatted(1 + random.nextInt(12), 1 + random.nextInt(28));
  }

  static String partition(SplittableRandom random) {
    return table(random) + "/" + day(random);
  }

  static String file(long number, SplittableRandom random) {
    return number % ESCAPED_ONE_IN == ESCAPED_ONE_IN - 1
        ? StringEscapeUtils.escapeJava("Gr\u00f6\u00dfe\t" + number)
        : "part-%05d-%016x.snappy.parquet".formatted(number % 1000, random.nextLong());
  }
}
