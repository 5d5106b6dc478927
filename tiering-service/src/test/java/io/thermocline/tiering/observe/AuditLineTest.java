// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.text.StringEscapeUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditLineTest {

  private final AuditLine line = new AuditLine();
  private final Separators tabs = new Separators();
  private final PathHashes hashes = new PathHashes();

  @Test
  void readsALineOfHadoop3() {
    parse(
        "2026-11-20 19:33:39,065 INFO FSNamesystem.audit: allowed=true\tugi=root (auth:SIMPLE)\t"
            + "ip=/127.0.0.1\tcmd=open\tsrc=/plain/f0\tdst=null\tperm=null\tproto=rpc\t"
            + "callerContext=tiering-test_1");

    assertIs(true, "root", Operation.OPEN, "/plain/f0", null);
    assertEquals("tiering-test_1", line.callerContext());
  }

  @Test
  void unescapesPaths() {
    parse(
        "INFO FSNamesystem.audit: allowed=true\tugi=root (auth:SIMPLE)\tip=/127.0.0.1\tcmd=rename\t"
            + "src=/plain/f99\tdst=/plain/f\\tx 99 \\u00FC=a\tperm=null\tproto=rpc");

    assertIs(true, "root", Operation.RENAME, "/plain/f99", "/plain/f\tx 99 ü=a");
  }

  @Test
  void readsALineWithoutAllowed() {
    parse(
        "2013-11-21 17:24:54,697: ugi=root,wheel\tip=/127.0.0.1\tcmd=open\tsrc=/input/allowed=x\t"
            + "dst=null\tperm=null");

    assertIs(true, "root", Operation.OPEN, "/input/allowed=x", null);
  }

  @Test
  void takesTheUserWhoseRightsCounted() {
    parse(
        "allowed=false\tugi=etl/host@EXAMPLE.COM (auth:PROXY) via svc/h@EXAMPLE.COM"
            + " (auth:KERBEROS)\tip=/10.0.0.1\tcmd=mkdirs\tsrc=/m\tdst=null\tperm=null");

    assertIs(false, "etl", Operation.OTHER, "/m", null);
  }

  @Test
  void readsTrackingIdAndOptions() {
    parse(
        "allowed=true\tugi=a (auth:TOKEN)\tip=/10.0.0.1\tcmd=rename (options=[TO_TRASH])\t"
            + "src=/a\tdst=/user/a/.Trash/Current/a\tperm=a:b:rw-r--r--\ttrackingId=12ab\tproto=rpc");

    assertIs(true, "a", Operation.RENAME, "/a", "/user/a/.Trash/Current/a");
  }

  @Test
  void takesTheFirstOfAFieldThatStandsTwice() {
    parse(
        "allowed=true\tugi=eve\tip=/1\tcmd=open\tsrc=/a\tdst=null\tperm=null\tproto=rpc\t"
            + "callerContext=x\tallowed=false\tugi=root\tcmd=delete\tsrc=/b");

    assertIs(true, "eve", Operation.OPEN, "/a", null);
  }

  @Test
  void seesThroughTheRawNamespaceOfDistCp() {
    parse("allowed=true\tugi=a\tip=/1\tcmd=open\tsrc=/.reserved/raw/zone/f\tdst=null");

    assertIs(true, "a", Operation.OPEN, "/zone/f", null);
  }

  @Test
  void tellsClientsOfARouterApart() {
    String router =
        "allowed=true\tugi=a (auth:PROXY) via router (auth:KERBEROS)\tip=/2.2.2.2\tcmd=open\tsrc=/a\tdst=null\tperm=null\tproto=rpc\tcallerContext=CLI,clientIp:";
    parse(router + "1.1.1.1,clientPort:33070");
    long first = client(line);
    long firstHost = application(line);
    assertTrue(line.contextStartsWith(Lines.bytes("CLI")));
    parse(router + "1.1.1.1,clientPort:33071");
    assertEquals(first, client(line), "connected anew");
    parse(router.replace("2.2.2.2", "2.2.2.3") + "1.1.1.1,clientPort:33071");
    assertEquals(first, client(line), "through another Router");
    assertEquals(firstHost, application(line));
    parse(router.replace("CLI", "task_2") + "1.1.1.1,clientPort:33071");
    assertNotEquals(first, client(line));
    parse(router + "1.1.1.2,clientPort:33070");
    assertNotEquals(first, client(line));
    assertNotEquals(firstHost, application(line));
  }

  /** Since Hadoop 3.3.5 what the Router adds comes first, since 3.4 with ids of client and call. */
  @Test
  void takesTheClientsOwnTextFromBehindThatOfTheRouter() {
    String router =
        "allowed=true\tugi=a\tip=/2.2.2.2\tcmd=open\tsrc=/a\tdst=null\tperm=null\tproto=rpc\tcallerContext="
            + "clientIp:1.1.1.1,clientPort:%d,clientId:%s,clientCallId:%d,realUser:oozie%s";
    parse(router.formatted(33070, "0f8e", 7, ",distcp-1,clientPort:1"));
    long first = client(line);
    assertTrue(line.contextStartsWith(Lines.bytes("distcp")));
    assertFalse(line.contextStartsWith(Lines.bytes("clientIp")));
    parse(router.formatted(33071, "0f8e", 8, ",distcp-1,clientPort:2,proxyUserPort:3"));
    assertEquals(first, client(line));
    parse(router.formatted(33070, "0f8f", 7, ",distcp-1"));
    assertNotEquals(first, client(line), "another process");
    // Cut off by hadoop.caller.context.max.size.
    parse(router.formatted(33070, "0f8e", 7, ""));
    assertFalse(line.contextStartsWith(Lines.bytes("distcp")));
    // With dfs.namenode.audit.log.with.remote.port, and no Router.
    String direct = "allowed=true\tugi=a\tip=/1.1.1.1\tcmd=open\tsrc=/a\tdst=null\tcallerContext=";
    parse(direct + "clientPort:4711");
    long connection = client(line);
    parse(direct + "clientPort:4712");
    assertEquals(connection, client(line));
  }

  @Test
  void tellsTasksOfAnApplicationApartButNotTheApplication() {
    String spark =
        "allowed=true\tugi=a\tip=/10.0.0.%d\tcmd=open\tsrc=/a\tdst=null\tcallerContext=SPARK_TASK_application_1700000000000_%s_JId_0_SId_0_0_TId_%d";
    parse(spark.formatted(1, "0001", 1));
    long task = client(line);
    long application = application(line);
    parse(spark.formatted(2, "0001", 2));
    assertNotEquals(task, client(line));
    assertEquals(application, application(line));
    parse(spark.formatted(2, "0002", 2));
    assertNotEquals(application, application(line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\tat java.lang.Thread.run(Thread.java:750)",
        "2026-11-20 19:33:39,065 INFO FSNamesystem.audit: allowed=true",
        "allowed=true\tugi=root (auth:SIMPLE)\tip=/127.0.0.1\tcmd=open",
        "allowed=true\tugi=\tcmd=open\tsrc=/a",
        "allowed=true\tugi=root\tcmd=\tsrc=/a",
        "ugi=root\tcmd",
      })
  void hasNothingToSayOfABrokenLine(String text) {
    byte[] bytes = Lines.bytes(text);
    assertFalse(parse(bytes, 0, bytes.length));
  }

  @Test
  void readsEveryLineOfRealClusters() throws IOException {
    Path samples = Path.of(System.getProperty("project.root"), "../shared/traces/hdfs-audit");
    assumeTrue(Files.isDirectory(samples), "no samples of real audit logs at " + samples);
    for (String name :
        List.of(
            "ibm-guardium_hdfs-audit.log",
            "ibm-guardium_sample-audit.log",
            "eagle_securityAuditLog.txt")) {
      try (Stream<String> lines = Files.lines(samples.resolve(name))) {
        List<String> all = lines.filter(text -> !text.isBlank()).toList();
        assertTrue(all.size() > 10);
        all.forEach(this::parse);
      }
    }
  }

  @Test
  void readsEveryGeneratedLine() {
    long seed = Long.getLong("test.seed", 1);
    for (String text : GeneratedLogs.audit(seed, 2_000)) {
      byte[] bytes = Lines.bytes(text);
      assertTrue(parse(bytes, 0, bytes.length), () -> "seed " + seed + ": " + text);
      assertEquals(
          !text.contains("allowed=false"), line.allowed(), () -> "seed " + seed + ": " + text);
      Matcher user = Pattern.compile("ugi=([^, ]+)").matcher(text);
      assertTrue(user.find());
      assertEquals(user.group(1), line.user(), () -> "seed " + seed + ": " + text);
    }
  }

  /** One line of each layout: time, user, address and all that is asked of the line. */
  @Test
  void findsWhatStandsInEachLayoutOfRealClusters() throws IOException {
    Path samples = Path.of(System.getProperty("project.root"), "../shared/traces/hdfs-audit");
    assumeTrue(Files.isDirectory(samples), "no samples of real audit logs at " + samples);
    List<String> variants =
        Files.readAllLines(samples.resolve("format-variants.log")).stream()
            .filter(text -> !text.isBlank())
            .toList();
    String cut = variants.get(2);
    assertFalse(parse(Lines.bytes(cut), 0, cut.length()), "cut off before src");
    assertEquals(
        List.of(
            "2013-11-21T17:24:54.697Z 127.0.0.1 true root OPEN /input/access_log_1",
            "2015-02-11T15:00:00Z 10.115.44.55 true user1 OPEN"
                + " /apps/hdmi-technology/b_pulsar_coe/schema/avroschema/Session.avsc",
            "2020-08-15T04:08:44.462Z 9.46.88.114 true hdfs OPEN"
                + " /ranger/audit/kafka/kafka/20200815/kafka_ranger_audit_cdp711-11.fyre.ibm.com.log",
            "2020-11-29T10:44:07.489Z 10.11.18.117 true hbase CREATE"
                + " /hbase/MasterProcWALs/pv2-00000000000000000003.log CLI",
            "2015-04-17T07:46:18.351Z 127.0.0.1 true jenkins CREATE"
                + " /user/jenkins/target/org.apache.tez.test.TestFaultTolerance-tmpDir/TezAppJar.jar"),
        variants.stream().filter(text -> !text.equals(cut)).map(this::told).toList());
  }

  /** What log4j's layouts put before the record, from Hadoop 0.20 to 3. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-20 19:33:39,065: ",
        "2026-11-20 19:33:39,065 INFO FSNamesystem.audit: ",
        "2026-11-20 19:33:39,065 INFO org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit: ",
        "2026-11-20 19:33:39,065 INFO  [IPC Server handler 1 on 60605] FSNamesystem.audit"
            + " (FSNamesystem.java:logAuditMessage(8234)) - ",
      })
  void findsTheSameBehindThePrefixOfAnyLayout(String prefix) {
    for (String record :
        List.of(
            "allowed=true\tugi=ann (auth:SIMPLE)\tip=/10.0.0.7", "ugi=ann,wheel\tip=/10.0.0.7")) {
      assertEquals(
          "2026-11-20T19:33:39.065Z 10.0.0.7 true ann RENAME /a /b CLI",
          told(prefix + record + "\tcmd=rename\tsrc=/a\tdst=/b\tperm=null\tcallerContext=CLI"));
    }
  }

  /** In one line of text; the address only where the line's own, no other, is the client's. */
  private String told(String text) {
    parse(text);
    byte[] bytes = Lines.bytes(text);
    Matcher address = Pattern.compile("ip=/(\\S+)").matcher(text);
    assertTrue(address.find());
    return Stream.of(
            Instant.ofEpochMilli(new LogTime(ZoneOffset.UTC).parse(bytes, 0, bytes.length)),
            application(line) == AuditLine.hash(address.group(1)) ? address.group(1) : "?",
            line.allowed(),
            line.user(),
            line.operation(),
            line.source(),
            line.destination(),
            line.callerContext())
        .filter(Objects::nonNull)
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }

  @Test
  void findsTheSameInAnyPlaceOfABuffer() {
    String text =
        "2026-11-20 19:33:39,065 INFO FSNamesystem.audit: allowed=true\tugi=root (auth:SIMPLE)\t"
            + "ip=/127.0.0.1\tcmd=rename\tsrc=/d\\u00e9j\\u00e0/f0\tdst=/x\tperm=null";
    byte[] bytes = Lines.bytes(text);
    for (int before = 0; before < 20; before++) {
      for (int after = 0; after < 10; after++) {
        byte[] buffer = new byte[before + bytes.length + after];
        System.arraycopy(bytes, 0, buffer, before, bytes.length);
        assertTrue(parse(buffer, before, before + bytes.length));
        assertIs(true, "root", Operation.RENAME, "/déjà/f0", "/x");
      }
    }
  }

  @Test
  void hasTheKeyOfThePathItPrints() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    int[] alphabet = {'a', 'b', '/', '\\', '\t', '\n', '"', '\'', 0xfc, 0x4e2d, 0x1f600, 0x7f, 0};
    for (int i = 0; i < 20_000; i++) {
      StringBuilder path = new StringBuilder("/");
      int length = random.nextInt(40);
      for (int n = 0; n < length; n++) {
        path.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
      }
      parse(
          "allowed=true\tugi=a\tip=/1\tcmd=open\tsrc="
              + StringEscapeUtils.escapeJava(path.toString())
              + "\tdst=null");
      PathCursor cursor = new PathCursor();
      line.source(cursor);
      assertEquals(path.toString(), cursor.toString(), () -> "seed " + seed);
      cursor.hash(3, hashes);
      assertEquals(PathKey.of(3, path.toString()), hashes.key(), () -> "seed " + seed);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a\\",
        "/a\\u12",
        "/a\\u",
        "/a\\uzzzz",
        "/\\ud83d",
        "/\\ud83d\\u0041",
        "/\\uuu0041",
        "/\\q\\7\\101"
      })
  void livesWithBrokenEscapes(String path) {
    parse("allowed=true\tugi=a\tip=/1\tcmd=open\tsrc=" + path + "\tdst=null");
    PathCursor cursor = new PathCursor();
    line.source(cursor);
    cursor.hash(3, hashes);
    assertEquals(PathKey.of(3, line.source()), hashes.key());
    assertTrue(line.source().startsWith("/"));
  }

  private void parse(String text) {
    byte[] bytes = Lines.bytes(text);
    assertTrue(parse(bytes, 0, bytes.length), text);
  }

  private void assertIs(
      boolean allowed, String user, Operation operation, String source, String destination) {
    assertEquals(allowed, line.allowed());
    assertEquals(user, line.user());
    assertEquals(AuditLine.hash(user), line.userHash());
    assertEquals(operation, line.operation());
    assertEquals(source, line.source());
    assertEquals(destination, line.destination());
  }

  private boolean parse(byte[] bytes, int from, int to) {
    tabs.findTabs(bytes, from, to);
    return line.parse(bytes, from, to, tabs);
  }

  private static long client(AuditLine line) {
    return line.addressHash() ^ line.contextHash();
  }

  private static long application(AuditLine line) {
    long named = line.namedApplicationHash();
    return named == 0 ? line.addressHash() : named;
  }
}
