// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import io.thermocline.service.PathHistory.State;
import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Files in two directories, and all that can be done to them, with a record of what bob may see
 * of them. Changes of different paths go on at the same time, those of one path one after the
 * other. Thread-safe.
 */
final class ChangingFiles {

  private static final int FILES = 4;

  enum Change {
    OVERWRITE,
    APPEND,
    TRUNCATE,
    DELETE,
    RENAME,
    RENAME_OVER,
    SWAP_DIRECTORIES,
    CHMOD,
    CHMOD_DIRECTORY,
    CHOWN,
    ACL
  }

  private final DistributedFileSystem fs;
  private final List<String> directories;
  private final List<String> paths;
  private final List<ReentrantLock> locks;
  private final PathHistory history = new PathHistory();
  private final Map<String, File> files = new ConcurrentHashMap<>();
  private final Map<String, Boolean> isOpen = new ConcurrentHashMap<>();

  /** What decides who may read it; the other users' bits are what bob has. */
  private record File(byte[] bytes, boolean othersMay, boolean isBobs, boolean isDenied) {

    /** As one is that was just created. */
    static File of(byte[] bytes) {
      return new File(bytes, true, false, false);
    }

    File with(byte[] now) {
      return new File(now, othersMay, isBobs, isDenied);
    }

    /** An owner by his own bits, which always allow it; named users before others. */
    boolean isBobsToRead() {
      return isBobs || !isDenied && othersMay;
    }
  }

  ChangingFiles(DistributedFileSystem fs, String root) {
    this.fs = fs;
    this.directories = List.of(root + "/a", root + "/b");
    this.paths =
        directories.stream()
            .flatMap(at -> IntStream.range(0, FILES).mapToObj(i -> at + "/f" + i))
            .toList();
    this.locks = Stream.generate(ReentrantLock::new).limit(paths.size()).toList();
  }

  List<String> paths() {
    return paths;
  }

  PathHistory history() {
    return history;
  }

  void create(SplittableRandom random) throws IOException {
    directories.forEach(directory -> isOpen.put(directory, true));
    for (String path : paths) {
      change(Change.OVERWRITE, List.of(path), random);
    }
  }

  /** Any. */
  Change change(SplittableRandom random) throws IOException {
    Change change = Change.values()[random.nextInt(Change.values().length)];
    if (random.nextBoolean()) {
      // What nobody else may read is in no group, and new files all may.
      change = isOpen.containsValue(false) ? Change.CHMOD_DIRECTORY : Change.OVERWRITE;
    }
    String path = paths.get(random.nextInt(paths.size()));
    List<String> on =
        switch (change) {
          case RENAME, RENAME_OVER -> List.of(path, paths.get(random.nextInt(paths.size())));
          case SWAP_DIRECTORIES -> paths;
          case CHMOD_DIRECTORY -> in(closedOr(directories.get(random.nextInt(2))));
          default -> List.of(path);
        };
    return change(change, on, random);
  }

  private String closedOr(String directory) {
    return directories.stream().filter(each -> !isOpen.get(each)).findFirst().orElse(directory);
  }

  private List<String> in(String directory) {
    return paths.stream().filter(path -> path.startsWith(directory + "/")).toList();
  }

  /** Returns what was done: a file that isn't there is created instead. */
  Change change(Change change, List<String> on, SplittableRandom random) throws IOException {
    List<ReentrantLock> held = on.stream().distinct().sorted().map(this::lock).toList();
    held.forEach(ReentrantLock::lock);
    try {
      return changeHeld(change, on, random);
    } finally {
      held.forEach(ReentrantLock::unlock);
    }
  }

  /** Writes so many other bytes into a file that is there. For one thread. */
  void overwrite(String path, int length, SplittableRandom random) throws IOException {
    byte[] bytes = bytes(random, length);
    become(path, File.of(bytes), () -> write(path, bytes));
  }

  private ReentrantLock lock(String path) {
    return locks.get(paths.indexOf(path));
  }

  private interface Doing {
    void run() throws IOException;
  }

