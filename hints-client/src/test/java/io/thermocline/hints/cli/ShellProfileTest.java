// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shell profile under bash, in the steps of Hadoop's {@code hdfs}: what it asks of the shell
 * API (Unix Shell Guide) is recorded. The Java programs that it names are run for real.
 */
class ShellProfileTest {
  private static final Path PROFILE = Path.of("../conf/shellprofile.d/thermocline.sh");

  private static final Path LOGGING = Path.of("../conf/log4j.properties");

  /**
   * What a profile may call, and what hdfs does with it: import, class path, then the
   * subcommand's function.
   */
  private static final String HDFS =
      """
      HADOOP_DAEMON_MODE=default
      if [[ $1 == --daemon ]]; then HADOOP_DAEMON_MODE=$2; shift 2; fi
      HADOOP_SHELL_EXECNAME=${EXECNAME:-hdfs}
      HADOOP_SUBCMD_SUPPORTDAEMONIZATION=false
      HADOOP_STOP_TIMEOUT=5
      HADOOP_OPTS=-Djava.net.preferIPv4Stack=true
      CLASSPATH=/hadoop/*
      JAVA=/jdk8/bin/java
      function hadoop_debug { :; }
      function hadoop_error { echo "$*" >&2; }
      function hadoop_add_param { if [[ ! ${!1} =~ $2 ]]; then eval $1="'${!1} $3'"; fi; }
      function hadoop_add_profile { hadoop_add_param HADOOP_SHELL_PROFILES "$1" "$1"; }
      function hadoop_add_subcommand { echo "usage=$1@$2"; }
      function hadoop_add_classpath {
        if [[ $1 == *\\* ]]; then [[ -d $(dirname "$1") ]] || return 1; else [[ -e $1 ]] || return 1; fi
        CLASSPATH+=:$1
      }
      . "$PROFILE"
      for i in ${HADOOP_SHELL_PROFILES}; do
        if declare -F _${i}_hadoop_classpath >/dev/null; then _${i}_hadoop_classpath; fi
      done
      HADOOP_SUBCMD=$1
      shift
      HADOOP_SUBCMD_ARGS=("$@")
      if declare -f hdfs_subcommand_"${HADOOP_SUBCMD}" >/dev/null 2>&1; then
        "hdfs_subcommand_${HADOOP_SUBCMD}" "${HADOOP_SUBCMD_ARGS[@]}"
      fi
      echo "class=${HADOOP_CLASSNAME}"
      echo "classpath=${CLASSPATH}"
      echo "daemon=${HADOOP_SUBCMD_SUPPORTDAEMONIZATION}"
      echo "opts=${HADOOP_OPTS}"
      echo "timeout=${HADOOP_STOP_TIMEOUT}"
      echo "java=${JAVA}"
      echo "arguments=$(printf '<%s>' "${HADOOP_SUBCMD_ARGS[@]}")"
      """;

  @TempDir Path home;

  private final Map<String, String> environment = new TreeMap<>();

  @BeforeEach
  void install() throws IOException {
    Files.createDirectories(home.resolve("client"));
    Files.createDirectories(home.resolve("lib"));
    Files.createDirectories(home.resolve("etc"));
    Files.createFile(home.resolve("lib/tiering-service-1.0.jar"));
    environment.put("THERMOCLINE_HOME", home.toString());
    environment.put("PROFILE", PROFILE.toAbsolutePath().toString());
  }

  @Test
  void storagePoliciesIsOurs() throws Exception {
    Map<String, String> seen = hdfs("storagepolicies", "-heat", "-path", "/a b");
    assertEquals(StoragePolicies.class.getName(), seen.get("class"));
    assertEquals("/hadoop/*:" + home + "/client/*", seen.get("classpath"));
    assertEquals("false", seen.get("daemon"));
    assertEquals("<-heat><-path></a b>", seen.get("arguments"));
    assertEquals("tiering@daemon", seen.get("usage"));
  }

