// SPDX-License-Identifier: Apache-2.0
package io.thermocline.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.Reaper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands of an installation that root unpacked, by somebody else. */
class InstalledCommandsTest {

  @TempDir Path temp;

  private int status;

  private List<String> run(Path state, String... arguments) throws Exception {
    user().own(temp);
    return runAgain(state, arguments);
  }

  private static OsUser user() {
    Optional<OsUser> user = OsUser.ordinary();
    assumeTrue(user.isPresent(), "only root starts processes of other users");
    return user.get();
  }

  private List<String> runAgain(Path state, String... arguments) throws Exception {
    ProcessBuilder builder =
        Installation.command(
                user().prefix(), Launched.ROOT, temp, user().name(), List.of(arguments))
            .redirectErrorStream(true);
    builder.environment().put("XDG_STATE_HOME", state.toString());
    Process process = Reaper.watch(builder.start());
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    status = process.waitFor();
    return said.lines().toList();
  }

  @Test
  void commandsLogToNoFileAndSayOneLine() throws Exception {
    Path state = temp.resolve("state");
    List<String> said = run(state, "status", "--service", "http://127.0.0.1:9");
    assertEquals(3, status, said::toString);
    assertEquals(1, said.size(), said::toString);

    Path config = temp.resolve("thermocline.yaml");
    Files.writeString(config, "manage: {}\n");
    said = run(state, "service", "--config", config.toString(), "--check");
    assertEquals(2, status, said::toString);
    assertTrue(said.stream().noneMatch(line -> line.contains("log4j")), said::toString);
    assertTrue(Files.notExists(state), "no log is written");
  }

  @Test
  void aServiceThatCanWriteNoLogSaysSoInOneLine() throws Exception {
    Path config = Files.createFile(temp.resolve("thermocline.yaml"));
    List<String> said = run(Path.of("/proc/none"), "service", "--config", config.toString());
    assertEquals(1, status, said::toString);
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.get(0).contains("can't write logs to "), said::toString);
    assertTrue(said.get(0).contains("THERMOCLINE_LOG_DIR"), said::toString);
    assertEquals(List.of(), logs());
  }

  /** Whether a log is in a directory that this user can't enter isn't known: not that it comes later. */
  @Test
  void aServiceThatCanNotEnterTheDirectoryOfALogSaysSoAndEnds() throws Exception {
    Path log = Files.createDirectories(temp.resolve("hadoop/hdfs")).resolve("hdfs-audit.log");
    Files.createFile(log);
    Path config = temp.resolve("thermocline.yaml");
    Files.writeString(
        config,
        "hdfs: {nameNode: 'hdfs://127.0.0.1:9'}\nobserve: {auditLogs: [%s]}\nmanage: {paths: [/a]}\njournal: {directory: %s}\n"
            .formatted(log, temp.resolve("journal")));
    for (Path closed : List.of(log.getParent(), log.getParent().getParent())) {
      user().own(temp);
      Files.setOwner(closed, Files.getOwner(Path.of("/")));
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-----"));
      List<String> said = runAgain(temp.resolve("state"), "service", "--config", config.toString());
      assertEquals(2, status, said::toString);
      assertTrue(
          said.get(0).contains("observe.auditLogs: this user can't enter the directory " + closed),
          said::toString);
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private static List<Path> logs() throws IOException {
    Path root = Installation.launcher(Launched.ROOT).getParent().getParent();
    try (Stream<Path> files = Files.list(root)) {
      return files.filter(file -> file.getFileName().toString().startsWith("logs")).toList();
    }
  }
}