  private Change changeHeld(Change change, List<String> on, SplittableRandom random)
      throws IOException {
    String path = on.get(0);
    String last = on.get(on.size() - 1);
    File file = files.get(path);
    boolean ofOne = change != Change.SWAP_DIRECTORIES && change != Change.CHMOD_DIRECTORY;
    if (file == null && ofOne || change == Change.OVERWRITE) {
      boolean sameLength = file != null && random.nextBoolean();
      byte[] bytes = bytes(random, sameLength ? file.bytes().length : 1 + random.nextInt(3_000));
      become(path, File.of(bytes), () -> write(path, bytes));
      return Change.OVERWRITE;
    }
    Path at = new Path(path);
    switch (change) {
      case APPEND -> {
        byte[] more = bytes(random, 100);
        become(path, file.with(and(file.bytes(), more)), () -> append(at, more));
      }
      case TRUNCATE -> {
        int length = file.bytes().length / 2;
        become(path, file.with(Arrays.copyOf(file.bytes(), length)), () -> truncate(at, length));
      }
      case DELETE -> become(path, null, () -> fs.delete(at, false));
      case RENAME, RENAME_OVER -> rename(change, path, last);
      case SWAP_DIRECTORIES -> swap();
      case CHMOD_DIRECTORY -> chmodDirectory(at.getParent());
      case CHMOD -> {
        boolean may = !file.othersMay();
        become(
            path,
            new File(file.bytes(), may, file.isBobs(), file.isDenied()),
            () -> fs.setPermission(at, new FsPermission((short) (may ? 0644 : 0640))));
      }
      case CHOWN -> {
        boolean bobs = !file.isBobs();
        become(
            path,
            new File(file.bytes(), file.othersMay(), bobs, file.isDenied()),
            () -> fs.setOwner(at, bobs ? "bob" : "alice", null));
      }
      case ACL -> {
        boolean deny = !file.isDenied();
        become(
            path,
            new File(file.bytes(), file.othersMay(), file.isBobs(), deny),
            () -> {
              if (deny) {
                fs.modifyAclEntries(at, AclEntry.parseAclSpec("user:bob:---", true));
              } else {
                fs.removeAcl(at);
              }
            });
      }
      default -> throw new IllegalStateException(change + " is done above");
    }
    return change;
  }

  private void rename(Change change, String from, String to) throws IOException {
    if (from.equals(to)) {
      return;
    }
    File moved = files.get(from);
    File other = files.get(to);
    Map<String, File> next = new HashMap<>();
    next.put(to, moved);
    if (change == Change.RENAME_OVER || other == null) {
      next.put(from, null);
      become(
          next,
          () ->
              fs.rename(
                  new Path(from), new Path(to), org.apache.hadoop.fs.Options.Rename.OVERWRITE));
      return;
    }
    next.put(from, other);
    Path aside = new Path(from + "-aside");
    become(
        next,
        () -> {
          fs.rename(new Path(from), aside);
          fs.rename(new Path(to), new Path(from));
          fs.rename(aside, new Path(to));
        });
  }

  /** The files and the directories' permissions with them. */
  private void swap() throws IOException {
    String a = directories.get(0);
    String b = directories.get(1);
    boolean wasOpen = isOpen.get(a);
    isOpen.put(a, isOpen.get(b));
    isOpen.put(b, wasOpen);
    Map<String, File> next = new HashMap<>();
    for (String path : in(a)) {
      String other = b + path.substring(a.length());
      next.put(path, files.get(other));
      next.put(other, files.get(path));
    }
    Path aside = new Path(a + "-aside");
    become(
        next,
        () -> {
          fs.rename(new Path(a), aside);
          fs.rename(new Path(b), new Path(a));
          fs.rename(aside, new Path(b));
        });
  }

  private void chmodDirectory(Path directory) throws IOException {
    String name = directory.toUri().getPath();
    boolean open = !isOpen.get(name);
    isOpen.put(name, open);
    Map<String, File> same = new HashMap<>();
    in(name).forEach(path -> same.put(path, files.get(path)));
    become(same, () -> fs.setPermission(directory, new FsPermission((short) (open ? 0755 : 0750))));
  }

  private void become(String path, File next, Doing doing) throws IOException {
    Map<String, File> one = new HashMap<>();
    one.put(path, next);
    become(one, doing);
  }

  private void become(Map<String, File> next, Doing doing) throws IOException {
    Map<String, State> states = new HashMap<>();
    next.forEach(
        (path, file) -> {
          boolean open = isOpen.get(path.substring(0, path.lastIndexOf('/')));
          states.put(
              path,
              file == null
                  ? new State(null, open)
                  : new State(file.bytes(), open && file.isBobsToRead()));
        });
    history.begins(states);
    doing.run();
    history.ended(states.keySet());
    next.forEach(
        (path, file) -> {
          if (file == null) {
            files.remove(path);
          } else {
            files.put(path, file);
          }
        });
  }

  private void write(String path, byte[] bytes) throws IOException {
    try (OutputStream out = fs.create(new Path(path), true)) {
      out.write(bytes);
    }
  }

  private void append(Path path, byte[] bytes) throws IOException {
    try (OutputStream out = fs.append(path)) {
      out.write(bytes);
    }
  }

  private void truncate(Path path, long length) throws IOException {
    if (!fs.truncate(path, length)) {
      Eventually.holds("truncated", () -> fs.isFileClosed(path));
    }
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] and(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }
}
