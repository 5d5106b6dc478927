// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.choice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.choice.Location;
import io.thermocline.placement.choice.PublishedPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** That clients agree: on one table whatever order they see servers in, and over time. */
class ServerTableTest {
  private static final int PATHS = 3_000;

  @Test
  void orderInWhichServersAreSeenDoesNotMatter() {
    List<Server> servers = servers(12);
    ServerTable one = ServerTable.of(servers);
    List<Server> shuffled = new ArrayList<>(servers);
    Collections.shuffle(shuffled, new Random(3));
    assertEquals(one.text(), ServerTable.of(shuffled).text());
  }

  @Test
  void textGivesTheSameTable() {
    ServerTable table = ServerTable.of(servers(9)).with(servers(12).subList(2, 12));
    ServerTable again = ServerTable.parse(table.text());
    assertEquals(table.text(), again.text());
    assertEquals(table.servers(), again.servers());
    assertSame(table, again);
  }

  /** The text of a table that was published must mean the same to every later release. */
  @Test
  void candidatesOfATextAreForGood() {
    ServerTable table = ServerTable.parse(GOLDEN);
    assertEquals(GOLDEN, table.text());
    assertEquals(
        GOLDEN_CANDIDATES, ids(FileChoices.of(table, 3, 3).candidatesFor("/warehouse/part-00000")));
  }

  private static final String GOLDEN =
      "thermocline-servers 1\n"
          + "p 2.0E12\n"
          + "a 10.0.0.1:9866 10.0.0.1:9864 h1 /r1 1000000000000 1000000000000 present\n"
          + "b 10.0.0.2:9866 - h2 /r1 2000000000000 2000000000000 present\n"
          + "c 10.0.0.3:9866 10.0.0.3:9864 h3 /r2 3000000000000 3000000000000 gone\n"
          + "d 10.0.0.4:9866 10.0.0.4:9864 h4 /r2 5000000000000 4000000000000 present\n"
          + "e 10.0.0.5:9866 10.0.0.5:9864 h5 /r3 1000000000000 1000000000000 present\n";
  private static final String GOLDEN_CANDIDATES = "dea dab dbe";

  @Test
  void aServerThatGoesAndComesBackFindsItsPlace() {
    List<Server> servers = servers(10);
    ServerTable before = ServerTable.of(servers);
    ServerTable without = before.with(servers.subList(0, 9));
    assertEquals(9, without.servers().size());
    ServerTable back = without.with(servers);
    assertEquals(before.text(), back.text());
    assertSame(before, back);
  }

  @Test
  void aServerThatIsGoneChangesOnlySetsThatHadIt() {
    List<Server> servers = servers(20);
    ServerTable before = ServerTable.of(servers);
    Server gone = servers.get(7);
    List<Server> rest = new ArrayList<>(servers);
    rest.remove(gone);
    FileChoices was = FileChoices.of(before, 1, 3);
    FileChoices is = FileChoices.of(before.with(rest), 1, 3);
    int changed = 0;
    for (int i = 0; i < PATHS; i++) {
      List<Server> then = was.candidatesFor("/f" + i).sets().get(0);
      List<Server> now = is.candidatesFor("/f" + i).sets().get(0);
      if (then.contains(gone)) {
        changed++;
        assertTrue(!now.contains(gone));
      } else {
        assertEquals(then, now);
      }
    }
    assertTrue(changed > 0);
  }

