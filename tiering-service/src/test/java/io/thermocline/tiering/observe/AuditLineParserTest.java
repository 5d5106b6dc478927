// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditLineParserTest {

  @Test
  void readsALineOfHadoop3() {
    AuditEvent event =
        AuditLineParser.parse(
            "2026-11-20 19:33:39,065 INFO FSNamesystem.audit: allowed=true\tugi=root (auth:SIMPLE)\t"
                + "ip=/127.0.0.1\tcmd=open\tsrc=/plain/f0\tdst=null\tperm=null\tproto=rpc\t"
                + "callerContext=tiering-test_1");

    assertEquals(new AuditEvent(true, "root", "open", "/plain/f0", null, "tiering-test_1"), event);
  }

  @Test
  void unescapesPaths() {
    AuditEvent event =
        AuditLineParser.parse(
            "INFO FSNamesystem.audit: allowed=true\tugi=root (auth:SIMPLE)\tip=/127.0.0.1\tcmd=rename\t"
                + "src=/plain/f99\tdst=/plain/f\\tx 99 \\u00FC=a\tperm=null\tproto=rpc");

    assertEquals("/plain/f\tx 99 ü=a", event.destination());
  }

  @Test
  void readsALineWithoutAllowed() {
    AuditEvent event =
        AuditLineParser.parse(
            "2013-11-21 17:24:54,697: ugi=root\tip=/127.0.0.1\tcmd=open\tsrc=/input/access_log_1\t"
                + "dst=null\tperm=null");

    assertEquals(new AuditEvent(true, "root", "open", "/input/access_log_1", null, null), event);
  }

  @Test
  void takesTheUserWhoseRightsCounted() {
    AuditEvent event =
        AuditLineParser.parse(
            "allowed=false\tugi=etl/host@EXAMPLE.COM (auth:PROXY) via svc/h@EXAMPLE.COM"
                + " (auth:KERBEROS)\tip=/10.0.0.1\tcmd=mkdirs\tsrc=/m\tdst=null\tperm=null");

    assertEquals(new AuditEvent(false, "etl", "mkdirs", "/m", null, null), event);
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
  void hasNothingToSayOfABrokenLine(String line) {
    assertNull(AuditLineParser.parse(line));
  }

  @Test
  void readsEveryLineOfRealClusters() throws IOException {
    Path samples = Path.of(System.getProperty("project.root"), "../shared/traces/hdfs-audit");
    assumeTrue(Files.isDirectory(samples), "no samples of real audit logs at " + samples);
    for (String name : List.of("ibm-guardium_hdfs-audit.log", "ibm-guardium_sample-audit.log")) {
      try (Stream<String> lines = Files.lines(samples.resolve(name))) {
        List<String> all = lines.filter(line -> !line.isBlank()).toList();
        assertTrue(all.size() > 10);
        all.forEach(line -> assertNotNull(AuditLineParser.parse(line), line));
      }
    }
  }
}
