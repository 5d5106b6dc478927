// SPDX-License-Identifier: Apache-2.0
/** Kinds of files, by what is in them. Pure. */
package io.thermocline.redundancy.content;
