// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.Reaper;
import io.thermocline.testbed.process.SharedClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A host on which an administrator follows a page: its directories are below one of the test's, and {@code hadoop}
 * and {@code hdfs} are those of a Hadoop line, as far as the page uses them. Users that the page makes are ordinary ones
 * that this host has, where root runs the test; else the one who does.
 */
final class Host implements AutoCloseable {

  static final String USER = "thermocline";

  /** Whom HDFS takes root for, who is no superuser there. */
  private static final String ROOT = "administrator";

  /** The NameNodes' own user. */
  static final String SUPERUSER = System.getProperty("user.name");

  private static final int END_SECONDS = 90;

  /** As Hadoop's own script goes about it, with our shell profile where it is linked to. */
  private static final String HDFS =
      """
      CLASSPATH='%s'
      HADOOP_SHELL_EXECNAME=hdfs HADOOP_DAEMON_MODE=default HADOOP_OPTS=
      JAVA=$JAVA_HOME/bin/java
      function hadoop_debug { :; }
      function hadoop_error { echo "$*" >&2; }
      function hadoop_add_profile { :; }
      function hadoop_add_subcommand { :; }
      function hadoop_add_param { eval "$1+=' $3'"; }
      function hadoop_add_classpath { CLASSPATH+=:$1; }
      case $1 in
        dfs) HADOOP_CLASSNAME=org.apache.hadoop.fs.FsShell ;;
        haadmin) HADOOP_CLASSNAME=org.apache.hadoop.hdfs.tools.DFSHAAdmin ;;
        dfsadmin) HADOOP_CLASSNAME=org.apache.hadoop.hdfs.tools.DFSAdmin ;;
        storagepolicies) HADOOP_CLASSNAME=org.apache.hadoop.hdfs.tools.StoragePolicyAdmin ;;
        fsck) HADOOP_CLASSNAME=org.apache.hadoop.hdfs.tools.DFSck ;;
        mover) HADOOP_CLASSNAME=org.apache.hadoop.hdfs.server.mover.Mover ;;
        balancer) HADOOP_CLASSNAME=org.apache.hadoop.hdfs.server.balancer.Balancer ;;
      esac
      HADOOP_SUBCMD_ARGS=("${@:2}")
      profile=${HADOOP_CONF_DIR:-}/shellprofile.d/thermocline.sh
      if [[ -e $profile ]]; then
        . "$profile"
        _thermocline_hadoop_classpath
        if declare -F "hdfs_subcommand_$1" >/dev/null; then
          "hdfs_subcommand_$1" "${HADOOP_SUBCMD_ARGS[@]}"
        fi
      fi
      exec "$JAVA" $HADOOP_OPTS %s -Xmx128m -XX:TieredStopAtLevel=1 -cp "$CLASSPATH" $HADOOP_CLASSNAME \
        "${HADOOP_SUBCMD_ARGS[@]}"
      """;

  private static final Pattern ADDRESS = Pattern.compile("REST at (http://[^/\\s]+)/");

  private final Path directory;
  private final Map<String, String> replaced = new LinkedHashMap<>();
  private final Map<String, String> more = new LinkedHashMap<>();
  private String flags = "";
  private Process service;
  private Path log;

  /** Null where there is none. */
  private Process mover;

  private Path moverLog;

  private final List<Process> beside = new ArrayList<>();
  private final Map<Path, Process> byOut = new HashMap<>();

  /**
   * @param configuration of the cluster's clients
   */
  Host(Path directory, HadoopLine line, Path configuration) throws IOException {
    this.directory = directory;
    String jars =
        line.readable().jars().stream().map(Path::toString).collect(Collectors.joining(":"));
    Files.createDirectories(directory.resolve("hadoop/bin"));
    script("hadoop", "[[ $1 == classpath ]] && printf '%s' '" + configuration + ":" + jars + "'");
    SharedClasses shared = SharedClasses.of(line);
    script(
        "hdfs",
        HDFS.formatted(shared.classPath() + ":" + configuration, String.join(" ", shared.flags())));
    for (String top : new String[] {"/opt/", "/var/"}) {
      replace(top, directory.resolve(top.substring(1)) + "/");
    }
    replace("useradd ", ": useradd ");
    replace("userdel ", ": userdel ");
    replace("runuser -u hdfs -- ", "env HADOOP_USER_NAME=" + SUPERUSER + " ");
    acts(USER, OsUser.ordinary());
    acts(USER + "-mover", OsUser.ordinaryBeside());
    OsUser.openUpTo(directory);
    OsUser.openUpTo(configuration);
    replace("/etc/hadoop/conf", configuration.toString());
  }

  /** Has commands of the page that are a user's run as that user of this host. */
  private void acts(String onPage, Optional<OsUser> user) {
    replace(
        "runuser -u " + onPage + " -- ",
        user.map(who -> String.join(" ", who.prefix()) + " ").orElse("")
            + "env HADOOP_USER_NAME="
            + onPage
            + " ");
    replace("chown " + onPage + ": ", user.map(who -> "chown " + who.name() + ": ").orElse(": "));
    replace(
        "user: " + onPage + "}",
        "user: " + user.map(OsUser::name).orElse(System.getProperty("user.name")) + "}");
  }

