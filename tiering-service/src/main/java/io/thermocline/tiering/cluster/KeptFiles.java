// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.tiering.cluster.NamespaceNode.Directory;
import io.thermocline.tiering.cluster.NamespaceNode.FileNode;
import io.thermocline.tiering.cluster.NamespaceNode.Look;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.Paths;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The managed files since an image was read, kept up by what audit logs tell: docs/concepts/fsimage.md. Without blocks. About
 * 150 bytes a file with a name of 18 characters, and 230 a directory. Thread-safe: one thread accepts, another looks.
 */
public final class KeptFiles {

  /*
   * A line moves, adds or drops names at once. What it doesn't say (length, replication, policy, whether a file was
   * closed, whether the target of a rename was a directory that was there already) is asked for: the directory is
   * listed, and the tree made to agree with it. Each line asks for what it touched, but for deletions. So lines may
   * come after a listing that has seen what they tell, in their order: what they spoil is looked at after them. For a
   * renamed directory that is all that lies below it, where some of that may have been seen after the rename.
   *
   * A listing may also be older than a line that was taken meanwhile. It is used then, and the directory is looked
   * at once more.
   *
   * Asked-for directories are nodes, not paths: a rename takes them along, a deletion takes them out.
   */
  private static final int MOST_DOUBTS = 100_000;

  /** Clocks of NameNodes and of this host may differ by so much. */
  private static final long SKEW_MILLIS = 60_000;

  private final List<String> roots;
  private final Predicate<String> ignored;
  private final Clock clock;
  private final FileTree tree = new FileTree();
  private final Deque<Directory> asked = new ArrayDeque<>();

  /** Paths in lines from before the image was read; null: too many, or they were taken. */
  private Set<String> doubts = new LinkedHashSet<>();

  private boolean isLoaded;
  private long loadedMillis;
  private boolean isClosed;

  /**
   * @param roots below which files are managed
   * @param ignored paths of files and directories that are passed over, with all below them
   * @param clock what the times in the lines are compared with
   */
  public KeptFiles(List<String> roots, Predicate<String> ignored, Clock clock) {
    this.roots = List.copyOf(roots);
    this.ignored = ignored;
    this.clock = clock;
  }

  /**
   * Takes what a line tells of names; reads tell nothing. Before {@link #load} it isn't known whether the image has
   * what a line tells, so that the paths in it are looked at later.
   */
  public void accept(Access access) {
    if (changesNames(access)) {
      synchronized (this) {
        if (!isLoaded) {
          doubt(access);
        } else if (!isClosed) {
          apply(access);
        }
      }
    }
  }

  private static boolean changesNames(Access access) {
    return access.kind() != Access.Kind.READ
        && access.kind() != Access.Kind.SCANNED
        && access.kind() != Access.Kind.WITHDRAW
        && access.kind() != Access.Kind.RESTORE
        && access.kind() != Access.Kind.ATTRIBUTES;
  }

  private void apply(Access access) {
    String path = access.path();
    switch (access.kind()) {
      case CREATE -> created(path);
      case WRITE -> askAbove(path);
      case REPLICATION, POLICY, NO_POLICY -> laidOut(path);
      case DELETE -> deleted(path);
      case RENAME -> renamed(path, access.newPath(), access.timeMillis());
      case READ, SCANNED, WITHDRAW, RESTORE, ATTRIBUTES -> {
        // They change no name.
      }
    }
  }

  /** Before {@link #load}: whether the image has it isn't known, so what it touched is to be looked at. */
  void doubt(Access access) {
    if (changesNames(access)) {
      doubt(access.path());
      if (access.newPath() != null) {
        doubt(access.newPath());
      }
    }
  }

  /** Before {@link #load}: a path that is to be looked at. */
  synchronized void doubt(String path) {
    if (doubts != null && (isManaged(path) || !rootsFrom(path).isEmpty())) {
      doubts.add(path);
      if (doubts.size() > MOST_DOUBTS) {
        doubts = null;
      }
    }
  }

  /** Adds a file of an image. */
  synchronized void add(FileView file) {
    FileNode node = new FileNode(FileTree.lastName(file.path()));
    show(node, file);
    Directory parent = directory(FileTree.parentOf(file.path()));
    parent.put(node);
    if (file.storagePolicy() == 0) {
      for (Directory at = parent; at != null && !at.withoutPolicy; at = at.parent()) {
        // What is in force above is in force below.
        at.withoutPolicy = true;
      }
    }
  }

