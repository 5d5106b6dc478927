// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.tiering.cluster.NamespaceNode.Directory;
import io.thermocline.tiering.cluster.NamespaceNode.FileNode;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Files by path, below the root. Guarded by the lock of {@link KeptFiles}. */
final class FileTree {

  private final Directory top = new Directory("");

  /** Each closed file, as it was seen last, without its blocks. */
  void forEach(Consumer<FileView> sink) {
    forEach(top, "", sink);
  }

  private static void forEach(Directory directory, String path, Consumer<FileView> sink) {
    for (NamespaceNode child : directory.children().values()) {
      String childPath = path + '/' + child.name();
      if (child instanceof Directory below) {
        forEach(below, childPath, sink);
      } else if (child instanceof FileNode file && !file.hidden) {
        sink.accept(
            new FileView(
                childPath,
                file.length,
                file.replication,
                file.policy,
                List.of(),
                "",
                null,
                "",
                file.times()));
      }
    }
  }

  /** Null where nothing of that path is here. */
  NamespaceNode find(String path) {
    NamespaceNode at = top;
    for (String name : names(path)) {
      at = at instanceof Directory directory ? directory.children().get(name) : null;
      if (at == null) {
        return null;
      }
    }
    return at;
  }

  /**
   * Made where it isn't there, with those above it.
   *
   * @param seenMillis of those that are made
   */
  Directory directory(String path, long seenMillis) {
    Directory at = top;
    for (String name : names(path)) {
      if (at.children().get(name) instanceof Directory below) {
        at = below;
      } else {
        Directory made = new Directory(name);
        made.seenMillis = seenMillis;
        at.put(made);
        at = made;
      }
    }
    return at;
  }

  void remove(NamespaceNode node) {
    Directory parent = node.parent();
    parent.remove(node);
    prune(parent);
  }

  /** Directories without files, but for those that are to be looked at. */
  static void prune(Directory directory) {
    Directory at = directory;
    while (at.parent() != null && at.children().isEmpty() && at.look == null && !at.isLookedAt) {
      Directory above = at.parent();
      above.remove(at);
      at = above;
    }
  }

  void clear() {
    top.children().clear();
  }

  private static List<String> names(String path) {
    List<String> names = new ArrayList<>();
    int start = 1;
    while (start < path.length()) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      if (end > start) {
        names.add(path.substring(start, end));
      }
      start = end + 1;
    }
    return names;
  }

  static String parentOf(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }

  static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  static String childOf(String directory, String name) {
    return directory.equals("/") ? '/' + name : directory + '/' + name;
  }
}
