// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.api.Role;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.TimeoutException;

/**
 * The pages in a real browser, of a service on a real cluster that others read and write all the
 * time.
 */
@Tag("cluster")
class DashboardTest {

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final List<String> PAGES =
      List.of("Overview", "Heat", "Plans", "Savings", "Rules", "Hints", "Groups", "Nodes");

  private static final String BY_KEYS = "/data/keys";

  /** A tag, a script, a quote that would end an attribute, what turns the direction of writing. */
  private static final List<String> ODD =
      List.of(
          "/data/sales/<b>odd</b>",
          "/data/\"><img src=x onerror=alert(1)>",
          "/data/logs/\u202etxt.exe",
          "/data/logs/{{constructor}}",
          "/data/sales/'onmouseover='alert(1)");

  /** How long a session is that the test sees the end of. */
  private static final String BRIEF = "20s";

  /** What pages say where they know that there is none. */
  private static final List<String> NONE =
      List.of(
          "Nothing yet",
          "No report",
          "No plan",
          "No file",
          "There are none",
          "No owner",
          "Nobody said anything",
          "Nothing was",
          "Not known before the first plan");

  /** More files than a page shows of a plan. */
  private static final int MANY = 30;

  private static final Path PICTURES = Path.of("target", "dashboard");

  @TempDir private Path temp;

  private record Window(String name, int width, int height, boolean dark) {}

  @Test
  void isWhereAPersonSeesAndSteersTheService() throws Exception {
    Callers callers = new Callers(temp, Map.of("olga", Role.ADMINISTRATOR, "vic", Role.VIEWER));
    String token = callers.token("olga");
    String address = "127.0.0.1:" + freePort();
    try (ServedCluster cluster =
            ServedCluster.start(
                temp,
                List.of(StorageType.SSD, StorageType.DISK),
                4,
                // Hints are written in their owner's name.
                ServedCluster.actsForCallers(ServiceProcess.USER));
        Browser browser = Browser.start(temp.resolve("browser"))) {
      cluster.write("/data/hot");
      cluster.write(BY_KEYS);
      for (String odd : ODD) {
        cluster.write(odd);
        cluster.superuser().setOwner(new org.apache.hadoop.fs.Path(odd), "olga", null);
      }
      Path config =
          callers
              .known(
                  cluster
                      .setup("/data")
                      .apply()
                      .replace("approval: none", "approval: one")
                      .replace("pin: []", "pin: [/data/sales]")
                      .replace("listen: 127.0.0.1:8480", "listen: " + address))
              .write(Files.createDirectories(temp.resolve("service")));
      browser.size(1400, 1000);

      try (BackgroundLoad load = BackgroundLoad.start(cluster, "/load");
          ServiceProcess service = serve(config)) {
        browser.open("http://" + address + "/");
        signsIn(browser, token);
        approvesAPlanAndTakesItBack(browser, cluster, "http://" + address, token);
        approvesAPlanByKeysAlone(browser, cluster);
        saysWhatThatBroughtAndCost(browser, cluster);
        pausesAndResumes(browser);
        // More than a table has, and then the one on a file.
        hint("http://" + address, token, streams());
        hint("http://" + address, token, pin(ODD.get(0)));
        for (int i = 0; i < ODD.size(); i++) {
          cluster.read(ODD.get(i), 1 + i);
        }
        showsWhatIsPlannedAndNamesAsTheyAre(browser);
        discardsAPlan(browser);
        looksIntoTheHeatMap(browser);
        triesRules(browser);
        findsAHintByItsPath(browser);
        long before = auditLines("http://" + address, token);
        load.goesOn();
        showsEveryPageToEverybody(browser);
        load.goesOn();
        assertTrue(
            auditLines("http://" + address, token) - before > BackgroundLoad.LEAST,
            "the log was followed meanwhile");
        signsOutAndInAgain(browser, token);
        showsNothingThatItDoesNotKnow(browser);
        signsOutInAllTabs(browser, token);
        saysWhatARoleCannotDo(browser, callers.token("vic"), token);
        showsAllFilesOfAPlan(browser, cluster, "http://" + address, token);
        service.terminate();
      }
      browser.click("Overview");
      browser.shows("the service does not answer");
      Files.writeString(
          config,
          Files.readString(config)
              .replace("# session: 8h", "session: " + BRIEF)
              .replace("enabled: on", "enabled: off")
              .replace("mode: apply", "mode: shadow"));
      cluster.stopDataNode(3);
      try (ServiceProcess service = serve(config)) {
        Eventually.holds(
            "a plan by which a DataNode is silent",
            LIMIT,
            () -> asked("http://" + address, token, "/nodes").toString().contains("no heartbeat"));
        // Its sessions ended with it.
        browser.shows("Your session has ended.");
        browser.type("Token", token);
        browser.click("Sign in");
        browser.shows("Audit lines");
        browser.showsNoMore("does not answer");
        saysWhoIsDead(browser);
        browser.click("Overview");
        // By itself, when its time is over.
        browser.shows("Your session has ended.");
        browser.isAccessible("session ended");
        browser.type("Token", token);
        browser.click("Sign in");
        browser.shows("Audit lines");
        saysWhatIsOff(browser);
        service.terminate();
      }
      assertEquals(List.of(), browser.errors());
    }
  }

