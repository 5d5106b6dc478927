// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;

/**
 * What a command-line tool of Hadoop did. Immutable.
 *
 * @param status its exit status
 * @param output what it printed and logged
 */
public record ToolRun(int status, String output) {

  /**
   * Itself.
   *
   * @throws IOException if it failed, with all that it said
   */
  public ToolRun succeeded() throws IOException {
    if (status != 0) {
      throw new IOException("Exit status " + status + ":\n" + output);
    }
    return this;
  }
}
