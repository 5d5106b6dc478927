// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a directory that only its owner can enter, which the test's is. */
class ReadableFilesTest {

  @TempDir Path temp;

  private final Set<Path> copies = new HashSet<>();

  private OsUser user;

  @BeforeEach
  void asRoot() {
    Optional<OsUser> ordinary = OsUser.ordinary();
    assumeTrue(ordinary.isPresent(), "only root starts processes of other users");
    user = ordinary.get();
  }

  @AfterEach
  void withoutCopies() {
    copies.forEach(each -> FileUtil.fullyDelete(each.toFile()));
  }

  @Test
  void anOrdinaryUserReadsWhatEverybodyCanAndNothingElse() throws Exception {
    Path file = write("file", "all", "rw-r--r--");
    assertThrows(IOException.class, () -> cat(file), "the directory is closed");
    OsUser.openUpTo(temp);
    cat(file);
    Path ofGroup = write("of-group", "root", "rw-r-----");
    assertThrows(IOException.class, () -> cat(ofGroup), "of root's group");
    Path ofOwner = write("of-owner", "root", "rw-------");
    assertThrows(IOException.class, () -> cat(ofOwner), "of root");
    user.own(ofOwner);
    cat(ofOwner);
  }

  @Test
  void whatEverybodyCanReadIsNotCopied() throws Exception {
    OsUser.openUpTo(temp);
    Path file = write("file", "all", "rw-r--r--");
    assertEquals(file.toRealPath(), ReadableFiles.of(file));
    assertEquals(temp.toRealPath(), ReadableFiles.instead(temp));
  }

  @Test
  void aFileThatNobodyReachesIsLinkedAndOneThatNobodyMayReadIsCopied() throws Exception {
    Path open = write("open.jar", "open", "rw-r--r--");
    Path closed = write("closed", "closed", "rwx------");
    List<Path> readable = ReadableFiles.of(List.of(open, closed));
    readable.forEach(each -> copies.add(each.getParent()));
    assertEquals("open.jar", readable.get(0).getFileName().toString());
    for (Path each : readable) {
      cat(each);
    }
    if (Files.getFileStore(open).equals(Files.getFileStore(readable.get(0)))) {
      assertEquals(
          Files.getAttribute(open, "unix:ino"), Files.getAttribute(readable.get(0), "unix:ino"));
    }
    assertEquals(
        "rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(readable.get(1))));
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(closed)));
    Object made = Files.getAttribute(readable.get(1), "unix:ctime");
    assertEquals(readable, ReadableFiles.of(List.of(open, closed)));
    assertEquals(made, Files.getAttribute(readable.get(1), "unix:ctime"), "made once");
  }

  @Test
  void copiesOfADirectoryFollowIt() throws Exception {
    Files.createDirectories(temp.resolve("classes/inside"));
    write("classes/inside/first", "1", "rw-------");
    write("classes/second", "2", "rw-r--r--");
    Files.createSymbolicLink(temp.resolve("classes/third"), temp.resolve("classes/second"));
    Path copy = ReadableFiles.of(temp.resolve("classes"));
    copies.add(copy.getParent());
    for (String each : List.of("inside/first", "second", "third")) {
      cat(copy.resolve(each));
    }

    Files.delete(temp.resolve("classes/second"));
    Files.delete(temp.resolve("classes/third"));
    write("classes/inside/first", "other", "rw-------");
    assertEquals(copy, ReadableFiles.of(temp.resolve("classes")));
    assertEquals("other", Files.readString(copy.resolve("inside/first")));
    assertFalse(Files.exists(copy.resolve("second")));
    assertFalse(Files.exists(copy.resolve("third")));
  }

  @Test
  void somethingIsInsteadOfADirectoryThatNobodyReaches() throws Exception {
    Path instead = ReadableFiles.instead(temp);
    copies.add(instead);
    assertNotEquals(temp.toRealPath(), instead);
    assertEquals(instead, ReadableFiles.instead(temp));
    Namespace.run(as("ls", instead.toString()));
  }

  private Path write(String name, String text, String rights) throws IOException {
    Path file = Files.writeString(temp.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    return file;
  }

  private void cat(Path file) throws IOException {
    Namespace.run(as("cat", file.toString()));
  }

  private String[] as(String... command) {
    List<String> line = new ArrayList<>(user.prefix());
    line.addAll(List.of(command));
    return line.toArray(String[]::new);
  }
}
