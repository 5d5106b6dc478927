// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.tiering.observe.FileView;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A namespace kept in full, on which one random call after the other is made as HDFS would, and logged as HDFS does. */
final class ModelNamespace {

  private static final String LINE =
      "%1$tF %1$tT,%1$tL INFO FSNamesystem.audit: allowed=true\tugi=u (auth:SIMPLE)"
          + "\tip=/10.0.0.1\tcmd=%2$s\tsrc=%3$s\tdst=%4$s\tperm=null\tproto=rpc";

  /** Made again and again, so that not all is deleted or renamed out of sight. */
  private static final List<String> FIRST =
      List.of("/data/a", "/data/b/_tmp", "/also/here", "/also/there");

  /** A file or directory. */
  static final class Inode {
    final TreeMap<String, Inode> children;
    long length;
    int replication = 3;
    int policy;
    boolean isOpen;

    Inode(boolean isDirectory) {
      this.children = isDirectory ? new TreeMap<>() : null;
    }

    boolean isDirectory() {
      return children != null;
    }
  }

  private final SplittableRandom random;
  private final Consumer<String> log;
  private final Inode top = new Inode(true);
  private Instant now = Instant.parse("2026-11-20T10:00:00Z");

  ModelNamespace(SplittableRandom random, Consumer<String> log) {
    this.random = random;
    this.log = log;
    FIRST.forEach(this::makeDirectory);
  }

  Instant now() {
    return now;
  }

  void operate() {
    now = now.plusSeconds(10);
    int kind = random.nextInt(100);
    if (kind < 36) {
      create();
    } else if (kind < 45) {
      close();
    } else if (kind < 50) {
      change("append");
    } else if (kind < 53) {
      change("truncate");
    } else if (kind < 58) {
      change("setReplication");
    } else if (kind < 62) {
      setPolicy();
    } else if (kind < 67) {
      makeDirectory(
          random.nextBoolean()
              ? FIRST.get(random.nextInt(FIRST.size()))
              : below(anyDirectory(), "m" + random.nextInt(4)));
    } else if (kind < 71) {
      delete();
    } else if (kind < 74) {
      concat();
    } else {
      rename();
    }
  }

  private void create() {
    String path = below(anyDirectory(), "f" + random.nextInt(12));
    Inode there = find(path);
    if (there != null && (there.isDirectory() || there.isOpen)) {
      return;
    }
    Inode file = new Inode(false);
    file.length = 1 + random.nextInt(1000);
    file.isOpen = random.nextInt(4) == 0;
    find(parentOf(path)).children.put(lastOf(path), file);
    log("create", path, "null");
  }

  /** The NameNode logs nothing. */
  private void close() {
    Inode file = find(anyFile());
    if (file != null) {
      file.isOpen = false;
    }
  }

  private void change(String command) {
    String path = anyFile();
    Inode file = find(path);
    if (file == null || file.isOpen) {
      return;
    }
    switch (command) {
      case "append" -> {
        file.length += 7;
        file.isOpen = random.nextBoolean();
      }
      case "truncate" -> file.length /= 2;
      default -> file.replication = 1 + random.nextInt(5);
    }
    log(command, path, "null");
  }

  private void setPolicy() {
    String path = random.nextInt(3) == 0 ? anyDirectory() : anyFile();
    Inode inode = find(path);
    if (inode != null) {
      inode.policy = random.nextInt(3) == 0 ? 12 : 0;
      log(inode.policy == 0 ? "unsetStoragePolicy" : "setStoragePolicy", path, "null");
    }
  }

  private void makeDirectory(String path) {
    Inode at = top;
    for (String name : path.substring(1).split("/")) {
      Inode next = at.children.get(name);
      if (next != null && !next.isDirectory()) {
        return;
      }
      if (next == null) {
        next = new Inode(true);
        at.children.put(name, next);
      }
      at = next;
    }
    log("mkdirs", path, "null");
  }

  private void delete() {
    String path = random.nextInt(30) == 0 ? anyDirectory() : anyFile();
    if (find(path) != null && !path.equals("/")) {
      find(parentOf(path)).children.remove(lastOf(path));
      log("delete", path, "null");
    }
  }

  private void concat() {
    String target = anyFile();
    String source = anyFile();
    Inode into = find(target);
    Inode gone = find(source);
    if (into == null || into == gone || into.isOpen || gone.isOpen) {
      return;
    }
    into.length += gone.length;
    find(parentOf(source)).children.remove(lastOf(source));
    log("concat", "[" + source + "]", target);
  }

