// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

/** A request to a block device: when, in seconds from the beginning, and where and how much, in bytes. */
record BlockRequest(double seconds, boolean write, long offset, long bytes) {}
