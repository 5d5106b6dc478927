// SPDX-License-Identifier: Apache-2.0
/** Threads that chunk and hash, shared by all flows. */
package io.thermocline.redundancy.work;