  /** The old call, which goes into a directory that is there, and the new one, which takes its place. */
  private void rename() {
    String from = random.nextInt(3) > 0 ? anyFile() : anyDirectory();
    String to =
        switch (random.nextInt(4)) {
          case 0 -> anyDirectory();
          case 1 -> anyFile();
          default -> below(anyDirectory(), "r" + random.nextInt(6));
        };
    Inode moved = find(from);
    boolean isNew = random.nextBoolean();
    if (moved == null
        || to.isEmpty()
        || to.length() > 24
        || from.equals("/")
        || (to + '/').startsWith(from + '/')) {
      return;
    }
    Inode there = find(to);
    String target = to;
    if (there != null && isNew) {
      boolean fits = there.isDirectory() == moved.isDirectory();
      if (!fits || there.isDirectory() && !there.children.isEmpty() || to.equals("/")) {
        return;
      }
    } else if (there != null) {
      target = below(to, lastOf(from));
      if (!there.isDirectory() || there.children.containsKey(lastOf(from))) {
        return;
      }
    }
    find(parentOf(from)).children.remove(lastOf(from));
    find(parentOf(target)).children.put(lastOf(target), moved);
    log(isNew ? "rename (options=[OVERWRITE])" : "rename", from, to);
  }

  private void log(String command, String source, String destination) {
    log.accept(LINE.formatted(now.atOffset(ZoneOffset.UTC), command, source, destination));
  }

  /** As a listing has it; null where there is no such directory. */
  List<HdfsReader.Child> children(String directory) {
    Inode inode = find(directory);
    if (inode == null || !inode.isDirectory()) {
      return null;
    }
    List<HdfsReader.Child> children = new ArrayList<>();
    int policy = policyOf(directory);
    inode.children.forEach(
        (name, child) -> {
          int own = child.policy == 0 ? policy : child.policy;
          FileView view = view(below(directory, name), child, own);
          HdfsReader.Child.Kind kind =
              child.isDirectory()
                  ? HdfsReader.Child.Kind.DIRECTORY
                  : child.isOpen ? HdfsReader.Child.Kind.OPEN : HdfsReader.Child.Kind.FILE;
          children.add(new HdfsReader.Child(name, kind, own, view));
        });
    return children;
  }

  /** Each file, with whether it is open. */
  void forEach(FileSink sink) {
    walk("/", top, 0, sink);
  }

  /** Takes files. */
  interface FileSink {
    void take(FileView file, boolean isOpen);
  }

  private void walk(String path, Inode directory, int inherited, FileSink sink) {
    int policy = directory.policy == 0 ? inherited : directory.policy;
    directory.children.forEach(
        (name, child) -> {
          String childPath = below(path, name);
          if (child.isDirectory()) {
            walk(childPath, child, policy, sink);
          } else {
            sink.take(
                view(childPath, child, child.policy == 0 ? policy : child.policy), child.isOpen);
          }
        });
  }

  private static FileView view(String path, Inode file, int policy) {
    return new FileView(path, file.length, file.replication, policy, List.of());
  }

  private int policyOf(String path) {
    int policy = top.policy;
    Inode at = top;
    for (String name : path.substring(1).split("/")) {
      if (!name.isEmpty()) {
        at = at.children.get(name);
        policy = at.policy == 0 ? policy : at.policy;
      }
    }
    return policy;
  }

  private Inode find(String path) {
    Inode at = top;
    for (String name : path.isEmpty() ? new String[0] : path.substring(1).split("/")) {
      if (!name.isEmpty()) {
        at = at == null || !at.isDirectory() ? null : at.children.get(name);
      }
    }
    return path.isEmpty() ? null : at;
  }

  /** Empty where there is none. */
  private String anyFile() {
    List<String> all = new ArrayList<>();
    forEach((file, isOpen) -> all.add(file.path()));
    return all.isEmpty() ? "" : all.get(random.nextInt(all.size()));
  }

  private String anyDirectory() {
    List<String> all = new ArrayList<>();
    addDirectories("/", top, all);
    return all.get(random.nextInt(all.size()));
  }

  private static void addDirectories(String path, Inode directory, List<String> into) {
    into.add(path);
    directory.children.forEach(
        (name, child) -> {
          // Not ever deeper.
          if (child.isDirectory() && path.length() < 24) {
            addDirectories(below(path, name), child, into);
          }
        });
  }

  private static String below(String directory, String name) {
    return directory.equals("/") ? '/' + name : directory + '/' + name;
  }

  private static String parentOf(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }

  private static String lastOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
