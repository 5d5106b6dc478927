// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * What administrators get wrong at first, as {@code --check}, the start and doctor tell it: each names the mistake, where
 * it is and what to do. Nothing listens where HDFS should be; what only HDFS can show is in the tests of doctor's checks.
 */
class BrokenSetupsTest {

  private static final String GOOD =
      """
      hdfs:
        configuration: DIR/conf
      observe:
        auditLogs: [DIR/logs/hdfs-audit.log]
      manage:
        paths: [/warehouse]
      journal:
        directory: DIR/journal
      act:
        mode: apply
      api:
        listen: 127.0.0.1:0
      """;

  @TempDir private Path directory;

  /** Changes files of the set-up. */
  @FunctionalInterface
  private interface Break {
    void in(Path directory) throws IOException;
  }

  /**
   * @param yaml makes the configuration wrong
   * @param files makes this host wrong
   * @param isError whether the service doesn't start
   * @param words what is wrong, where, and what to do
   */
  private record Setup(
      String name, UnaryOperator<String> yaml, Break files, boolean isError, List<String> words) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Setup key(String name, String from, String to, String... words) {
    return new Setup(name, yaml -> yaml.replace(from, to), dir -> {}, true, List.of(words));
  }

  private static Setup more(String name, String lines, String... words) {
    return new Setup(name, yaml -> yaml + lines + "\n", dir -> {}, true, List.of(words));
  }

  private static Setup host(String name, boolean isError, Break files, String... words) {
    return new Setup(name, yaml -> yaml, files, isError, List.of(words));
  }

  static Stream<Setup> setups() {
    return Stream.of(
        host(
            "no audit log yet",
            false,
            dir -> Files.delete(dir.resolve("logs/hdfs-audit.log")),
            "observe.auditLogs",
            "there is no file",
            "turn the audit log on"),
        host(
            "no directory of the audit log",
            true,
            dir -> {
              Files.delete(dir.resolve("logs/hdfs-audit.log"));
              Files.delete(dir.resolve("logs"));
            },
            "observe.auditLogs",
            "there is no directory",
            "run the service where the NameNode's logs are"),
        host(
            "a directory for an audit log",
            true,
            dir -> {
              Files.delete(dir.resolve("logs/hdfs-audit.log"));
              Files.createDirectory(dir.resolve("logs/hdfs-audit.log"));
            },
            "observe.auditLogs",
            "is a directory",
            "name the file"),
        key(
            "no audit logs at all",
            "  auditLogs: [DIR/logs/hdfs-audit.log]",
            "  start: end",
            "observe.auditLogs",
            "is missing",
            "for instance"),
        key(
            "Hadoop's configuration elsewhere",
            "DIR/conf",
            "DIR/nowhere",
            "hdfs.configuration",
            "core-site.xml",
            "/etc/hadoop/conf"),
        host(
            "no core-site.xml",
            true,
            dir -> Files.delete(dir.resolve("conf/core-site.xml")),
            "hdfs.configuration",
            "core-site.xml",
            "/etc/hadoop/conf"),
        host(
            "no hdfs-site.xml",
            false,
            dir -> Files.delete(dir.resolve("conf/hdfs-site.xml")),
            "hdfs.configuration",
            "hdfs-site.xml can't be read",
            "/etc/hadoop/conf"),
        host(
            "a core-site.xml cut off",
            true,
            dir -> Files.writeString(dir.resolve("conf/core-site.xml"), "<configuration><prop"),
            "core-site.xml",
            "copy the directory from a NameNode's host again"),
        new Setup(
            "no api",
            yaml -> yaml.replaceFirst("(?s)api:.*", ""),
            dir -> {},
            false,
            List.of("api", "there is no", "api: {listen: 127.0.0.1:8480}")),
        key(
            "api for all without authentication",
            "127.0.0.1:0",
            "0.0.0.0:8480",
            "api.listen",
            "without authentication",
            "api.tokens"),
        more(
            "no file of tokens",
            "  tokens: DIR/tokens",
            "api.tokens",
            "isn't there",
            "thermocline token NAME ROLE"),
        key(
            "no keytab",
            "configuration: DIR/conf",
            "configuration: DIR/conf\n  kerberos: {principal: t/_HOST@X, keytab: DIR/keytab}",
            "hdfs.kerberos.keytab",
            "isn't there or can't be read",
            "make it in kadmin: ktadd -k "),
        key(
            "a misspelt key",
            "mode: apply",
            "mode: apply\n  bandwithPerNode: 4 MB",
            "act.bandwithPerNode",
            "mean act.bandwidthPerNode?"),
        key("a misspelt section", "act:", "acts:", "acts is no key", "did you mean act?"),
        more("a section twice", "act:\n  copies: 4", "act is given twice", "keep one"),
        key("a tab", "  mode: apply", "\tmode: apply", "thermocline.yaml", "TAB", "indentation"),
        key(
            "no journal",
            "  directory: DIR/journal",
            "  keep: 90d",
            "journal.directory",
            "is missing: expected for instance /var/lib/thermocline"),
        host(
            "a file for the journal",
            true,
            dir -> Files.writeString(dir.resolve("journal"), "x"),
            "journal.directory",
            "can't be made or written",
            "install -d"),
        key(
            "no paths",
            "  paths: [/warehouse]",
            "  pin: []",
            "manage.paths",
            "for instance [/warehouse, /data]"),
        key("a relative path", "[/warehouse]", "[warehouse]", "manage.paths", "like /warehouse"),
        key(
            "a mode that there isn't",
            "mode: apply",
            "mode: active",
            "act.mode",
            "shadow",
            "apply"),
        more("an interval without a unit", "decide:\n  every: soon", "decide.every", "5m"),
        more(
            "watermarks the wrong way round",
            "decide:\n  tiers: {SSD: {upperWatermark: 50 %, lowerWatermark: 80 %}}",
            "decide.tiers.SSD.lowerWatermark",
            "at most the upperWatermark"),
        more(
            "a tier that there isn't",
            "decide:\n  tiers: {FLASH: {threshold: 1}}",
            "decide.tiers.FLASH",
            "expected one of"),
        key(
            "a rules file that isn't there",
            "[/warehouse]",
            "[/warehouse]\n  rules: DIR/rules.yaml",
            "rules.yaml: no such file",
            "correct the path"),
        new Setup(
            "a rules file with a mistake",
            yaml -> yaml.replace("[/warehouse]", "[/warehouse]\n  rules: DIR/rules.yaml"),
            dir ->
                Files.writeString(
                    dir.resolve("rules.yaml"), "rules:\n  - {name: a, path: /x, plce: SSD}\n"),
            true,
            List.of("rules.yaml", "plce is no key", "expected one of")),
        key(
            "logs of DataNodes that aren't there",
            "hdfs-audit.log]",
            "hdfs-audit.log]\n  clientTraceLogs: ['DIR/datanodes/*/hdfs.log']",
            "observe.clientTraceLogs",
            "there is no directory",
            "mount"),
        key(
            "more NameNodes than logs",
            "hdfs-audit.log]",
            "hdfs-audit.log]\n  nameNodeWebs: ['http://a:9870', 'http://b:9870']",
            "observe.nameNodeWebs",
            "one for each"),
        key(
            "a host for a URI",
            "configuration: DIR/conf",
            "configuration: DIR/conf\n  nameNode: nn1",
            "hdfs.nameNode",
            "hdfs://nameservice1"),
        key(
            "excluded nodes where HDFS chooses",
            "mode: apply",
            "mode: apply\n  backEnd: satisfier\n  exclude: [dn7]",
            "act.exclude",
            "backEnd: directed"),
        key(
            "a window of no day",
            "mode: apply",
            "mode: apply\n  windows: [someday 20:00-06:00]",
            "act.windows",
            "days and times like 'mon-fri 20:00-06:00'"),
        key(
            "a key that is gone",
            "mode: apply",
            "mode: apply\n  leastCopies: 4",
            "act.leastCopies",
            "maxConcurrentCopiesPerNode"));
  }

