// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.Filter;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;

/** How much of a log comes through, at times that the events have. */
class RepeatFilterTest {

  private static final String OWN = "io.thermocline.tiering.api.Endpoint";
  private static final String HADOOP = "org.apache.hadoop.hdfs.client.impl.LeaseRenewer";

  private final RepeatFilter filter = new RepeatFilter();
  private final LineLayout layout = new LineLayout();
  private final List<String> lines = new ArrayList<>();

  RepeatFilterTest() {
    layout.setConversionPattern("%p %c{1}: %m%n");
  }

  private void log(String logger, long second, String message, Throwable thrown) {
    LoggingEvent event =
        new LoggingEvent("", Logger.getLogger(logger), second * 1000, Level.WARN, message, thrown);
    if (filter.decide(event) != Filter.DENY) {
      layout.format(event).lines().forEach(lines::add);
    }
  }

  /** A NameNode is away for 143 seconds: a line and a stack trace each second before. */
  @Test
  void aLineOfHadoopPassesOnceAMinuteWithItsErrorAndWithoutItsStack() {
    for (int second = 0; second < 143; second++) {
      log(
          HADOOP,
          second,
          "Failed to renew lease for [DFSClient_" + second + "] for 30 s",
          new IOException("away"));
    }
    List<String> heads = lines.stream().filter(line -> line.startsWith("WARN")).toList();
    assertEquals(3, heads.size(), lines::toString);
    assertTrue(
        heads.get(1).endsWith("for 30 s: java.io.IOException: away (and 59 more like this)"),
        lines::toString);
    assertEquals(heads, lines, "a peer that is away needs no stack");
  }

  @Test
  void aFaultOfALibraryHasItsStackOnce() {
    for (int second = 0; second < 143; second++) {
      log(HADOOP, second, "unexpected", new IllegalStateException("why"));
    }
    assertEquals(1, lines.stream().filter(line -> line.contains("Exception: why")).count());
    assertEquals(2, lines.size() - 1 - lastStackLine(), lines::toString);
  }

  private int lastStackLine() {
    int last = -1;
    for (int i = 0; i < lines.size(); i++) {
      last = lines.get(i).startsWith("    ") ? i : last;
    }
    return last;
  }

  /** A plan is given up: a line a move, each of another file. */
  @Test
  void warningsThatDifferInPathsAndNumbersRepeatEachOther() {
    for (int i = 0; i < 1000; i++) {
      String file = "/data/" + Integer.toString(i, 36);
      log(OWN, 0, "move 4-" + i + ".0 of " + file + " failed: stopping", new IOException("x"));
    }
    assertEquals(RepeatFilter.MAX_WARNINGS, lines.size(), lines::toString);
    assertTrue(lines.get(0).endsWith("stopping: java.io.IOException: x"), lines::toString);
  }

  /** With both NameNodes down: each call names itself at the end of the line. */
  @Test
  void linesOfHadoopThatBeginAlikeRepeatEachOther() {
    for (String call : List.of("getFileInfo", "renewLease", "setSafeMode")) {
      log(
          HADOOP,
          0,
          "A failover has occurred since the start of call #7 ClientProtocol." + call,
          null);
    }
    assertEquals(1, lines.size(), lines::toString);
  }

  @Test
  void whatACallerCausesIsBoundedWhateverItSays() {
    for (int i = 0; i < 100_000; i++) {
      log(OWN, i / 10_000, "POST /control/pause by eve: " + Integer.toString(i, 36), null);
      log(OWN, i / 10_000, "POST /plans/" + i + "/approve by eve", null);
    }
    assertTrue(lines.size() <= RepeatFilter.MAX_LINES, () -> lines.size() + " lines");
    log(OWN, 100, "POST /plans/7/approve by eve", null);
    assertTrue(lines.get(lines.size() - 1).endsWith("(and 99995 more like this)"), lines::toString);
  }

  @Test
  void linesThatDifferDontHideEachOther() {
    for (int i = 0; i < 20; i++) {
      log(OWN, 0, "fact " + (char) ('a' + i), new IOException("x"));
    }
    assertEquals(20, lines.stream().filter(line -> line.startsWith("WARN")).count());
    assertEquals(20, lines.stream().filter(line -> line.contains("IOException: x")).count());
    log(OWN, 100, "fact a", null);
    assertFalse(lines.get(lines.size() - 1).contains("more like this"), lines::toString);
  }

  /** Both configurations of the service's log have it. */
  @Test
  void isInForceWhereTheServiceLogs() throws IOException {
    Path root = Path.of(System.getProperty("project.root"));
    for (String file :
        List.of(
            "conf/log4j.properties",
            "tiering-service/src/main/resources/thermocline-log4j.properties")) {
      Properties properties = new Properties();
      properties.load(new StringReader(Files.readString(root.resolve(file))));
      assertEquals(
          RepeatFilter.class.getName(),
          properties.getProperty("log4j.appender.stdout.filter.repeats"),
          file);
    }
  }
}
