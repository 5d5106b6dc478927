// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import java.io.IOException;

/**
 * How far an image was read: all files before were handed on, none after. To be stored in one piece with what was made
 * of them. Immutable.
 *
 * @param image which one, empty for whichever
 * @param offset in the section INODE, decompressed
 * @param counts of what was read before
 */
public record ImageCheckpoint(String image, long offset, ImageCounts counts) {

  private static final String HEADER = "image 1";

  public static ImageCheckpoint beginning() {
    return new ImageCheckpoint("", 0, new ImageCounts(0, 0, 0, 0, 0));
  }

  /** One line. */
  public String toText() {
    return HEADER
        + " "
        + (image.isEmpty() ? "-" : image)
        + " "
        + offset
        + " "
        + counts.inodes()
        + " "
        + counts.files()
        + " "
        + counts.directories()
        + " "
        + counts.symlinks()
        + " "
        + counts.inSnapshotsOnly();
  }

  /**
   * @throws IOException where it is not what {@link #toText} gave
   */
  public static ImageCheckpoint parse(String text) throws IOException {
    String[] words = text.split(" ", -1);
    if (words.length != 9 || !text.startsWith(HEADER + " ")) {
      throw new IOException(
          "not a checkpoint of an image, which begins with '" + HEADER + "': " + text);
    }
    try {
      return new ImageCheckpoint(
          words[2].equals("-") ? "" : words[2],
          Long.parseLong(words[3]),
          new ImageCounts(
              Long.parseLong(words[4]),
              Long.parseLong(words[5]),
              Long.parseLong(words[6]),
              Long.parseLong(words[7]),
              Long.parseLong(words[8])));
    } catch (NumberFormatException e) {
      throw new IOException("not a checkpoint of an image: " + text, e);
    }
  }
}
