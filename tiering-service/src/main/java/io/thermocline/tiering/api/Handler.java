// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.io.IOException;

/** Answers requests of one route. Thread-safe. */
@FunctionalInterface
public interface Handler {

  /**
   * The answer, of the type that the route says.
   *
   * @throws IOException where HDFS can't be asked
   */
  Object answer(Request request) throws ApiException, IOException, InterruptedException;
}
