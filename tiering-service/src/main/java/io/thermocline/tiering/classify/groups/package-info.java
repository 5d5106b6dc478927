// SPDX-License-Identifier: Apache-2.0
/**
 * Which objects are read together, or as often as each other, and so belong into one group: pure. An object is a block
 * or a file, known by a key of 64 bits. Source: PRS, sections 3.2 and 3.4.1.
 */
package io.thermocline.tiering.classify.groups;