  @Test
  void otherCommandsGetTheClientOnly() throws Exception {
    environment.put("EXECNAME", "hadoop");
    Map<String, String> seen = hdfs("fs", "-ls", "/");
    assertEquals("", seen.get("class"));
    assertEquals("/hadoop/*:" + home + "/client/*", seen.get("classpath"));
    assertEquals(null, seen.get("usage"));
    assertEquals("-Djava.net.preferIPv4Stack=true", seen.get("opts"));
  }

  @Test
  void tieringAsksTheService() throws Exception {
    Map<String, String> seen = hdfs("tiering", "pause", "-why", "new racks");
    assertEquals(Tiering.class.getName(), seen.get("class"));
    assertEquals("false", seen.get("daemon"));
    assertEquals("<pause><-why><new racks>", seen.get("arguments"));
    assertEquals("5", seen.get("timeout"));
  }

  @Test
  void theServiceIsADaemon() throws Exception {
    environment.put("THERMOCLINE_CONF", home.resolve("etc").toString());
    environment.put("THERMOCLINE_JAVA_HOME", "/jdk17");
    for (String mode : List.of("start", "stop", "status")) {
      Map<String, String> seen = hdfs("--daemon", mode, "tiering");
      assertEquals("io.thermocline.tiering.process.Isolated", seen.get("class"));
      assertEquals("true", seen.get("daemon"));
      assertEquals(
          "<"
              + home
              + "/lib><io.thermocline.tiering.commands.ServiceMain><--config><"
              + home
              + "/etc/thermocline.yaml>",
          seen.get("arguments"));
      assertEquals(
          "/hadoop/*:" + home + "/client/*:" + home + "/lib/tiering-service-1.0.jar",
          seen.get("classpath"));
      assertEquals("60", seen.get("timeout"));
      assertEquals("/jdk17/bin/java", seen.get("java"));
      String opts = seen.get("opts");
      assertTrue(opts.contains(" -Dthermocline.home=" + home + " "), opts);
      for (String part : List.of("lang", "util", "util.concurrent", "net", "nio", "io")) {
        assertTrue(
            opts.contains(" --add-opens=java.base/java." + part + "=ALL-UNNAMED"),
            part + ": " + opts);
      }
    }
  }

