// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.tiering.observe.FileView;
import java.util.HashMap;
import java.util.Map;

/** A name in the tree of {@link KeptFiles}: a file or a directory. Guarded by its lock. */
abstract sealed class NamespaceNode {
  private String name;
  private Directory parent;

  private NamespaceNode(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  Directory parent() {
    return parent;
  }

  /** A file that is managed. */
  static final class FileNode extends NamespaceNode {
    private static final long MINUTE = 60_000;

    long length;
    short replication;
    byte policy;

    /** In minutes since 1970, as an int is enough for them; 0: not known. */
    private int modified;

    private int accessed;

    /** Whether what it looks like was never seen, or not since it was opened for write. */
    boolean hidden = true;

    FileNode(String name) {
      super(name);
    }

    FileView.Times times() {
      return new FileView.Times(modified * MINUTE, accessed * MINUTE);
    }

    void times(FileView.Times times) {
      modified = (int) (times.modified() / MINUTE);
      accessed = (int) (times.accessed() / MINUTE);
    }
  }

  /** A directory with files below it, or one that is to be looked at. */
  static final class Directory extends NamespaceNode {
    static final long NEVER = Long.MIN_VALUE;

    private final Map<String, NamespaceNode> children = new HashMap<>(4);

    /** Whether no storage policy is in force for it; where this isn't known, false. */
    boolean withoutPolicy;

    /** How it is to be looked at; null: it needn't be. */
    Look look;

    /** When it was listed last, milliseconds since 1970; 0: it is as it was in the image. */
    long seenMillis = NEVER;

    /** The same, of it and all directories below it. */
    long seenBelowMillis = NEVER;

    /** Whether an answer is under way. */
    boolean isLookedAt;

    /** How often names in it were added or taken away. */
    int changes;

    Directory(String name) {
      super(name);
    }

    Map<String, NamespaceNode> children() {
      return children;
    }

    /** Puts it in the place of whatever has its name. */
    void put(NamespaceNode child) {
      NamespaceNode replaced = children.put(child.name, child);
      if (replaced != null) {
        replaced.parent = null;
      }
      child.parent = this;
      changes++;
    }

    void remove(NamespaceNode child) {
      children.remove(child.name);
      child.parent = null;
      changes++;
    }
  }

  /** What is listed of a directory that is to be looked at. */
  enum Look {
    /** Itself, and directories that turn up in it. */
    ONE,
    /** After a rename: itself; where other directories are in it than are known, as {@link #ALL}. */
    LANDED,
    /** Itself, and all directories below it. */
    ALL
  }

  /** While it is in no directory. */
  void rename(String to) {
    name = to;
  }

  boolean isRoot() {
    return parent == null && name.isEmpty();
  }

  /** Absolute; null where it is no longer in the tree. */
  String path() {
    StringBuilder path = new StringBuilder();
    NamespaceNode at = this;
    for (; at.parent != null; at = at.parent) {
      path.insert(0, at.name).insert(0, '/');
    }
    return !at.isRoot() ? null : path.isEmpty() ? "/" : path.toString();
  }
}
