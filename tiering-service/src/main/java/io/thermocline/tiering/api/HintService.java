// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.thermocline.hints.Hint;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.Hints;
import io.thermocline.tiering.hints.QueueLength;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/** Takes hints and takes them back, in the name of who asks. Thread-safe. */
public interface HintService {

  /** What holds. */
  HintRegistry registry();

  /** Milliseconds since 1970. */
  long nowMillis();

  /**
   * A hint that stands in HDFS and isn't taken.
   *
   * @param op an operation, or STREAM for the tag of a stream
   * @param owner as it says; of the file where that can't be read
   * @param why what is wrong with it
   */
  record Refused(String path, String op, String owner, String why) {}

  /** Those of an owner that were found last. */
  List<Refused> refused(String owner);

  /** Whether new data should be led elsewhere. */
  QueueLength.Now queue();

  /** What follows is asked by one caller. */
  Visit visit(Caller caller) throws IOException;

  /** Gives a hint a new lease from now on. */
  default GivenHint renew(Caller caller, HintRegistry.Used used, long leaseMillis)
      throws ApiException, IOException {
    long now = nowMillis();
    long expiry = now + Math.min(leaseMillis, Long.MAX_VALUE - now);
    long start = used.hint().hint().startMillis();
    if (start >= expiry) {
      throw new ApiException(
          ErrorCode.BAD_FIELD,
          "the hint begins at " + Instant.ofEpochMilli(start) + ", after that lease",
          "leaseMillis",
          "renew it for longer, or take it back");
    }
    Hint renewed = Hints.until(used.hint().hint(), expiry);
    try (Visit visit = visit(caller)) {
      // It may have been renamed since.
      GivenHint checked = visit.check(Hints.at(renewed, used.hint().path()));
      visit.take(checked);
      return checked;
    }
  }

  /** Calls of one caller, until it is closed. */
  interface Visit extends AutoCloseable {

    /**
     * Looks whether a hint may be taken. Nothing is changed.
     *
     * @return as it would be taken
     * @throws ApiException where it may not, or HDFS can't be asked about it
     */
    GivenHint check(Hint hint) throws ApiException;

    /**
     * Takes one that was checked: wholly, or not at all.
     *
     * @return the task of what it asks for, to follow; empty where it only says what to expect
     */
    OptionalLong take(GivenHint checked) throws ApiException;

    /** Takes one back. */
    void remove(GivenHint hint) throws ApiException;

    @Override
    void close();
  }
}