  private static void saysWhatIsOff(Browser browser) {
    for (List<String> page :
        List.of(
            List.of("Hints", "hints.enabled: on"), List.of("Groups", "decide.actions.groups"))) {
      browser.click(page.get(0));
      browser.shows("set " + page.get(1));
      browser.showsNoMore("Asking the service");
      assertEquals(0, browser.count("[role=alert]"), browser::text);
    }
  }

  /** Though the NameNode takes it for live, and nobody watches in shadow mode. */
  private static void saysWhoIsDead(Browser browser) {
    browser.click("Nodes");
    List<List<String>> nodes = browser.table("DataNodes that were live with the last plan");
    assertEquals(5, nodes.size(), nodes::toString);
    for (List<String> node : nodes.subList(1, 5)) {
      String state = node.get(0).startsWith("dn3.test:") ? "silent" : "live";
      assertEquals(state, node.get(1), nodes::toString);
    }
  }

  private static void signsIn(Browser browser, String token) throws Exception {
    browser.shows("Sign in with a token");
    browser.isAccessible("sign in");
    browser.type("Token", "wrong");
    browser.click("Sign in");
    browser.shows("the request shows an unknown token");
    browser.type("Token", token);
    browser.click("Sign in");
    browser.shows("Audit lines");
    browser.shows("apply · running");
  }

  private static void approvesAPlanAndTakesItBack(
      Browser browser, ServedCluster cluster, String address, String token) throws Exception {
    cluster.read("/data/hot", 10);
    browser.click("Plans");
    browser.shows("waiting");
    String plan = newest(browser);
    browser.click(plan);
    browser.shows("/data/hot");
    List<JsonNode> space = showsTheSpaceThatItTakes(browser, address, token, plan);
    Map<String, Long> before = usedInHdfs(cluster);
    used(space, "beforeBytes")
        .forEach((node, bytes) -> assertEquals(before.get(node), bytes, node));
    browser.click("Approve");
    browser.shows("dry run");
    browser.shows("olga approves plan");
    assertFalse(browser.text().contains("Sets on directories"), browser::text);
    browser.isAccessible("approval");
    browser.type("Why (is recorded)", "read by everybody");
    browser.click("Approve");
    browser.shows("olga: read by everybody");
    browser.shows("done");
    Eventually.holds("one copy on SSD", LIMIT, () -> cluster.has("/data/hot", 1, StorageType.SSD));
    Eventually.holds(
        "as much is used as the page said",
        LIMIT,
        () -> {
          Map<String, Long> now = usedInHdfs(cluster);
          return used(space, "afterBytes").entrySet().stream()
              .allMatch(each -> isNear(now.getOrDefault(each.getKey(), 0L), each.getValue()));
        });
    browser.click("Undo");
    browser.shows("takes back plan");
    browser.type("Why (is recorded)", "the owners want it back");
    browser.click("Undo");
    browser.shows("taking back plan");
    Eventually.holds("back on DISK", LIMIT, () -> cluster.has("/data/hot", 3, StorageType.DISK));
  }

