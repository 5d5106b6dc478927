// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import io.thermocline.tiering.observe.image.ImageLayout.OpenSection;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;

/** Builds the tree of directories: INODE_DIR twice, then the directories out of INODE. */
final class TreeReader {

  private final ImageLayout layout;
  private final Configuration conf;
  private final Steps steps;
  private long[] referred = new long[0];
  private boolean[] moved = new boolean[0];

  TreeReader(ImageLayout layout, Configuration conf, Steps steps) {
    this.layout = layout;
    this.conf = conf;
    this.steps = steps;
  }

  /** What is told each child of each directory. */
  private interface Children {
    void directory(long id);

    void child(long id);

    /** Renamed while a snapshot has it: one inode, several directories; only one of them is where it is now. */
    void moved(long id, boolean here);
  }

  NamespaceTree read(PolicyAttribute policyAttribute, InodeHeader header) throws IOException {
    readReferences();
    SparseIds inodes = new SparseIds();
    SparseIds directories = new SparseIds();
    readChildren(
        header,
        new Children() {
          @Override
          public void directory(long id) {
            directories.add(id);
          }

          @Override
          public void child(long id) {
            inodes.add(id);
          }

          @Override
          public void moved(long id, boolean here) {
            inodes.add(id);
          }
        });
    NamespaceTree tree = new NamespaceTree(inodes, directories);
    readChildren(
        header,
        new Children() {
          private int handle;

          @Override
          public void directory(long id) {
            handle = tree.handle(id);
          }

          @Override
          public void child(long id) {
            tree.put(id, handle);
          }

          @Override
          public void moved(long id, boolean here) {
            if (here || !tree.has(id)) {
              tree.put(id, handle);
            }
          }
        });
    readDirectories(policyAttribute, tree);
    return tree;
  }

  private void readReferences() throws IOException {
    if (!layout.sections().containsKey("INODE_REFERENCE")) {
      return;
    }
    int count = 0;
    try (OpenSection section = layout.open("INODE_REFERENCE", conf)) {
      SectionInput in = section.in();
      while (!in.atEnd()) {
        if (count == referred.length) {
          referred = Arrays.copyOf(referred, Math.max(64, 2 * count));
          moved = Arrays.copyOf(moved, referred.length);
        }
        long stop = in.begin(Long.MAX_VALUE);
        while (in.position() < stop) {
          int tag = in.tag();
          if (tag == 1 << 3) {
            referred[count] = in.varint();
          } else {
            moved[count] |= tag == 3 << 3;
            in.skipField(tag, stop);
          }
        }
        in.expectEnd(stop);
        count++;
      }
    }
    referred = Arrays.copyOf(referred, count);
  }

  private void readChildren(InodeHeader header, Children children) throws IOException {
    try (OpenSection section = layout.open("INODE_DIR", conf)) {
      steps.begin(section.bytes(), 1);
      SectionInput in = section.in();
      while (!in.atEnd()) {
        long stop = in.begin(Long.MAX_VALUE);
        while (in.position() < stop) {
          int tag = in.tag();
          switch (tag) {
            case 1 << 3 -> children.directory(header.check(in, in.varint()));
            case 2 << 3 -> children.child(header.check(in, in.varint()));
            case 2 << 3 | SectionInput.BYTES -> {
              long end = in.begin(stop);
              while (in.position() < end) {
                children.child(header.check(in, in.varint()));
              }
              in.expectEnd(end);
            }
            case 3 << 3 -> reference(in, header, children);
            case 3 << 3 | SectionInput.BYTES -> {
              long end = in.begin(stop);
              while (in.position() < end) {
                reference(in, header, children);
              }
              in.expectEnd(end);
            }
            default -> in.skipField(tag, stop);
          }
        }
        in.expectEnd(stop);
      }
    }
  }

  private void reference(SectionInput in, InodeHeader header, Children children)
      throws IOException {
    long index = in.varint();
    if (index < 0 || index >= referred.length) {
      throw in.damaged("a reference to entry " + index + " of " + referred.length);
    }
    children.moved(header.check(in, referred[(int) index]), moved[(int) index]);
  }

  private void readDirectories(PolicyAttribute policyAttribute, NamespaceTree tree)
      throws IOException {
    try (OpenSection section = layout.open("INODE", conf)) {
      steps.begin(section.bytes(), 1);
      SectionInput in = section.in();
      InodeHeader header = InodeHeader.read(in);
      InodeRecord inode = new InodeRecord(InodeRecord.DIRECTORY, policyAttribute);
      long inodes = 0;
      while (!in.atEnd()) {
        inode.read(in);
        header.check(in, inode.id);
        inodes++;
        if (inode.type == InodeRecord.DIRECTORY) {
          tree.name(inode);
        }
      }
      header.checkCount(in, inodes);
      tree.settle(in);
    }
  }
}
