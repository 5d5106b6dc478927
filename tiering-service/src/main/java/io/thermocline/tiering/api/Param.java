// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.util.List;

/**
 * A parameter of a route, in its path or its query.
 *
 * @param least and {@code most}, of an integer
 * @param fallback what counts where it isn't given; null: it must be given, or nothing counts
 */
public record Param(
    String name, Kind kind, Need need, String description, int least, int most, String fallback) {

  /** What its text must be. */
  public enum Kind {
    TEXT,
    INTEGER,
    /** An absolute path in HDFS. */
    HDFS_PATH
  }

  /** Whether a request must have it. */
  public enum Need {
    IN_PATH,
    REQUIRED,
    OPTIONAL
  }

  static final Param LIMIT = integer("limit", 100, 1, 1000, "how many items at most");
  static final Param OFFSET =
      integer("offset", 0, 0, Integer.MAX_VALUE, "how many items to pass over");

  /** Those of a {@link Page}. */
  static final List<Param> PAGING = List.of(LIMIT, OFFSET);

  /** A number that may be given. */
  public static Param integer(String name, int fallback, int least, int most, String description) {
    return new Param(
        name, Kind.INTEGER, Need.OPTIONAL, description, least, most, Integer.toString(fallback));
  }

  /** A text that may be given. */
  public static Param text(String name, String description) {
    return new Param(name, Kind.TEXT, Need.OPTIONAL, description, 0, 0, null);
  }

  /** A path in HDFS that must be given. */
  public static Param hdfsPath(String name, String description) {
    return new Param(name, Kind.HDFS_PATH, Need.REQUIRED, description, 0, 0, null);
  }

  /** A path in HDFS that may be given. */
  public static Param optionalHdfsPath(String name, String description) {
    return new Param(name, Kind.HDFS_PATH, Need.OPTIONAL, description, 0, 0, null);
  }

  /** The number in a route's path. */
  public static Param number(String name, String description) {
    return new Param(name, Kind.INTEGER, Need.IN_PATH, description, 0, Integer.MAX_VALUE, null);
  }

  /** The name in a route's path. */
  public static Param name(String name, String description) {
    return new Param(name, Kind.TEXT, Need.IN_PATH, description, 0, 0, null);
  }

  /** The text as it may be used. */
  String checked(String text) throws ApiException {
    switch (kind) {
      case INTEGER -> number(text);
      case HDFS_PATH -> {
        if (!text.startsWith("/") || text.contains("//") || text.contains("/../")) {
          throw bad(text, "expected an absolute path in HDFS, like /warehouse/t/part-0");
        }
      }
      case TEXT -> {
        // Any.
      }
    }
    return text;
  }

  int number(String text) throws ApiException {
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // As one out of range.
    }
    throw bad(text, "expected a whole number from " + least + " to " + most);
  }

  private ApiException bad(String text, String expected) {
    return new ApiException(ErrorCode.BAD_PARAMETER, name + " is '" + text + "'", name, expected);
  }
}