  /** In Hadoop's own log there would be no audit.log, and nothing would leave out lines that repeat. */
  @Test
  void theServiceLogsAsTheLauncherDoes() throws Exception {
    Path conf = Files.copy(LOGGING, home.resolve("etc/log4j.properties")).getParent();
    Path logs = home.resolve("logs/hadoop");
    environment.put("THERMOCLINE_CONF", conf.toString());
    environment.put("HADOOP_LOG_DIR", logs.toString());
    environment.put("THERMOCLINE_LOG_FORMAT", "json");
    String stopped = hdfs("--daemon", "stop", "tiering").get("opts");
    assertTrue(!stopped.contains("log4j"), stopped);
    String checked = hdfs("tiering", "service", "--check").get("opts");
    assertTrue(checked.contains(" -Dlog4j.configuration=thermocline-log4j.properties"), checked);
    assertTrue(Files.notExists(logs), "only a service that runs makes files");

    String opts = hdfs("--daemon", "start", "tiering").get("opts");
    Map<String, String> set = new TreeMap<>();
    for (String flag : opts.trim().split(" +")) {
      if (flag.startsWith("-D")) {
        set.put(flag.substring(2, flag.indexOf('=')), flag.substring(flag.indexOf('=') + 1));
      }
    }
    assertEquals("file:" + conf + "/log4j.properties", set.get("log4j.configuration"));
    assertEquals(logs + "/thermocline", set.get("thermocline.log.dir"));
    assertEquals("file", set.get("thermocline.log.appenders"));
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(logs.resolve("thermocline"))));
    // What the file asks for is what there is.
    String asking = Files.readString(LOGGING);
    Matcher asked = Pattern.compile("\\$\\{([a-z.]+)}").matcher(asking);
    int count = 0;
    while (asked.find()) {
      String key = asked.group(1);
      count++;
      assertTrue(set.containsKey(key) || asking.contains("\n" + key + "="), key + ", of " + set);
    }
    assertTrue(count > 3, asking);
    assertEquals("io.thermocline.tiering.process.JsonLayout", set.get("thermocline.log.layout"));

    String inFront = hdfs("tiering", "service").get("opts");
    assertTrue(inFront.contains(" -Dthermocline.log.appenders=stdout,file"), inFront);
    environment.put("THERMOCLINE_LOG_DIR", Files.createFile(home.resolve("taken")).toString());
    Ended refused = bash("--daemon", "start", "tiering");
    assertEquals(1, refused.code);
    assertTrue(refused.text.contains("can't write logs to " + home.resolve("taken")), refused.text);
  }

  @Test
  void theServiceInFront() throws Exception {
    Map<String, String> seen = hdfs("tiering", "service", "--config", "/x y.yaml", "--check");
    assertEquals("true", seen.get("daemon"));
    assertEquals(
        "<"
            + home
            + "/lib><io.thermocline.tiering.commands.ServiceMain><--config></x y.yaml><--check>",
        seen.get("arguments"));
    assertEquals("/jdk8/bin/java", seen.get("java"));
  }

  @Test
  void aHostWithoutItKeepsItsCommands() throws Exception {
    environment.put("THERMOCLINE_HOME", home.resolve("nothing").toString());
    Map<String, String> seen = hdfs("storagepolicies", "-listPolicies");
    assertEquals("org.apache.hadoop.hdfs.tools.StoragePolicyAdmin", seen.get("class"));
    assertEquals("/hadoop/*", seen.get("classpath"));
    Ended service = bash("--daemon", "start", "tiering");
    assertEquals(1, service.code);
    assertTrue(
        service.text.contains("ERROR: the tiering service isn't installed on this host"),
        service.text);
  }

  @Test
  void aLinkedProfileFindsItsTree() throws Exception {
    environment.remove("THERMOCLINE_HOME");
    Path profile = home.resolve("conf/shellprofile.d/thermocline.sh");
    Files.createDirectories(profile.getParent());
    Files.copy(PROFILE, profile);
    Path link = home.resolve("etc/linked.sh");
    Files.createSymbolicLink(link, profile);
    environment.put("PROFILE", link.toString());
    Map<String, String> seen = hdfs("storagepolicies");
    assertEquals("/hadoop/*:" + home.toRealPath() + "/client/*", seen.get("classpath"));
  }

  @Test
  void thePrograms() throws Exception {
    Ended tiering = java(Tiering.class, "fly");
    assertEquals(1, tiering.code, tiering.text);
    assertTrue(
        tiering.text.contains("tiering: one of status, pause and resume is needed"), tiering.text);
    Ended policies =
        java(StoragePolicies.class, "-Dthermocline.hints.service=http://localhost:1", "-listHints");
    assertEquals(2, policies.code, policies.text);
    assertTrue(
        policies.text.contains("no answer of the tiering service at http://localhost:1"),
        policies.text);
    Ended stock = java(StoragePolicies.class, "-help", "getStoragePolicy");
    assertEquals(0, stock.code, stock.text);
    assertTrue(stock.text.contains("[-getStoragePolicy -path <path>]"), stock.text);
  }

  private Map<String, String> hdfs(String... arguments) throws Exception {
    Ended ended = bash(arguments);
    assertEquals(0, ended.code, ended.text);
    return ended
        .text
        .lines()
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf('=')),
                line -> line.substring(line.indexOf('=') + 1)));
  }

  private Ended bash(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c", HDFS, "hdfs"));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private Ended java(Class<?> program, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private Ended run(List<String> command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), text);
      return new Ended(process.exitValue(), text);
    } finally {
      process.destroyForcibly();
    }
  }

  /** How a process ended, and all that it said. */
  private record Ended(int code, String text) {}
}
