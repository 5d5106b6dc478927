// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

/**
 * A file that isn't in the cluster as it was written.
 *
 * @param path of the file
 * @param problem what was expected and what was found
 */
public record Mismatch(String path, String problem) {}