  @BeforeEach
  void good() throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    Files.writeString(directory.resolve("logs/hdfs-audit.log"), "");
    Files.createDirectories(directory.resolve("conf"));
    Files.writeString(
        directory.resolve("conf/core-site.xml"),
        """
        <configuration>
        <property><name>fs.defaultFS</name><value>hdfs://127.0.0.1:1</value></property>
        <property><name>ipc.client.connect.max.retries</name><value>0</value></property>
        </configuration>
        """);
    Files.writeString(directory.resolve("conf/hdfs-site.xml"), "<configuration/>");
  }

  private record Ran(int status, String said) {}

  private Ran run(Object program, UnaryOperator<String> yaml, String... more) throws IOException {
    Path file = directory.resolve("thermocline.yaml");
    Files.writeString(file, yaml.apply(GOOD).replace("DIR", directory.toString()));
    StringWriter said = new StringWriter();
    CommandLine line = CommandLines.of(program);
    line.setOut(new PrintWriter(said, true)).setErr(new PrintWriter(said, true));
    List<String> words =
        Stream.concat(Stream.of("--config", file.toString()), Stream.of(more)).toList();
    return new Ran(line.execute(words.toArray(String[]::new)), said.toString());
  }

  private static void tells(Setup setup, Ran ran) {
    for (String word : setup.words()) {
      assertTrue(ran.said().contains(word), () -> "'" + word + "' in:\n" + ran.said());
    }
  }

  @Test
  void findsNothingButThatHdfsIsAwayWhereAllIsRight() throws IOException {
    Ran checked = run(new ServiceMain(), yaml -> yaml, "--check");
    assertEquals(1, checked.status(), checked::said);
    List<String> said = checked.said().lines().toList();
    assertEquals(2, said.size(), checked::said);
    assertTrue(said.get(0).startsWith("error: HDFS: "), checked::said);
    assertTrue(said.get(1).endsWith(": see the errors"), checked::said);
    Ran started = run(new ServiceMain(), yaml -> yaml);
    assertEquals(checked.status(), started.status(), started::said);
    assertTrue(setups().count() >= 25);
  }

  @ParameterizedTest
  @MethodSource("setups")
  void checkNamesTheMistakeAndItsMend(Setup setup) throws IOException {
    setup.files().in(directory);
    Ran ran = run(new ServiceMain(), setup.yaml(), "--check");
    tells(setup, ran);
    // HDFS is away.
    assertEquals(setup.isError() ? 2 : 1, ran.status(), ran::said);
  }

  @ParameterizedTest
  @MethodSource("setups")
  void aStartNamesThemToo(Setup setup) throws IOException {
    setup.files().in(directory);
    if (setup.isError()) {
      Ran ran = run(new ServiceMain(), setup.yaml());
      tells(setup, ran);
      assertEquals(2, ran.status(), ran::said);
      assertTrue(ran.said().lines().noneMatch(line -> line.strip().startsWith("at ")), ran::said);
    }
  }

  @ParameterizedTest
  @MethodSource("setups")
  void soDoesDoctor(Setup setup) throws IOException {
    setup.files().in(directory);
    Ran ran = run(new DoctorMain(), setup.yaml());
    tells(setup, ran);
    assertEquals(!setup.isError() || ran.status() != 2 ? 1 : 2, ran.status(), ran::said);
  }
}