  /** Each cell of the page, and on SSD one more copy. */
  private static List<JsonNode> showsTheSpaceThatItTakes(
      Browser browser, String address, String token, String plan) throws Exception {
    List<JsonNode> space = new ArrayList<>();
    // A plan that waits is made again, of what is used by then.
    Eventually.holds(
        "the space that the service says",
        LIMIT,
        () -> {
          space.clear();
          asked(address, token, "/plans/" + plan + "/space").path("items").forEach(space::add);
          List<List<String>> shown = browser.table("Space of storage types, and of DataNodes");
          return shown
              .subList(1, shown.size())
              .equals(space.stream().map(DashboardTest::asShown).toList());
        });
    long[] more = new long[2];
    for (JsonNode each : space) {
      if (each.path("type").asText().equals("SSD")) {
        more[each.path("node").asText().isEmpty() ? 0 : 1] +=
            each.path("afterBytes").asLong() - each.path("beforeBytes").asLong();
      }
    }
    assertEquals(ServedCluster.FILE_BYTES, more[0], "in all");
    assertEquals(ServedCluster.FILE_BYTES, more[1], "of DataNodes");
    return space;
  }

  private static List<String> asShown(JsonNode space) {
    String node = space.path("node").asText();
    return List.of(
        node.isEmpty() ? "all" : node,
        space.path("type").asText(),
        bytes(space.path("beforeBytes").asLong()),
        bytes(space.path("afterBytes").asLong()),
        bytes(space.path("capacityBytes").asLong()));
  }

