// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import io.thermocline.tiering.observe.image.ImageLayout.OpenSection;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;

/**
 * Hands on the files of an image, in the order in which they stand there. The first {@link #poll} reads the
 * directories before, also where it goes on from a checkpoint. For one thread; any may ask for progress.
 */
public final class ImageReader implements Closeable {

  /** Measured: a byte costs that much more where files are handed on than in the passes before. */
  private static final double FILES_WEIGHT = 4;

  private final ImageLayout layout;
  private final Configuration conf;
  private final Steps steps;
  private final ImageCheckpoint start;
  private volatile ImageCheckpoint checkpoint;

  private InodeHeader header;
  private NamespaceTree tree;
  private OpenSection section;
  private InodeRecord inode;
  private long inodes;
  private long directories;
  private long symlinks;
  private long detached;
  private volatile long files;
  private volatile ImageProgress.Phase phase = ImageProgress.Phase.DIRECTORIES;

  ImageReader(ImageLayout layout, Configuration conf, ImageCheckpoint from, LongSupplier nanos)
      throws IOException {
    this.layout = layout;
    this.conf = conf;
    this.start = from;
    this.checkpoint = from;
    long inodeBytes = layout.section("INODE").length();
    long passedOver = layout.codec().isEmpty() ? Math.min(inodeBytes, from.offset()) : 0;
    this.steps =
        new Steps(
            nanos,
            2.0 * layout.section("INODE_DIR").length()
                + inodeBytes
                + FILES_WEIGHT * (inodeBytes - passedOver));
    inodes = from.counts().inodes();
    files = from.counts().files();
    directories = from.counts().directories();
    symlinks = from.counts().symlinks();
    detached = from.counts().inSnapshotsOnly();
  }

  /**
   * @param most inodes to read
   * @return whether there may be more
   * @throws ImageFormatException at what isn't an image; all that was handed on until then stands
   */
  public boolean poll(Consumer<ImageFile> sink, int most) throws IOException {
    if (phase == ImageProgress.Phase.DONE) {
      return false;
    }
    if (tree == null) {
      open();
    }
    SectionInput in = section.in();
    long handed = files;
    for (int i = 0; i < most; i++) {
      if (in.atEnd()) {
        header.checkCount(in, inodes);
        phase = ImageProgress.Phase.DONE;
        stand(handed);
        return false;
      }
      inode.read(in);
      inodes++;
      switch (inode.type) {
        case InodeRecord.DIRECTORY -> directories++;
        case InodeRecord.SYMLINK -> symlinks++;
        default -> {
          int directory = tree.directoryOf(inode.id);
          if (directory < 0) {
            detached++;
          } else {
            sink.accept(file(directory));
            handed++;
          }
        }
      }
    }
    stand(handed);
    return true;
  }

  private void stand(long handed) {
    files = handed;
    checkpoint =
        new ImageCheckpoint(
            layout.identity(),
            section.in().position(),
            new ImageCounts(inodes, handed, directories, symlinks, detached));
  }

  private ImageFile file(int directory) {
    return new ImageFile(
        inode.id,
        tree.path(directory, inode),
        inode.length,
        inode.blocks,
        inode.striped ? 1 : inode.replication,
        ImageFile.StoragePolicyOf.of(inode.policy, tree.policy(directory)),
        inode.modified,
        inode.accessed,
        inode.erasureCoding,
        inode.underConstruction ? ImageFile.State.UNDER_CONSTRUCTION : ImageFile.State.CLOSED);
  }

  private void open() throws IOException {
    PolicyAttribute policyAttribute;
    try (OpenSection strings = layout.open("STRING_TABLE", conf)) {
      policyAttribute = PolicyAttribute.find(strings.in());
    }
    try (OpenSection peek = layout.open("INODE", conf)) {
      header = InodeHeader.read(peek.in());
    }
    NamespaceTree read = new TreeReader(layout, conf, steps).read(policyAttribute, header);
    section = layout.open("INODE", conf);
    SectionInput in = section.in();
    InodeHeader.read(in);
    if (start.offset() > in.position()) {
      in.skipTo(start.offset());
    }
    inode = new InodeRecord(InodeRecord.FILE, policyAttribute);
    steps.begin(section.bytes(), FILES_WEIGHT);
    tree = read;
    phase = ImageProgress.Phase.FILES;
  }

  /** What was handed on by all calls of {@link #poll} that returned. */
  public ImageCheckpoint checkpoint() {
    return checkpoint;
  }

  public ImageProgress progress() {
    boolean done = phase == ImageProgress.Phase.DONE;
    return new ImageProgress(
        phase, done ? 1 : steps.share(), done ? 0 : steps.secondsLeft(), files);
  }

  @Override
  public void close() throws IOException {
    if (section != null) {
      section.close();
    }
  }
}
