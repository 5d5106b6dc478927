// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

/** What turns audit lines into reads of paths. */
interface LineCounter {

  void accept(String line);

  /** Reads counted so far, of all paths. */
  long reads();
}
