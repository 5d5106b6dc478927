// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

/**
 * A read that failed in a replay.
 *
 * @param path of the file
 * @param cause class and message of the exception
 */
public record FailedRead(String path, String cause) {}
