// SPDX-License-Identifier: Apache-2.0
/**
 * What administrators say of paths: which are managed, pinned or ignored, how fast or slow they may
 * lie, when they may move. Pure: a path, what HDFS shows of the file, its heat and the time give a
 * verdict, with the rule that gave it.
 */
package io.thermocline.tiering.rules;