  private void script(String name, String text) throws IOException {
    Path file = Files.writeString(tools().resolve(name), "#!/usr/bin/env bash\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Path tools() {
    return directory.resolve("hadoop/bin");
  }

  /** What stands on the page, and what is there instead; what is replaced first is not replaced again. */
  Host replace(String text, String with) {
    replaced.put(text, with);
    return this;
  }

  /** Flags of the JVMs of Thermocline's commands. */
  Host flags(String text) {
    flags = " " + text;
    return this;
  }

  /** What commands find in their environment from now on. */
  Host environment(String name, String value) {
    more.put(name, value);
    return this;
  }

  String here(String text) {
    String all = text;
    int at = 0;
    StringBuilder out = new StringBuilder();
    while (at < all.length()) {
      String found = null;
      for (String key : replaced.keySet()) {
        if (all.startsWith(key, at) && (found == null || key.length() > found.length())) {
          found = key;
        }
      }
      out.append(found == null ? all.substring(at, at + 1) : replaced.get(found));
      at += found == null ? 1 : found.length();
    }
    return out.toString();
  }

  Path path(String onPage) {
    return Path.of(here(onPage));
  }

  /** Runs commands to their end. */
  String run(String commands) throws IOException, InterruptedException {
    return run(commands, 0);
  }

  /** The same for commands that end with that status. */
  String run(String commands, int status) throws IOException, InterruptedException {
    Path out = Files.createTempFile(directory, "run", ".out");
    Process process = start(commands, out);
    try {
      assertTrue(process.waitFor(END_SECONDS, TimeUnit.SECONDS), () -> commands + " ends");
    } finally {
      Reaper.kill(process);
    }
    String said = Files.readString(out);
    assertEquals(status, process.exitValue(), () -> commands + " said:\n" + said);
    return said;
  }

  /** Of the service that runs. */
  ProcessHandle process() {
    return service.toHandle();
  }

  /** Starts the service, as commands of the page do. */
  void startService(String commands) throws IOException {
    log = Files.createTempFile(directory, "service", ".out");
    service = start("exec " + commands, log);
  }

  /** The same of the mover, which listens then. */
  void startMover(String commands) throws IOException {
    moverLog = Files.createTempFile(directory, "mover", ".out");
    mover = start("exec " + commands, moverLog);
    Eventually.holds(
        "the mover listens",
        () -> {
          assertTrue(mover.isAlive(), this::moverSaid);
          return moverSaid().contains("listening at");
        });
  }

  /** Starts another one, which ends with the host, and returns the file with what it says. */
  Path startBeside(String commands) throws IOException {
    Path out = Files.createTempFile(directory, "beside", ".out");
    Process process = start("exec " + commands, out);
    beside.add(process);
    byOut.put(out, process);
    return out;
  }

  /** Whether what was started beside runs still. */
  boolean runs(Path out) {
    return byOut.get(out).isAlive();
  }

  /** Nothing where there is no mover. */
  String moverSaid() {
    try {
      return moverLog == null ? "" : Files.readString(moverLog);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private Process start(String commands, Path out) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-euo", "pipefail", "-c", here(commands))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(out.toFile());
    Map<String, String> environment = builder.environment();
    environment
        .keySet()
        .removeIf(key -> key.startsWith("HADOOP_") || key.startsWith("THERMOCLINE_"));
    environment.remove("JAVA_TOOL_OPTIONS");
    environment.put("PATH", tools() + ":" + environment.get("PATH"));
    environment.put("JAVA_HOME", Installation.java().toString());
    environment.put("HADOOP_USER_NAME", ROOT);
    environment.put("THERMOCLINE_JAVA_OPTS", "-Xmx256m -XX:TieredStopAtLevel=1" + flags);
    environment.putAll(more);
    return Reaper.watch(builder.start());
  }

  void awaitLog(String... texts) throws IOException {
    try {
      Eventually.holds(
          "the service says " + String.join(" ", texts),
          () -> {
            assertTrue(service.isAlive(), "the service ended");
            return says(texts);
          });
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; it said:\n" + said(), e);
    }
  }

  /** Whether the service's log has a line with all of them. */
  boolean says(String... texts) throws IOException {
    return said().lines().anyMatch(line -> Stream.of(texts).allMatch(line::contains));
  }

  String said() throws IOException {
    return Files.readString(log);
  }

  /** Where the service's interface is. */
  String address() throws IOException {
    awaitLog("REST at ");
    Matcher at = ADDRESS.matcher(said());
    assertTrue(at.find(), this::toString);
    return at.group(1);
  }

  /** Of the service that runs. */
  String commandLine() throws IOException {
    return Files.readString(Path.of("/proc", Long.toString(service.pid()), "cmdline"))
        .replace('\0', ' ');
  }

  /** Without a chance to end in order. */
  void killService() throws InterruptedException {
    service.destroyForcibly().waitFor();
    service = null;
  }

  /** As systemd does; nothing where none runs. */
  void stopService() throws InterruptedException, IOException {
    if (service == null) {
      return;
    }
    service.destroy();
    assertTrue(service.waitFor(END_SECONDS, TimeUnit.SECONDS), "the service ends");
    String said = Files.readString(log);
    assertEquals(143, service.exitValue(), said);
    service = null;
  }

  @Override
  public void close() {
    beside.add(service);
    beside.add(mover);
    for (Process each : beside) {
      if (each != null) {
        Reaper.kill(each);
      }
    }
  }
}
