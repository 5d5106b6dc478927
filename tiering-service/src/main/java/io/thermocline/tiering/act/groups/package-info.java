// SPDX-License-Identifier: Apache-2.0
/**
 * Copies of small files that are read together, in files of their own: written, listed in the redirect table, checked,
 * deleted. Never an original. Source: PRS, sections 3.3 and 3.5.
 */
package io.thermocline.tiering.act.groups;
