// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the storage types of a running cluster through HDFS, and writes the pattern library that follows. Writes and
 * removes files of its own in one scratch directory; changes nothing else.
 */
package io.thermocline.tiering.probe;
