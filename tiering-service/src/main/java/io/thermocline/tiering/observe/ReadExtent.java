// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.charset.StandardCharsets;

/**
 * How much of each block readers of a kind read, as constants: what such readers read on average. The kind is known by the
 * caller context, and by the file's name.
 */
public enum ReadExtent {
  /** All of it, by one request. */
  WHOLE(1, 1),
  /** The footer and some columns of Parquet or ORC: four requests for 0.3 of the bytes. */
  COLUMNS(4, 0.3),
  /** The same by a task of Spark, which opens the file once for the footer and once for the columns. */
  COLUMNS_OF_SPARK(4, 0.3),
  /** The end of a file that is appended to, if there is more of it than before. */
  TAIL(0.5, 0);

  private static final byte[] PARQUET = ascii(".parquet");
  private static final byte[] ORC = ascii(".orc");
  private static final byte[] SPARK = ascii("SPARK_");
  private static final byte[] MAP_REDUCE = ascii("mr_");
  private static final byte[] COMMAND_LINE = ascii("CLI");

  private final double requests;
  private final double share;

  ReadExtent(double requests, double share) {
    this.requests = requests;
    this.share = share;
  }

  /** Requests for each block that an open stands for. */
  public double requests() {
    return requests;
  }

  /** Of the bytes, 0 to 1. */
  public double share() {
    return share;
  }

  /** By what an open's line says alone. */
  static ReadExtent of(AuditLine line, PathCursor path) {
    if (!path.endsWith(PARQUET) && !path.endsWith(ORC)) {
      return WHOLE;
    }
    if (line.contextStartsWith(SPARK)) {
      return COLUMNS_OF_SPARK;
    }
    // These read files of any format as a whole.
    return line.contextStartsWith(MAP_REDUCE) || line.contextStartsWith(COMMAND_LINE)
        ? WHOLE
        : COLUMNS;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
