// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompletenessTest {

  private final CompletenessMeter meter = new CompletenessMeter(60_000);

  @Test
  void comparesWhatHappenedInTheWindow() {
    add(0, 1_000_000, 5, 10);
    Completeness complete = add(30_000, 1_010_000, 10_005, 10);
    assertEquals(1, complete.share());

    // From here on a tenth is dropped.
    add(60_000, 1_020_000, 19_005, 1010);
    add(90_000, 1_030_000, 28_005, 2010);
    Completeness lossy = add(120_000, 1_040_000, 37_005, 3010);
    assertEquals(new Completeness(20_000, 18_000, 2000), lossy);
    assertEquals(0.9, lossy.share());
  }

  @Test
  void beginsAnewAfterARestartAndWhereItIsNotActive() {
    add(0, 50_000, 50_000, 0);
    assertFalse(add(1000, 10, 50_010, 0).isKnown());
    add(2000, 5000, 55_000, 0);
    meter.add(3000, Optional.empty(), totals(55_000, 0));
    assertFalse(add(4000, 9000, 55_000, 0).isKnown());
    assertEquals(1, add(5000, 14_000, 60_000, 0).share());
  }

  @Test
  void leavesOutWhatIsNotLogged() {
    meter.add(0, Optional.of(both(0, 0)), audited(Map.of(), 0, 0));
    assertEquals(
        new Completeness(2000, 2000, 0),
        meter.add(
            1, Optional.of(both(90_000, 2000)), audited(Map.of(Operation.DELETE, 2000L), 2000, 0)));
  }

  @Test
  void knowsThatAMuteLogIsNotComplete() {
    meter.add(0, Optional.of(both(0, 0)), audited(Map.of(), 70, 0));
    assertEquals(
        new Completeness(92_000, 0, 0),
        meter.add(1, Optional.of(both(90_000, 2000)), audited(Map.of(), 70, 0)));
  }

  /** A getfileinfo that was refused counts, and deletes and renames that were do not. */
  @Test
  void comparesLinesAsTheNameNodeCounts() {
    LineReader reader =
        new LineReader(
            new AccessRules(
                SeenAccess.NAMESERVICE, AccessSettings.defaults(AccessSettings.Ignored.nothing())),
            ZoneOffset.UTC);
    for (String command :
        List.of("getfileinfo", "isFileClosed", "delete", "rename", "rename (options=[NONE])")) {
      for (String allowed : List.of("true", "false")) {
        byte[] line =
            Lines.bytes(
                Lines.at(0, "a", command, "/a", "/b", "")
                    .replace("allowed=true", "allowed=" + allowed)
                    .strip());
        reader.look(line, 0, line.length, 0);
        reader.accept(line, 0, line.length, access -> {});
      }
    }
    assertEquals(2, reader.audited(Operation.GET_FILE_INFO));
    assertEquals(1, reader.audited(Operation.DELETE));
    assertEquals(2, reader.audited(Operation.RENAME));
  }

  @Test
  void readsThePageOfANameNode() throws Exception {
    String[] state = {"active"};
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/jmx",
        exchange -> {
          String query = exchange.getRequestURI().getQuery();
          byte[] answer =
              (query.endsWith("name=NameNodeStatus")
                      ? "{\"beans\":[{\"State\":\"" + state[0] + "\"}]}"
                      : query.endsWith("name=NameNodeActivity")
                          ? "{\"beans\":[{\"FileInfoOps\":7,\"DeleteFileOps\":8,\"FilesRenamed\":9}]}"
                          : "{\"beans\":[]}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    URI web = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    try {
      CompletenessMeter.Totals totals = new NameNodeCounters(web).read().orElseThrow();
      assertEquals(7, totals.of(Operation.GET_FILE_INFO));
      assertEquals(8, totals.of(Operation.DELETE));
      assertEquals(9, totals.of(Operation.RENAME));
      state[0] = "standby";
      assertTrue(new NameNodeCounters(web).read().isEmpty());
    } finally {
      server.stop(0);
    }
    assertThrows(IOException.class, () -> new NameNodeCounters(web).read());
  }

  private Completeness add(long millis, long counted, long audited, long discarded) {
    return meter.add(
        millis,
        Optional.of(new CompletenessMeter.Totals(Map.of(Operation.GET_FILE_INFO, counted))),
        totals(audited, discarded));
  }

  private static CompletenessMeter.Totals both(long fileInfos, long deletes) {
    return new CompletenessMeter.Totals(
        Map.of(Operation.GET_FILE_INFO, fileInfos, Operation.DELETE, deletes));
  }

  private static CompletenessMeter.Audited totals(long audited, long discarded) {
    return audited(Map.of(Operation.GET_FILE_INFO, audited), audited, discarded);
  }

  private static CompletenessMeter.Audited audited(
      Map<Operation, Long> totals, long lines, long discarded) {
    return new CompletenessMeter.Audited(new CompletenessMeter.Totals(totals), lines, discarded);
  }
}