  @Test
  void aNewServerIsAddedAtTheEndWhateverItsId() {
    List<Server> servers = servers(20);
    Server early = server("a-first-by-name", 99, 0);
    List<Server> more = new ArrayList<>(servers);
    more.add(early);
    FileChoices was = FileChoices.of(ServerTable.of(servers), 1, 1);
    FileChoices is = FileChoices.of(ServerTable.of(servers).with(more), 1, 1);
    int moved = 0;
    for (int i = 0; i < PATHS; i++) {
      Server then = was.candidatesFor("/f" + i).sets().get(0).get(0);
      Server now = is.candidatesFor("/f" + i).sets().get(0).get(0);
      if (!now.equals(then)) {
        assertEquals(early, now, "moved between old servers");
        moved++;
      }
    }
    // One of 21 alike; 4.75 standard deviations are passed once in a million.
    double share = 1.0 / 21;
    assertEquals(PATHS * share, moved, 4.7534 * Math.sqrt(PATHS * share * (1 - share)) + .5);
  }

  @Test
  void changedCapacityKeepsThePlaceAndChangedAddressIsTaken() {
    List<Server> servers = servers(5);
    ServerTable before = ServerTable.of(servers);
    List<Server> changed = new ArrayList<>(servers);
    changed.set(
        2,
        Server.of(
            servers.get(2).id(),
            "10.9.9.9:1234",
            "-",
            servers.get(2).location(),
            9 * servers.get(2).capacityBytes()));
    ServerTable after = before.with(changed);
    assertSame(before, after);
    assertTrue(
        after.servers().stream().anyMatch(server -> server.address().equals("10.9.9.9:1234")));
  }

  @Test
  void aClusterWithoutServersHasNoCandidates() {
    ServerTable empty = ServerTable.of(servers(3)).with(List.of());
    assertEquals(List.of(), empty.servers());
    assertEquals(empty.text(), ServerTable.parse(empty.text()).text());
    FileCandidates none = FileChoices.of(empty, 2, 3).candidatesFor("/f");
    assertEquals(List.of(), none.sets());
    assertThrows(
        IllegalArgumentException.class,
        () -> none.choose(PublishedPolicy.SPACE, (metric, server) -> 0));
  }

  @Test
  void badTextsSayWhichLine() {
    assertBad("line 1", "servers\np 1\n");
    assertBad("line 2", GOLDEN.replace("p 2.0E12", "p -1"));
    assertBad("line 3", GOLDEN.replace("/r1 1000000000000 1000000000000 present", "/r1"));
    assertBad("line 4: server a appears twice", GOLDEN.replace("\nb 10", "\na 10"));
    assertBad("line 5", GOLDEN.replace("gone", "away"));
    assertBad("no servers", "thermocline-servers 1\np 1.0\n");
    assertThrows(IllegalArgumentException.class, () -> ServerTable.of(List.of()));
    List<Server> twice = List.of(server("x", 1, 1), server("x", 2, 2));
    assertThrows(IllegalArgumentException.class, () -> ServerTable.of(twice));
    assertThrows(
        IllegalArgumentException.class,
        () -> Server.of("i d", "h:1", "-", Location.of("h", "/r"), 1));
  }

  private static void assertBad(String says, String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ServerTable.parse(text)).getMessage();
    assertTrue(message.contains(says), message);
  }

  private static void assertSame(ServerTable one, ServerTable other) {
    FileChoices ofOne = FileChoices.of(one, 3, 3);
    FileChoices ofOther = FileChoices.of(other, 3, 3);
    for (int i = 0; i < PATHS; i++) {
      assertEquals(ofOne.candidatesFor("/f" + i).sets(), ofOther.candidatesFor("/f" + i).sets());
    }
  }

  private static String ids(FileCandidates candidates) {
    StringBuilder text = new StringBuilder();
    for (List<Server> set : candidates.sets()) {
      set.forEach(server -> text.append(server.id()));
      text.append(' ');
    }
    return text.toString().trim();
  }

  private static List<Server> servers(int count) {
    List<Server> servers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      servers.add(server(String.format("dn%02d", i), i, i % 4));
    }
    return servers;
  }

  private static Server server(String id, int number, int rack) {
    return Server.of(
        id,
        "10.0.0." + number + ":9866",
        "10.0.0." + number + ":9864",
        Location.of("host" + number, "/rack" + rack),
        4_000_000_000_000L);
  }
}