  /** The image is read: from now on lines are taken as they are. */
  synchronized void load() {
    isLoaded = true;
    loadedMillis = clock.millis();
    if (doubts == null) {
      roots.forEach(root -> ask(directory(root), Look.ALL));
      return;
    }
    for (String path : doubts) {
      askAbove(path);
      if (tree.find(path) instanceof Directory known) {
        ask(known, Look.ALL);
      }
      rootsFrom(path).forEach(root -> ask(directory(root), Look.ALL));
    }
    doubts = null;
  }

  /** Each closed file, as it was seen last, without its blocks. */
  synchronized void forEach(Consumer<FileView> sink) {
    tree.forEach(sink);
  }

  /** Directories that are still to be looked at. */
  synchronized int behind() {
    return asked.size();
  }

  /**
   * A directory that is to be listed, and {@link #listed} told what is in it.
   *
   * @param changes of the directory, when it was asked for
   */
  record Ask(String path, Directory directory, Look look, int changes) {}

  /** The next directory to be looked at; empty where there is none. */
  synchronized Optional<Ask> next() {
    while (!asked.isEmpty()) {
      Directory directory = asked.remove();
      Look look = directory.look;
      directory.look = null;
      directory.isLookedAt = true;
      String path = directory.path();
      if (path != null) {
        return Optional.of(new Ask(path, directory, look, directory.changes));
      }
    }
    return Optional.empty();
  }

  /** It couldn't be listed. */
  synchronized void failed(Ask ask) {
    ask.directory().isLookedAt = false;
    ask(ask.directory(), ask.look());
  }

  /**
   * Makes the tree agree with a listing.
   *
   * @param children null where there is no such directory
   */
  synchronized void listed(Ask ask, List<HdfsReader.Child> children) {
    Directory directory = ask.directory();
    directory.isLookedAt = false;
    String path = directory.path();
    if (path == null) {
      return;
    }
    if (!path.equals(ask.path())) {
      ask(directory, ask.look());
      return;
    }
    if (directory.changes != ask.changes()) {
      ask(directory, ask.look());
    }
    directory.seenMillis = clock.millis();
    for (Directory at = directory; at != null; at = at.parent()) {
      at.seenBelowMillis = Math.max(at.seenBelowMillis, directory.seenMillis);
    }
    if (children == null) {
      if (!directory.isRoot()) {
        tree.remove(directory);
      }
      return;
    }
    Look look = ask.look() == Look.LANDED && hasOthers(directory, children) ? Look.ALL : ask.look();
    Set<String> names = new LinkedHashSet<>();
    boolean isWritten = false;
    for (HdfsReader.Child child : children) {
      names.add(child.name());
      isWritten |= take(directory, path, child, look);
    }
    directory.withoutPolicy = children.stream().anyMatch(child -> child.policy() == 0);
    for (NamespaceNode node : List.copyOf(directory.children().values())) {
      if (!names.contains(node.name())) {
        tree.remove(node);
      }
    }
    if (isWritten) {
      // Nothing is logged when it is closed.
      ask(directory, Look.ONE);
    }
    FileTree.prune(directory);
  }

  /** Whether other directories were found than are known. */
  private static boolean hasOthers(Directory directory, List<HdfsReader.Child> found) {
    long known = directory.children().values().stream().filter(Directory.class::isInstance).count();
    Predicate<HdfsReader.Child> isDirectory =
        child -> child.kind() == HdfsReader.Child.Kind.DIRECTORY;
    return found.stream().filter(isDirectory).count() != known
        || found.stream()
            .filter(isDirectory)
            .anyMatch(child -> !(directory.children().get(child.name()) instanceof Directory));
  }

