// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import io.thermocline.tiering.observe.image.ImageLayout.OpenSection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;

/**
 * An image of a NameNode of Hadoop 3: its file, found sound at its ends. {@link ImageDigest} checks the rest.
 * Immutable.
 */
public final class NamespaceImage {
  private final ImageLayout layout;
  private final Configuration conf;
  private final InodeHeader header;

  private NamespaceImage(ImageLayout layout, Configuration conf, InodeHeader header) {
    this.layout = layout;
    this.conf = conf;
    this.header = header;
  }

  /**
   * @param conf of the codecs, where the image is compressed
   * @throws ImageFormatException where it isn't one, is cut off, or its codec isn't here
   */
  public static NamespaceImage open(Path file, Configuration conf) throws IOException {
    ImageLayout layout = ImageLayout.of(file);
    layout.section("INODE_DIR");
    try (OpenSection inodes = layout.open("INODE", conf);
        OpenSection state = layout.open("NS_INFO", conf)) {
      readToItsEnd(state.in());
      return new NamespaceImage(layout, conf, InodeHeader.read(inodes.in()));
    }
  }

  private static void readToItsEnd(SectionInput in) throws IOException {
    long stop = in.begin(Long.MAX_VALUE);
    while (in.position() < stop) {
      in.skipField(in.tag(), stop);
    }
    in.expectEnd(stop);
  }

  /** Files, directories and symlinks, those that only snapshots have among them. */
  public long inodes() {
    return header.inodes();
  }

  /** Differs between any two images. */
  String identity() {
    return layout.identity();
  }

  /** Class name, empty for none. */
  public String codec() {
    return layout.codec();
  }

  /**
   * @param from {@link ImageCheckpoint#beginning}, or where an earlier reader of this image was
   * @param nanos monotonic, for the time left
   * @throws IOException where the checkpoint is of another image
   */
  public ImageReader reader(ImageCheckpoint from, LongSupplier nanos) throws IOException {
    if (!from.image().isEmpty() && !from.image().equals(layout.identity())) {
      throw new IOException(
          layout.file()
              + " is another image ("
              + layout.identity()
              + ") than the one that was read before ("
              + from.image()
              + "): begin again");
    }
    return new ImageReader(layout, conf, from, nanos);
  }
}
