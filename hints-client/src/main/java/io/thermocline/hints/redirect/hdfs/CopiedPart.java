// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import io.thermocline.hints.redirect.GroupFile;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A block of an opened file that has a copy in a group. Immutable. */
final class CopiedPart {
  /** The block as HDFS told of it when the file was opened. */
  final LocatedBlock block;

  final LoadedGroup group;

  /** Of the member in the group. */
  final int index;

  CopiedPart(LocatedBlock block, LoadedGroup group, int index) {
    this.block = block;
    this.group = group;
    this.index = index;
  }

  GroupFile.Member member() {
    return group.member(index);
  }

  /** In the opened file. */
  long start() {
    return block.getStartOffset();
  }

  /** The byte behind it, in the opened file. */
  long end() {
    return start() + member().length();
  }
}
