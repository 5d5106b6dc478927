// SPDX-License-Identifier: Apache-2.0
/** What identifies a chunk, and where a gateway finds one. */
package io.thermocline.redundancy.index;
