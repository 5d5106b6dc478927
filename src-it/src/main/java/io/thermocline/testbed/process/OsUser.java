// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A user of this host that processes of a test run as, with the rights of that user and of its own group, and no others.
 * What such a process reads of the build must be where everybody can read it, as {@link Installation} has it.
 */
public record OsUser(String name) {

  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

  /** Why processes of others can't be started here, or nothing. */
  public static Optional<String> obstacle(String... names) {
    if (!System.getProperty("user.name").equals("root") || !Files.isExecutable(SETPRIV)) {
      return Optional.of("only root starts processes of other users, by /usr/bin/setpriv");
    }
    return Stream.of(names)
        .filter(name -> !exists(name))
        .findFirst()
        .map(name -> "no user " + name + " on this host");
  }

  /** Whom the service runs as where tests run as root; nobody else where they don't. */
  public static Optional<OsUser> ordinary() {
    return ordinary("nobody");
  }

  /** Whom the mover runs as there. */
  public static Optional<OsUser> ordinaryBeside() {
    return ordinary("daemon");
  }

  private static Optional<OsUser> ordinary(String name) {
    return obstacle(name).isEmpty() ? Optional.of(new OsUser(name)) : Optional.empty();
  }

  /** What begins the command line of an ordinary user, to whom the directories belong from here on. */
  public static List<String> ordinaryOwning(Path... directories) throws IOException {
    Optional<OsUser> user = ordinary();
    if (user.isEmpty()) {
      return List.of();
    }
    for (Path each : directories) {
      user.get().own(each);
    }
    return user.get().prefix();
  }

  private static boolean exists(String name) {
    try {
      return user(name) != null;
    } catch (IOException e) {
      return false;
    }
  }

  private static UserPrincipal user(String name) throws IOException {
    return Path.of("/").getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
  }

  /** What stands before a command line. */
  public List<String> prefix() {
    return List.of(
        SETPRIV.toString(), "--reuid", name, "--regid", primaryGroup(), "--clear-groups");
  }

  /** Its number. */
  private String primaryGroup() {
    try (Stream<String> users = Files.lines(Path.of("/etc/passwd"))) {
      return users
          .map(line -> line.split(":"))
          .filter(fields -> fields[0].equals(name))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no user " + name + " in /etc/passwd"))[3];
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes the directory theirs, with all that is in it, and lets them look for it below the temporary directory. */
  public Path own(Path directory) throws IOException {
    openUpTo(directory.toAbsolutePath().getParent());
    giveAll(directory);
    return directory;
  }

  /** Lets everybody look into this directory below a temporary one, and into those above it. */
  public static void openUpTo(Path directory) throws IOException {
    Path all = directory.toAbsolutePath();
    for (Path temporary :
        List.of(
            Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath(), Scratch.directory())) {
      open(all, temporary);
    }
  }

  private static void open(Path directory, Path temporary) throws IOException {
    Path above = directory;
    for (; above.startsWith(temporary) && !above.equals(temporary); above = above.getParent()) {
      Set<PosixFilePermission> rights = new HashSet<>(Files.getPosixFilePermissions(above));
      rights.addAll(PosixFilePermissions.fromString("r-xr-xr-x"));
      Files.setPosixFilePermissions(above, rights);
    }
  }

  private void giveAll(Path directory) throws IOException {
    UserPrincipal owner = user(name);
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes)
              throws IOException {
            return visitFile(each, attributes);
          }

          @Override
          public FileVisitResult visitFile(Path each, BasicFileAttributes attributes)
              throws IOException {
            try {
              Files.setOwner(each, owner);
            } catch (NoSuchFileException e) {
              // Of a process that runs.
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path each, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
  }
}
