// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

/**
 * What a member of a group is called: a file by its path; one block of a larger file as {@code
 * /a/b:blk_1073741825}. HDFS has no path with a colon.
 *
 * @param path of the file
 * @param block id; 0: the whole file
 */
public record MemberName(String path, long block) {

  private static final String BLOCK = ":blk_";

  /** The name that it was written as. */
  public static MemberName of(String name) {
    int end = name.lastIndexOf(BLOCK);
    return end < 0
        ? new MemberName(name, 0)
        : new MemberName(
            name.substring(0, end), Long.parseLong(name.substring(end + BLOCK.length())));
  }

  public boolean isWhole() {
    return block == 0;
  }

  @Override
  public String toString() {
    return isWhole() ? path : path + BLOCK + block;
  }
}
