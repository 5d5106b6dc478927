// SPDX-License-Identifier: Apache-2.0
/** Splits data into chunks. Pure. */
package io.thermocline.redundancy.chunk;