  /** As the page writes it. */
  private static String bytes(long count) {
    double value = count;
    int unit = 0;
    while (value >= 1024) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, value < 10 && unit > 0 ? "%.1f " : "%.0f ", value)
        + List.of("B", "KB", "MB", "GB").get(unit);
  }

  /** On SSD, where nobody else writes: by DataNode, and of all. */
  private static Map<String, Long> used(List<JsonNode> space, String when) {
    return space.stream()
        .filter(each -> each.path("type").asText().equals("SSD"))
        .collect(
            Collectors.toMap(each -> each.path("node").asText(), each -> each.path(when).asLong()));
  }

  /** What the NameNode has of it. */
  private static Map<String, Long> usedInHdfs(ServedCluster cluster) throws IOException {
    Map<String, Long> used = new HashMap<>();
    for (DatanodeStorageReport node :
        cluster.superuser().getClient().getDatanodeStorageReport(DatanodeReportType.LIVE)) {
      for (StorageReport storage : node.getStorageReports()) {
        if (storage.getStorage().getStorageType().name().equals("SSD")) {
          used.merge(node.getDatanodeInfo().getXferAddr(), storage.getDfsUsed(), Long::sum);
          used.merge("", storage.getDfsUsed(), Long::sum);
        }
      }
    }
    return used;
  }

  /** A block has its checksums beside it. */
  private static boolean isNear(long used, long said) {
    return used >= said && used - said <= said / 50;
  }

  private static void approvesAPlanByKeysAlone(Browser browser, ServedCluster cluster)
      throws Exception {
    cluster.read(BY_KEYS, 10);
    for (int attempt = 1; ; attempt++) {
      try {
        approvesTheNewestByKeys(browser);
        break;
      } catch (AssertionError | TimeoutException e) {
        // Keys take their time, and heat goes on: the plan that they were at may be no more.
        if (attempt == 3) {
          throw e;
        }
        browser.press(Keys.ESCAPE);
      }
    }
    Eventually.holds("one copy on SSD", LIMIT, () -> cluster.has(BY_KEYS, 1, StorageType.SSD));
  }

  /** From the list of plans to the last word, with no mouse. */
  private static void approvesTheNewestByKeys(Browser browser) {
    browser.tabTo("Plans");
    browser.showsFocusOn("Plans");
    browser.press(Keys.ENTER);
    browser.shows("The last plans");
    browser.shows("waiting");
    String plan = newest(browser);
    browser.tabTo(plan);
    browser.showsFocusOn(plan);
    browser.press(Keys.ENTER);
    browser.shows(BY_KEYS);
    browser.tabTo("Approve");
    browser.showsFocusOn("Approve");
    browser.press(Keys.ENTER);
    browser.shows("olga approves plan");
    browser.showsFocusOn("Why (is recorded)");
    browser.press(Keys.ESCAPE);
    browser.showsNoMore("olga approves plan");
    browser.showsFocusOn("Approve");
    browser.press(Keys.ENTER);
    browser.showsFocusOn("Why (is recorded)");
    browser.press("by keys alone");
    browser.tabTo("Approve");
    browser.showsFocusOn("Approve");
    browser.press(Keys.ENTER);
    browser.shows("olga: by keys alone");
    browser.shows("done");
  }

  private static void saysWhatThatBroughtAndCost(Browser browser, ServedCluster cluster)
      throws Exception {
    // One was taken back, which is no mistake of the service; the other is read from where it came
    // to.
    cluster.read("/data/hot", 3);
    cluster.read(BY_KEYS, 4);
    browser.click("Savings");
    browser.shows("What it cost, day by day");
    browser.shows("DISK to SSD");
    browser.shows("SSD to DISK");
    browser.shows("Served from (estimated)");
    browser.shows("SSD 4 ");
    browser.shows("Written by moves");
    browser.showsNoMore("/data/hot");
  }

  private static void discardsAPlan(Browser browser) {
    browser.click("Plans");
    browser.shows("waiting");
    browser.click(newest(browser));
    browser.click("Discard");
    browser.shows("dry run");
    browser.shows("discards plan");
    browser.type("Why (is recorded)", "not today");
    browser.click("Discard");
    browser.shows("discarded");
  }

  private static void looksIntoTheHeatMap(Browser browser) throws Exception {
    browser.click("Heat");
    browser.shows("Directories over time");
    browser.settled();
    browser.hoversOverItsChart("heat ");
    browser.zoomsItsChart();
    // The same for those who see no chart and have no mouse.
    browser.tabTo("As a table");
    browser.showsFocusOn("As a table");
    browser.press(Keys.ENTER);
    List<List<String>> heat = browser.table("Heat of directories");
    int hot = heat.get(0).indexOf("/data");
    assertTrue(hot > 0, heat::toString);
    assertTrue(Double.parseDouble(heat.get(1).get(hot)) > 0, heat::toString);
    String exactly = browser.attribute("tbody th time", "title");
    assertTrue(
        Duration.between(Instant.parse(exactly), Instant.now()).abs().compareTo(LIMIT) < 0,
        exactly);
    browser.isAccessible("heat as a table");
    browser.press(Keys.ENTER);
    browser.showsNoMore("Heat of directories");
  }

  /** The number of the plan on top. */
  private static String newest(Browser browser) {
    return browser.firstOf("tbody a");
  }

  private static void pausesAndResumes(Browser browser) {
    browser.click("Pause");
    browser.shows("pause: the service is RUNNING");
    browser.type("Why (is recorded)", "the network is slow");
    browser.click("Pause");
    browser.shows("apply · paused");
    browser.click("Overview");
    browser.shows("paused, olga: the network is slow");
    browser.click("Resume");
    browser.type("Why (is recorded)", "it is not any more");
    browser.click("Resume");
    browser.shows("apply · running");
  }

  private static void findsAHintByItsPath(Browser browser) {
    browser.click("Hints");
    browser.shows("1 to 200 of 201");
    browser.showsNoMore("PIN");
    browser.type("Path", ODD.get(0));
    browser.click("Find");
    browser.shows("FILE " + ODD.get(0));
    browser.shows("PIN");
    browser.showsNoMore("STREAM");
  }

  private static String streams() {
    return IntStream.range(0, 200)
        .mapToObj(
            i ->
                """
                {"op": "ADVISE", "scope": "STREAM", "target": "s%d", "leaseMillis": 3600000}"""
                    .formatted(i))
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** On a file whose name would be markup, or a script. */
  private static String pin(String path) {
    return "[{\"op\": \"PIN\", \"scope\": \"FILE\", \"target\": \"%s\", \"leaseMillis\": 3600000}]"
        .formatted(path.replace("\"", "\\\""));
  }

  private static String prefetch(String directory) {
    return "[{\"op\": \"PREFETCH\", \"scope\": \"DIRECTORY\", \"target\": \"%s\", \"leaseMillis\": 3600000}]"
        .formatted(directory);
  }

  private static void hint(String address, String token, String body) throws Exception {
    HttpResponse<String> taken =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(address + "/api/v1/hints"))
                    .header("Authorization", "Bearer " + token)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertEquals(200, taken.statusCode(), taken::body);
    assertTrue(taken.body().contains("\"id\""), taken::body);
  }

  private static void showsWhatIsPlannedAndNamesAsTheyAre(Browser browser) {
    browser.click("Heat");
    browser.shows("/data/logs/\\u202etxt.exe");
    browser.click("Overview");
    browser.shows("What is planned, and why");
    browser.shows("waiting");
    // Of one of them.
    browser.shows("{{constructor}}");
  }

  private static void triesRules(Browser browser) {
    browser.click("Rules");
    browser.shows("manage.pin");
    browser.write(
        "A rules file", "version: 1\nrules:\n  - {name: cold, paths: [/data], atMost: HOT}\n");
    browser.click("Check");
    browser.shows("1 rules, fine");
    browser.write("A rules file", "version: 1\nrules:\n  - {name: cold, path: [/data]}\n");
    browser.click("Check");
    browser.shows("did you mean rules[1].paths");
  }

  private static void showsEveryPageToEverybody(Browser browser) throws Exception {
    for (boolean dark : new boolean[] {false, true}) {
      browser.dark(dark);
      for (String page : PAGES) {
        browser.click(page);
        browser.shows(page);
        browser.settled();
        browser.isAccessible(page + (dark ? " in dark" : " in light"));
        browser.picture(PICTURES.resolve(page + (dark ? "-dark.png" : ".png")));
      }
    }
    // Colors are those of the first round: one scheme a size is enough.
    for (Window window :
        List.of(new Window("phone", 400, 900, true), new Window("wall", 2560, 1440, false))) {
      browser.size(window.width(), window.height());
      browser.dark(window.dark());
      for (String page : PAGES) {
        browser.click(page);
        browser.settled();
        String where = page + " on a " + window.name();
        assertFalse(browser.isWiderThanItsWindow(), where);
        browser.isAccessible(where);
        browser.picture(PICTURES.resolve(page + "-" + window.name() + ".png"));
      }
    }
    browser.dark(false);
    browser.size(1400, 1000);
  }

  private static void signsOutAndInAgain(Browser browser, String token) {
    browser.click("Nodes");
    browser.shows("DataNodes that were live with the last plan");
    browser.click("Sign out");
    browser.shows("Sign in with a token");
    browser.type("Token", token);
    browser.click("Sign in");
    browser.shows("DataNodes that were live with the last plan");
  }

  /** Where the answer is an error, and where it hasn't come yet. */
  private static void showsNothingThatItDoesNotKnow(Browser browser) {
    browser.answersAreErrors();
    for (String page : PAGES) {
      browser.click(page);
      String asked = page.equals("Overview") ? "moves" : page.toLowerCase(Locale.ROOT);
      browser.shows("no answer of /api/v1/" + asked);
      saysOfNothingThatThereIsNone(browser, page);
    }
    browser.asksInVain();
    for (String page : PAGES) {
      browser.click(page);
      browser.shows("Asking the service");
      saysOfNothingThatThereIsNone(browser, page);
    }
  }

  private static void saysOfNothingThatThereIsNone(Browser browser, String page) {
    assertEquals(page, browser.firstOf("h1"));
    String text = browser.text();
    for (String none : NONE) {
      assertFalse(text.contains(none), text);
    }
  }

  /** Of which one has fallen asleep. */
  private static void signsOutInAllTabs(Browser browser, String token) {
    browser.asksInVain();
    Runnable back = browser.tab(browser.address());
    browser.shows("DataNodes that were live with the last plan");
    browser.click("Sign out");
    browser.shows("Sign in with a token");
    back.run();
    browser.shows("Sign in with a token");
    browser.showsNoMore("Your session has ended.");
    browser.type("Token", token);
    browser.click("Sign in");
    browser.shows("DataNodes that were live with the last plan");
  }

  private static void saysWhatARoleCannotDo(Browser browser, String viewers, String token)
      throws Exception {
    browser.click("Sign out");
    browser.type("Token", viewers);
    browser.click("Sign in");
    browser.shows("DataNodes that were live with the last plan");
    browser.click("Pause");
    browser.shows("vic's role VIEWER can't do this, it needs OPERATOR");
    browser.isAccessible("what a role can't do");
    browser.click("sign in as another");
    browser.type("Token", token);
    browser.click("Sign in");
    browser.click("Pause");
    browser.shows("pause: the service is RUNNING");
    browser.click("Leave it");
  }

  private static void showsAllFilesOfAPlan(
      Browser browser, ServedCluster cluster, String address, String token) throws Exception {
    for (int i = 0; i < MANY; i++) {
      try (OutputStream out =
          cluster.superuser().create(new org.apache.hadoop.fs.Path("/data/many/part-" + i))) {
        out.write(new byte[1000]);
      }
    }
    cluster.superuser().setOwner(new org.apache.hadoop.fs.Path("/data/many"), "olga", null);
    hint(address, token, prefetch("/data/many"));
    Eventually.holds(
        "a plan of them all",
        LIMIT,
        () -> {
          browser.click("Plans");
          browser.shows("waiting");
          List<String> plan = browser.table("Newest first").get(1);
          return Integer.parseInt(plan.get(3)) >= MANY;
        });
    String plan = newest(browser);
    browser.click(plan);
    browser.shows("Its files: 1 to 25 of");
    browser.shows("Sets on directories");
    JsonNode policies = asked(address, token, "/plans/" + plan).path("policies");
    assertEquals("/data/many", policies.path(0).path("path").asText(), policies::toString);
    assertEquals(MANY, policies.path(0).path("files").asInt(), policies::toString);
    for (JsonNode each : policies) {
      browser.shows(
          each.path("policy").asText()
              + " on "
              + each.path("path").asText()
              + ": for its "
              + each.path("files").asInt()
              + " files and new ones");
    }
    assertEquals(
        asShown(planned(address, token, plan, "")),
        List.copyOf(paths(browser)),
        "in the plan's order");
    List<String> byPath = planned(address, token, plan, "&sort=PATH");
    assertEquals(byPath.stream().sorted().toList(), byPath);
    browser.choose("Order", "by path");
    Eventually.holds("by path", LIMIT, () -> List.copyOf(paths(browser)).equals(asShown(byPath)));
    browser.choose("Order", "the plan");
    Set<String> seen = paths(browser);
    browser.click("Next");
    browser.shows("Its files: 26 to ");
    browser.isAccessible("a long plan");
    seen.addAll(paths(browser));
    assertEquals(
        MANY, seen.stream().filter(path -> path.startsWith("/data/many/")).count(), "of " + seen);
    browser.click("Previous");
    browser.shows("Its files: 1 to 25 of");
    assertTrue(
        Integer.parseInt(browser.table("The most bytes first").get(1).get(3)) >= MANY, "in all");
    browser.type("File or directory", "/data/many/part-7");
    browser.click("Show");
    Eventually.holds(
        "the file that is asked for",
        LIMIT,
        () -> paths(browser).equals(Set.of("/data/many/part-7")));
  }

  /** In the order of the page. */
  private static Set<String> paths(Browser browser) {
    return browser.table("Its files").stream()
        .skip(1)
        .map(row -> row.get(0))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** What turns the direction of writing is shown by its number. */
  private static List<String> asShown(List<String> paths) {
    return paths.stream().map(path -> path.replace("\u202e", "\\u202e")).toList();
  }

  /** The first that a page shows. */
  private static List<String> planned(String address, String token, String plan, String sort)
      throws Exception {
    List<String> paths = new ArrayList<>();
    asked(address, token, "/plans/" + plan + "/files?limit=25" + sort)
        .path("items")
        .forEach(file -> paths.add(file.path("path").asText()));
    return paths;
  }

  private static long auditLines(String address, String token) throws Exception {
    return asked(address, token, "/state").at("/observed/auditLines").asLong();
  }

  private static JsonNode asked(String address, String token, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + "/api/v1" + path))
            .header("Authorization", "Bearer " + token)
            .build();
    return new ObjectMapper()
        .readTree(
            HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Of what is installed, whose pages are in a jar. */
  private static ServiceProcess serve(Path config) throws IOException {
    ServiceProcess service = ServiceProcess.start(config.getParent(), config);
    service.address();
    return service;
  }
}
