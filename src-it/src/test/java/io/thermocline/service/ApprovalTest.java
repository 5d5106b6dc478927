// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that moves nothing before somebody says so, asked with the commands of the launcher. */
@Tag("cluster")
class ApprovalTest {

  private static final String FILE = "/approved/hot";
  private static final String COLD = "/approved/cold";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path temp;

  private String address;

  @Test
  void plansWaitUntilSomebodyApprovesThem() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD))) {
      cluster.write(FILE);
      Path directory = Files.createDirectories(temp.resolve("service"));
      Path config =
          cluster
              .setup("/approved")
              .apply()
              .planEvery("1h")
              .replace("approval: none", "approval: one")
              .write(directory);
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        service.logs("running in APPLY mode");
        address = service.address();
        cluster.read(FILE, 6);
        // The next one by itself is an hour away.
        Eventually.holds(
            "a plan of what was read", () -> json("plan", "now", "--why", "a report").has("plan"));
        assertEquals("WAITING", newest());
        assertTrue(cluster.has(FILE, 0, StorageType.SSD), "nobody has approved anything");
        assertEquals(0, json("status").at("/moves/planned").asInt());
        assertTrue(ask("explain", FILE).out().contains("next"), "asked of the service");
        Launched two = ask("explain", "/approved/none", FILE);
        assertEquals(1, two.status(), two::toString);
        assertTrue(two.out().contains(FILE) && two.err().contains("/approved/none"), two::toString);

        long number = json("plan", "list").at("/items/0/number").asLong();
        String plan = Long.toString(number);
        assertEquals(0, ask("approve", plan).status());
        assertEquals("WAITING", newest(), "without a reason it is only said");
        String asked = "POST /api/v1/plans/" + plan + "/approve by ";
        assertTrue(service.has(asked, " (dry run)"), service::toString);
        Launched approved = ask("approve", plan, "--why", "checked", "--wait");
        assertEquals(0, approved.status(), approved::toString);
        assertTrue(service.has(asked, ": checked"), service::toString);
        assertEquals("DONE", JSON.readTree(approved.out()).get("state").asText());
        Eventually.holds("one copy on SSD", () -> cluster.has(FILE, 1, StorageType.SSD));
        JsonNode done = json("plan", "show", plan);
        assertEquals("DONE", done.at("/plan/state").asText());
        assertEquals(FILE, done.at("/files/items/0/path").asText());
        assertEquals(4, ask("approve", plan, "--why", "again").status());
        assertFalse(ServiceSetup.journal(directory, "plan", "RUNNING").isEmpty());

        assertEquals(0, ask("plan", "undo", plan).status());
        assertTrue(cluster.has(FILE, 1, StorageType.SSD), "without a reason it is only said");
        Launched undone = ask("plan", "undo", plan, "--why", "the owners want it back", "--wait");
        assertEquals(0, undone.status(), undone::toString);
        JsonNode task = JSON.readTree(undone.out());
        assertTrue(task.get("total").asInt() > 0, undone::toString);
        assertEquals(task.get("total"), task.get("done"), undone::toString);
        assertTrue(task.path("totalBytes").asLong() > 0, undone::toString);
        assertEquals(task.get("totalBytes"), task.get("doneBytes"), undone::toString);
        assertFalse(service.has("isn't ours any more"), service::toString);
        Launched unknown = ask("plan", "undo", "99", "--yes");
        assertTrue(unknown.err().contains("there is no plan 99"), unknown::toString);
        Eventually.holds("back on DISK", () -> cluster.has(FILE, 3, StorageType.DISK));
        assertEquals(1, ServiceSetup.journal(directory, "\"entry\":\"undo\"").size());
        assertTrue(
            json("plan", "list").toString().contains("takes back plan " + plan + " for "),
            "undo is a plan too");
        movesAPathOnce(cluster);
        reloadsAndExcludes(config);
        service.terminate();
      }
      assertEquals(3, ask("status").status(), "nobody answers any more");
    }
  }

  private void movesAPathOnce(ServedCluster cluster) throws Exception {
    cluster.write(COLD);
    JsonNode would = json("move", COLD, "SSD");
    assertTrue(would.get("dryRun").asBoolean(), would::toString);
    assertEquals(COLD, would.at("/planned/0/path").asText(), would::toString);
    assertFalse(would.has("plan"), would::toString);
    JsonNode ordered = json("move", "/approved/", "SSD", "--why", "for a report");
    String plan = ordered.get("plan").asText();
    assertEquals("WAITING", json("plan", "show", plan).at("/plan/state").asText());
    assertTrue(cluster.has(COLD, 3, StorageType.DISK), "nobody has approved it");
    JsonNode now = json("plan", "now", "--why", "new nodes");
    assertFalse(now.get("what").asText().isEmpty(), now::toString);
    assertEquals("WAITING", json("plan", "show", plan).at("/plan/state").asText(), "beside it");
    assertEquals(0, ask("approve", plan, "--why", "fine", "--wait").status());
    Eventually.holds("one copy on SSD", () -> cluster.has(COLD, 1, StorageType.SSD));
    assertEquals(0, ask("plan", "undo", plan, "--yes", "--wait").status());
    Eventually.holds("back on DISK", () -> cluster.has(COLD, 3, StorageType.DISK));

    Launched none = ask("move", "/elsewhere", "SSD");
    assertEquals(1, none.status(), none::toString);
    assertTrue(none.err().contains("manage.paths"), none::toString);
  }

  private void reloadsAndExcludes(Path config) throws Exception {
    String text = Files.readString(config);
    Files.writeString(config, text.replace("exclude: []", "exclude: [127.0.0.1]\n  copis: 3"));
    Launched refused = ask("reload", "--why", "maintenance");
    assertEquals(4, refused.status(), refused::toString);
    assertTrue(refused.err().contains("copis"), refused::toString);

    Files.writeString(config, text.replace("exclude: []", "exclude: [127.0.0.1]"));
    JsonNode reloaded = json("reload", "--why", "maintenance");
    assertEquals("act.exclude: [] -> [127.0.0.1]", reloaded.get("what").asText());
    JsonNode task = json("tasks").at("/items/0");
    assertEquals("reload maintenance", task.get("what").asText() + " " + task.get("why").asText());
    Eventually.holds(
        "nodes that are excluded", () -> json("nodes").at("/items/0/excluded").asBoolean());
    JsonNode held = json("move", COLD, "SSD");
    assertTrue(held.at("/left/0/reason").asText().contains("act.exclude"), held::toString);
  }

  private String newest() throws Exception {
    return json("plan", "list").at("/items/0/state").asText("");
  }

  private JsonNode json(String... words) throws IOException, InterruptedException {
    return JSON.readTree(ask(words).out());
  }

  private Launched ask(String... words) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("--json", "--service", address));
    return Launched.installed(temp, "ann", line);
  }
}
