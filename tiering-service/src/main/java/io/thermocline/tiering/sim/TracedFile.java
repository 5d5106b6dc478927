// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

/**
 * A file that a trace names.
 *
 * @param path of the file, or the name that the trace has for it
 * @param bytes its size; where the trace shows several, the largest
 */
public record TracedFile(String path, long bytes) {
  public TracedFile {
    if (bytes < 0) {
      throw new IllegalArgumentException(path + " has " + bytes + " bytes");
    }
  }
}
