// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import java.util.Map;

/** A way to move one replica of each file of a directory to SSD. */
interface Way {

  /** As the fields of the report name it. */
  String name();

  /** What is to be done before and isn't measured. */
  default void prepare(String directory) throws Exception {}

  /**
   * Returns when it says that it is done.
   *
   * @return what it measured, by the beginning of a field's name; "seconds" at least
   * @throws Exception where it says that it failed
   */
  Map<String, Double> move(String directory, int files) throws Exception;
}
