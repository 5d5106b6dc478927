// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

/**
 * A file that a workload reads.
 *
 * @param path absolute HDFS path
 * @param bytes its size
 * @param seed of its content, see {@link FileContents}
 */
public record WorkloadFile(String path, long bytes, long seed) {

  /**
   * @throws IllegalArgumentException if the path isn't absolute or the size is negative
   */
  public WorkloadFile {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("Not an absolute path: " + path);
    }
    if (bytes < 0) {
      throw new IllegalArgumentException("Negative size of " + path + ": " + bytes);
    }
  }
}
