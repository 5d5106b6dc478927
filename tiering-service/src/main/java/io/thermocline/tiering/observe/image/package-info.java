// SPDX-License-Identifier: Apache-2.0
/**
 * Every file of a namespace out of the NameNode's image: fetched over HTTP or found as a file, read as a stream. No
 * RPC to the NameNode, and nothing but directories is kept in memory.
 */
package io.thermocline.tiering.observe.image;