  /** Returns whether it is open for write. */
  private boolean take(Directory directory, String path, HdfsReader.Child child, Look look) {
    String childPath = FileTree.childOf(path, child.name());
    NamespaceNode node = directory.children().get(child.name());
    if (child.kind() == HdfsReader.Child.Kind.DIRECTORY) {
      if (node instanceof Directory known) {
        // Where a line named something below it, that alone is known of it.
        if (look == Look.ALL || known.seenMillis == Directory.NEVER) {
          ask(known, Look.ALL);
        }
      } else if (isManaged(childPath) || !rootsFrom(childPath).isEmpty()) {
        Directory found = new Directory(child.name());
        directory.put(found);
        ask(found, Look.ALL);
      }
      return false;
    }
    if (child.kind() == HdfsReader.Child.Kind.OTHER || !isManaged(childPath)) {
      if (node != null) {
        tree.remove(node);
      }
      return false;
    }
    FileNode file = node instanceof FileNode known ? known : new FileNode(child.name());
    if (file != node) {
      directory.put(file);
    }
    if (child.kind() == HdfsReader.Child.Kind.OPEN) {
      file.hidden = true;
      return true;
    }
    show(file, child.file());
    return false;
  }

  private static void show(FileNode node, FileView file) {
    node.length = file.length();
    node.replication = (short) file.replication();
    node.policy = (byte) file.storagePolicy();
    node.times(file.times());
    node.hidden = false;
  }

  /** Holds nothing from now on. */
  synchronized void close() {
    isClosed = true;
    tree.clear();
    asked.clear();
  }

  // --- what lines tell ---

  private void created(String path) {
    if (isManaged(path)) {
      Directory parent = directory(FileTree.parentOf(path));
      parent.put(new FileNode(FileTree.lastName(path)));
      ask(parent, Look.ONE);
    }
  }

  private void laidOut(String path) {
    NamespaceNode known = tree.find(path);
    if (known instanceof Directory directory) {
      ask(directory, Look.ALL);
    } else if (known != null) {
      ask(known.parent(), Look.ONE);
    }
  }

  private void deleted(String path) {
    NamespaceNode node = tree.find(path);
    if (node != null && !node.isRoot()) {
      tree.remove(node);
    }
  }

  private void renamed(String from, String to, long millis) {
    if (from.equals(to)) {
      return;
    }
    NamespaceNode moved = tree.find(from);
    boolean isInto = tree.find(to) instanceof Directory;
    String target = isInto ? FileTree.childOf(to, FileTree.lastName(from)) : to;
    rootsFrom(target).forEach(root -> ask(directory(root), Look.ALL));
    if (isInto) {
      // The log doesn't say whether it was there.
      askAbove(to);
    }
    if (moved == null || moved.isRoot() || target.startsWith(from + '/')) {
      askAbove(target);
      return;
    }
    Directory before = moved.parent();
    tree.remove(moved);
    if (!isManaged(target)) {
      return;
    }
    moved.rename(FileTree.lastName(target));
    Directory after = directory(FileTree.parentOf(target));
    after.put(moved);
    ask(after, Look.ONE);
    if (moved instanceof Directory directory) {
      dropIgnored(directory, target);
      boolean keepsPolicies = before.withoutPolicy && after.withoutPolicy;
      long seen =
          Math.max(
              Math.max(loadedMillis, directory.seenBelowMillis),
              Math.max(before.seenMillis, after.seenMillis));
      boolean isAhead = seen >= millis - SKEW_MILLIS;
      // The target may have been a directory of which nothing was known: then it is in there.
      ask(directory, keepsPolicies && !isAhead ? Look.LANDED : Look.ALL);
    }
  }

  private void dropIgnored(Directory directory, String path) {
    for (NamespaceNode child : List.copyOf(directory.children().values())) {
      String childPath = FileTree.childOf(path, child.name());
      if (ignored.test(childPath)) {
        tree.remove(child);
      } else if (child instanceof Directory below) {
        dropIgnored(below, childPath);
      }
    }
  }

  // --- what is to be looked at ---

  private void askAbove(String path) {
    if (isManaged(path)) {
      ask(directory(FileTree.parentOf(path)), Look.ONE);
    }
  }

  private void ask(Directory directory, Look look) {
    if (directory.look == null) {
      asked.add(directory);
      directory.look = look;
    } else if (look.compareTo(directory.look) > 0) {
      directory.look = look;
    }
  }

  private Directory directory(String path) {
    return tree.directory(path, isLoaded ? Directory.NEVER : 0);
  }

  private boolean isManaged(String path) {
    return Paths.isAtOrBelowAny(path, roots) && !ignored.test(path);
  }

  /** Those that are below a path, or are it. */
  private List<String> rootsFrom(String path) {
    return roots.stream().filter(root -> Paths.isAtOrBelow(root, path)).toList();
  }
}
