// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.thermocline.hints.Hint;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintBook;
import java.io.IOException;

/** Takes hints and takes them back, in the name of who asks. Thread-safe. */
public interface HintDesk {

  /** What holds. */
  HintBook book();

  /** Milliseconds since 1970. */
  long nowMillis();

  /** What follows is asked by one caller. */
  Visit visit(Caller caller) throws IOException;

  /** Calls of one caller, until it is closed. */
  interface Visit extends AutoCloseable {

    /**
     * Looks whether a hint may be taken. Nothing is changed.
     *
     * @return as it would be taken
     * @throws ApiException where it may not
     * @throws IOException where HDFS can't be asked
     */
    GivenHint check(Hint hint) throws ApiException, IOException;

    /** Takes one that was checked: wholly, or not at all. */
    void take(GivenHint checked) throws ApiException, IOException;

    /** Takes one back. */
    void remove(GivenHint hint) throws ApiException, IOException;

    @Override
    void close() throws IOException;
  }
}
