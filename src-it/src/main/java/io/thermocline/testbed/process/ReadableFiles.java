// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Files of this host where its ordinary users can read them. Jars and classes of a build are often in a home directory that only
 * its owner can enter. Such a file is copied to a directory below the temporary one, as a hard link where that is
 * possible. All JVMs of this user share the copies, and a copy is made again only if its original changes.
 */
final class ReadableFiles {

  private static final Set<PosixFilePermission> OPEN = PosixFilePermissions.fromString("rwxr-xr-x");

  /** The rights of a file that everybody can read. */
  static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-r--r--");

  private ReadableFiles() {}

  /** The files or directories themselves, without links, if everybody can read them, else copies, in the same order. */
  static synchronized List<Path> of(List<Path> originals) throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path original : originals) {
      Path real = original.toRealPath();
      all.add(canEverybodyRead(real) ? real : copyOf(real));
    }
    return all;
  }

  private static Path copyOf(Path real) throws IOException {
    Path copies = directory();
    // Several classes are tested at once, each in a process.
    try (FileChannel file =
        FileChannel.open(
            copies.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      // Until it is closed.
      file.lock();
      return copy(real, copies);
    }
  }

  /** The same for one. */
  static Path of(Path original) throws IOException {
    return of(List.of(original)).get(0);
  }

  /** The directory itself if everybody can read it, else one for the same purpose that everybody can; both are there. */
  static Path instead(Path directory) throws IOException {
    Path real = directory.toRealPath();
    return canEverybodyRead(real) ? real : make(directory().resolve(nameOf(real)));
  }

  /** A directory of this user's own that everybody can read, by its name; all JVMs of this user share it. */
  static Path directory(String name) throws IOException {
    return make(directory().resolve(name));
  }

  /** Makes a directory that everybody can read if they can reach it. */
  static Path make(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.setPosixFilePermissions(directory, OPEN);
    return directory;
  }

  private static boolean canEverybodyRead(Path real) throws IOException {
    boolean can = Files.getPosixFilePermissions(real).contains(PosixFilePermission.OTHERS_READ);
    for (Path each = Files.isDirectory(real) ? real : real.getParent();
        can && each != null;
        each = each.getParent()) {
      can = Files.getPosixFilePermissions(each).contains(PosixFilePermission.OTHERS_EXECUTE);
    }
    return can;
  }

  /** Others may write to the temporary directory, but not what this user's processes run. */
  private static Path directory() throws IOException {
    Path directory =
        Path.of(
                System.getProperty("java.io.tmpdir"),
                "thermocline-readable-" + System.getProperty("user.name"))
            .toAbsolutePath();
    if (Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OPEN));
    }
    String owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName();
    if (!owner.equals(System.getProperty("user.name"))) {
      throw new IOException(directory + " belongs to " + owner);
    }
    return make(directory);
  }

  private static String nameOf(Path path) {
    return UUID.nameUUIDFromBytes(path.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static Path copy(Path real, Path copies) throws IOException {
    Path copy = make(copies.resolve(nameOf(real.getParent()))).resolve(real.getFileName());
    Set<Path> current = new HashSet<>();
    try (Stream<Path> files = Files.walk(real, FileVisitOption.FOLLOW_LINKS)) {
      for (Path file : files.toList()) {
        Path at = real.equals(file) ? copy : copy.resolve(real.relativize(file).toString());
        current.add(at);
        if (Files.isDirectory(file)) {
          make(at);
        } else {
          copyFile(file.toRealPath(), at);
        }
      }
    }
    List<Path> gone = new ArrayList<>();
    try (Stream<Path> there = Files.walk(copy)) {
      there.filter(at -> !current.contains(at)).forEach(gone::add);
    }
    // What is in a directory comes after it.
    for (int i = gone.size() - 1; i >= 0; i--) {
      Files.delete(gone.get(i));
    }
    return copy;
  }

  private static void copyFile(Path file, Path at) throws IOException {
    if (Files.exists(at)
        && Files.size(at) == Files.size(file)
        // A copy doesn't keep nanoseconds.
        && Files.getLastModifiedTime(at).toMillis() == Files.getLastModifiedTime(file).toMillis()) {
      return;
    }
    Files.deleteIfExists(at);
    Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
    // A link has the rights of its file, which aren't changed.
    if (rights.contains(PosixFilePermission.OTHERS_READ)
        && Files.getFileStore(file).equals(Files.getFileStore(at.getParent()))) {
      Files.createLink(at, file);
      return;
    }
    Files.copy(file, at, StandardCopyOption.COPY_ATTRIBUTES);
    rights.addAll(PosixFilePermissions.fromString("r--r--r--"));
    if (rights.contains(PosixFilePermission.OWNER_EXECUTE)) {
      rights.addAll(OPEN);
    }
    Files.setPosixFilePermissions(at, rights);
  }
}
