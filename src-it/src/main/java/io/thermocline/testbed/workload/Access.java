// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

/**
 * One whole-file read.
 *
 * @param atSeconds when, in the time of the trace, from its start
 * @param file index into the workload's files
 */
public record Access(double atSeconds, int file) {}
