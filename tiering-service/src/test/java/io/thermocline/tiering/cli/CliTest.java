// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.Localhost;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.app.ApiParts;
import io.thermocline.tiering.commands.UndoMain;
import io.thermocline.tiering.config.ServiceConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands against a server, as in a shell. */
@Timeout(120)
class CliTest {

  @TempDir private Path temp;

  private volatile Activity.Standing standing = Activity.HERE.now();
  private ApiParts parts;
  private ApiServer server;

  private record Ran(int status, String out, String err) {}

  @BeforeEach
  void start() throws Exception {
    parts =
        new ApiParts(temp, ServiceConfig.Mode.APPLY, ServiceConfig.Approval.ONE, Clock.systemUTC());
    server =
        ApiServer.start(
            new ApiServer.Listen("127.0.0.1", 0, null),
            new ApiServer.Parts(parts.resources(), List.of(), new Localhost(), () -> standing),
            Thread::new);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    parts.close();
  }

  private Ran run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--service", server.address().toString()));
    return bare(all.toArray(String[]::new));
  }

  private static Ran bare(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = CliMain.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    int status = line.execute(arguments);
    return new Ran(status, out.toString(), err.toString());
  }

  @Test
  void explainsTheFilesThatItKnows() throws Exception {
    parts.make("/d/a");
    Ran both = run("explain", "/d/none", "/d/a");
    assertEquals(1, both.status());
    assertTrue(both.out().contains("/d/a: fastest copy on"), both::toString);
    assertTrue(both.err().contains("/d/none"), both::toString);
  }

  @Test
  void doesWhatIsMeantWithoutAReasonToo() throws Exception {
    Ran said = run("pause");
    assertTrue(said.err().contains("nothing was changed: give --why REASON, or --yes"), said::err);
    assertEquals(0, run("pause", "--yes").status());
    assertTrue(run("status").out().contains("none given"));
    assertEquals(0, run("resume", "--reason", "done").status());
  }

  @Test
  void showsAPlanInPartsAndTheFilesThatAreAskedFor() throws Exception {
    parts.make("/d/a");
    Ran all = run("plan", "show", "1", "--json");
    JsonNode plan = Json.MAPPER.readTree(all.out()).path("plan");
    assertEquals(plan.path("files"), plan.at("/parts/0/files"), all::out);
    assertEquals(plan.path("plannedBytes"), plan.at("/parts/0/plannedBytes"), all::out);
    Ran none = run("plan", "show", "1", "--in", "/e", "--json");
    assertEquals(0, Json.MAPPER.readTree(none.out()).at("/files/total").asInt(), none::out);
    assertEquals(2, run("plan", "show", "1", "--sort", "heat").status());
  }

  @Test
  void asksEverything() throws Exception {
    parts.make("/d/a");
    parts.report("2026-11-20");
    parts.savings("2026-11-20");
    for (String words :
        List.of(
            "status",
            "heat",
            "heat --in /",
            "explain /d/a",
            "report",
            "report --days",
            "report --day 2026-11-20",
            "savings",
            "savings --days",
            "plan list",
            "plan show 1",
            "plan show 1 --in /d --sort bytes",
            "moves --in /d",
            "tasks",
            "nodes",
            "nodes --buckets",
            "nodes --segments SSD")) {
      Ran text = run(words.split(" "));
      assertEquals(0, text.status(), () -> words + text);
      assertFalse(text.out().isBlank(), words);
      assertFalse(text.out().contains("\u001b"), words);
      Ran json = run((words + " --json").split(" "));
      assertTrue(Json.MAPPER.readTree(json.out()).isObject(), json.out());
    }
    assertTrue(run("heat").out().contains("/d/a"), run("heat").out());
  }

  @Test
  void reportsOfTheServiceOrOfItsFiles() throws Exception {
    Ran none = run("report");
    assertEquals(1, none.status());
    assertTrue(none.err().contains("NO_SUCH_REPORT"), none.err());
    parts.report("2026-11-20");
    Ran asked = run("report");
    assertTrue(asked.out().contains("75.0 % would have"), asked.out());
    assertTrue(asked.out().contains("/d/a"), asked.out());
    Ran both = run("report", "--format", "html");
    assertEquals(2, both.status());
    Ran here = run("report", "--config", temp.resolve("none.yaml").toString());
    assertEquals(2, here.status(), here::toString);
    assertTrue(here.err().contains("none.yaml"), here.err());
  }

  @Test
  void changesNothingWithoutAReason() throws Exception {
    parts.make("/d/a");
    Ran said = run("approve", "1");
    assertEquals(0, said.status());
    assertTrue(said.err().contains("nothing was changed: give --why"), said.err());
    assertEquals("WAITING", plan(1).at("/plan/state").asText());
  }

  @Test
  void approvesAndWaitsForTheEnd() throws Exception {
    parts.make("/d/a");
    Thread service =
        new Thread(
            () -> {
              try {
                while (!parts.carryOut()) {
                  Thread.onSpinWait();
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    service.start();
    Ran done = run("approve", "1", "--why", "looks right", "--wait", "--json");
    service.join();
    assertEquals(0, done.status(), done::toString);
    assertEquals("DONE", Json.MAPPER.readTree(done.out()).get("state").asText());
    assertEquals("DONE", plan(1).at("/plan/state").asText());
    assertEquals(System.getProperty("user.name"), plan(1).at("/plan/approvals/0/who").asText());

    Ran twice = run("plan", "approve", "1", "--why", "again");
    assertEquals(4, twice.status());
    assertTrue(twice.err().startsWith("thermocline plan approve: PLAN_ENDED: "), twice.err());
  }

  @Test
  void refusesWhatIsStale() throws Exception {
    parts.make("/d/a");
    parts.make("/d/b");
    Ran stale = run("plan", "approve", "1", "--why", "x");
    assertEquals(4, stale.status());
    assertTrue(stale.err().contains("PLAN_STALE"), stale.err());
    assertEquals(1, run("plan", "show", "9").status());
  }

  @Test
  void takesPlansBack() throws Exception {
    assertTrue(run("undo", "1").out().contains("takes back plan 1: 3 paths, 1 move"));
    Ran done = run("undo", "1", "--why", "was better before", "--wait", "--json");
    assertEquals(0, done.status(), done::toString);
    assertEquals("plan 1: 1 path, 1 move", Json.MAPPER.readTree(done.out()).get("result").asText());
    Ran nothing = run("undo", "2", "--why", "x");
    assertEquals(4, nothing.status());
    assertTrue(nothing.err().contains("NOTHING_TO_UNDO"), nothing.err());
  }

  @Test
  void pausesAndResumes() {
    assertEquals(0, run("pause", "--why", "maintenance").status());
    assertTrue(run("status").out().contains("paused by"), run("status").out());
    assertEquals(0, run("resume", "--why", "done").status());
    assertEquals(0, run("stop", "--abandon", "--why", "enough").status());
  }

  @Test
  void saysWhereNoServiceAnswers() throws Exception {
    URI gone = server.address();
    server.close();
    Ran nobody = bare("status", "--service", gone.toString());
    assertEquals(3, nobody.status());
    assertTrue(nobody.err().startsWith("thermocline status: no service answers at"), nobody.err());
    assertEquals(2, bare("status", "--service", "nowhere").status());
  }

  @Test
  void saysThatAStandbyWasAsked() {
    standing = new Activity.Standing(false, Optional.empty());
    assertEquals(0, run("status").status());
    Ran standby = run("pause", "--why", "x");
    assertEquals(1, standby.status());
    assertTrue(standby.err().contains("STANDBY"), standby.err());
  }

  @Test
  void ofSeveralTheFirstThatAnswersIsAsked() throws Exception {
    URI gone;
    try (ApiServer other = serve()) {
      gone = other.address();
    }
    standing = new Activity.Standing(false, Optional.empty());
    Path file = Files.writeString(temp.resolve("hints"), "as it was");
    // An instance that stands by, or made no plan yet, doesn't know whether there are any.
    Ran standby = run("directory-hints", "--out", file.toString());
    assertEquals(1, standby.status());
    assertTrue(standby.err().contains("STANDBY"), standby.err());
    parts.beforeTheFirstPlan();
    try (ApiServer active = serve()) {
      String all = gone + "," + server.address() + "," + active.address();
      Ran early = bare("directory-hints", "--service", all, "--out", file.toString());
      assertEquals(1, early.status());
      assertTrue(early.err().contains("NOT_READY"), early.err());
      assertEquals("as it was", Files.readString(file));
      parts.plannedWithoutHints();
      Ran written =
          bare(
              "directory-hints",
              "--service",
              gone.toString(),
              "--service",
              server.address() + "," + active.address(),
              "--out",
              file.toString());
      assertEquals(0, written.status(), written.err());
      assertTrue(Files.readString(file).endsWith("\nend 0\n"));
      assertEquals(0, bare("pause", "--why", "x", "--service", all).status());
    }
  }

  private ApiServer serve() throws Exception {
    return ApiServer.start(
        new ApiServer.Listen("127.0.0.1", 0, null),
        new ApiServer.Parts(parts.resources(), List.of(), new Localhost(), Activity.HERE),
        Thread::new);
  }

  @Test
  void followsToTheActiveInstance() throws Exception {
    try (ApiServer other =
        ApiServer.start(
            new ApiServer.Listen("127.0.0.1", 0, null),
            new ApiServer.Parts(parts.resources(), List.of(), new Localhost(), Activity.HERE),
            Thread::new)) {
      standing = new Activity.Standing(false, Optional.of(other.address()));
      assertEquals(0, run("pause", "--why", "x").status());
      assertTrue(run("status").out().contains("PAUSED"));
    }
  }

  @Test
  void namesTheNearestOfAWrongFlag() {
    Ran wrong = run("plan", "list", "--limt", "3");
    assertEquals(2, wrong.status());
    assertTrue(wrong.err().contains("did you mean --limit?"), wrong.err());
    Ran missing = run("approve", "--wy", "x");
    assertEquals(2, missing.status());
    assertTrue(
        missing.err().contains("Unknown option: '--wy'; did you mean --why?"), missing.err());
    assertEquals(2, run("plan").status());
    assertEquals(2, run("plan", "show", "x").status());
    assertEquals(2, run("heat", "--limit", "0").status());
  }

  @Test
  void completesInAShell() throws Exception {
    String script = bare("completion", "bash").out();
    assertTrue(script.contains("--segments"), script);
    Path file = Files.writeString(temp.resolve("completion"), script);
    Process bash = new ProcessBuilder("bash", "-n", file.toString()).start();
    assertEquals(0, bash.waitFor());
  }

  /** The service runs until it is ended; completion writes a script. */
  @Test
  void everyCommandAnswersJson() {
    Set<String> without = new TreeSet<>();
    List<CommandLine> all = new ArrayList<>(CliMain.all().getSubcommands().values());
    all.add(new CommandLine(new UndoMain()));
    while (!all.isEmpty()) {
      CommandLine next = all.remove(0);
      all.addAll(next.getSubcommands().values());
      if (next.getSubcommands().isEmpty() && next.getCommandSpec().findOption("--json") == null) {
        without.add(next.getCommandName());
      }
    }
    assertEquals(Set.of("completion", "thermocline service", "thermocline mover"), without);
  }

  @Test
  void exitCodesAreThoseOfThePage() throws Exception {
    String page =
        Files.readString(
            Path.of(System.getProperty("project.root"), "docs", "reference", "cli.md"));
    for (int code = 0; code <= 5; code++) {
      assertTrue(
          page.contains("\n| " + code + " | "), "docs/reference/cli.md lacks exit code " + code);
    }
    assertEquals(0, run("status").status());
    assertEquals(1, run("plan", "show", "9").status());
    assertEquals(2, run("status", "--no-such").status());
    assertEquals(3, bare("status", "--service", "http://127.0.0.1:1").status());
    parts.make("/d/a");
    assertEquals(4, run("plan", "execute", "1", "--why", "x").status(), "not approved");
    try (ApiServer guarded =
        ApiServer.start(
            new ApiServer.Listen("127.0.0.1", 0, null),
            new ApiServer.Parts(
                parts.resources(),
                List.of(),
                exchange -> new Caller("vera", Role.VIEWER),
                Activity.HERE),
            Thread::new)) {
      Ran refused = bare("pause", "--why", "x", "--service", guarded.address().toString());
      assertEquals(5, refused.status(), refused::toString);
      assertTrue(refused.err().contains("FORBIDDEN"), refused.err());
    }
  }

  /** picocli decides by the terminal and NO_COLOR, unless it is told. */
  @Test
  void coloursAreForTerminals() throws Exception {
    parts.make("/d/a");
    assertFalse(run("plan", "list").out().contains("\u001b"), "this is none");
    System.setProperty("picocli.ansi", "true");
    try {
      assertTrue(run("plan", "list").out().contains("\u001b[1m"), run("plan", "list").out());
      assertFalse(run("plan", "list", "--json").out().contains("\u001b"), "for programs");
    } finally {
      System.clearProperty("picocli.ansi");
    }
  }

  @Test
  void undoesOnThisHostWhereThatIsAsked() {
    Ran here = run("undo", "7", "--config", temp.resolve("none.yaml").toString());
    assertEquals(2, here.status(), here::toString);
    assertTrue(here.err().contains("none.yaml"), here.err());
  }

  @Test
  void everyCommandExplainsItself() {
    for (CommandLine command : CliMain.commandLine().getSubcommands().values()) {
      Ran help = bare(command.getCommandName(), "--help");
      assertEquals(0, help.status());
      assertTrue(help.out().startsWith("Usage: thermocline"), help.out());
      assertTrue(help.out().contains("Exit codes: 0 done"), help.out());
    }
  }

  private JsonNode plan(int number) throws Exception {
    return Json.MAPPER.readTree(run("plan", "show", "" + number, "--json").out());
  }

  @Test
  void makesMovesReloadsAndCancels() throws Exception {
    Ran would = run("plan", "now");
    assertEquals(0, would.status(), would::toString);
    assertTrue(would.err().contains("--why"), would::toString);
    Ran made = run("plan", "now", "--why", "new nodes", "--json");
    assertEquals(1, Json.MAPPER.readTree(made.out()).get("plan").asInt(), made::toString);
    assertEquals(0, run("plan", "cancel", "1", "--yes").status());
    assertTrue(run("plan", "show", "1").out().contains("DISCARDED"));
    assertEquals(4, run("plan", "cancel", "1", "--yes").status());
    assertTrue(run("move", "/d/a", "SSD").out().contains("SSD for "));
    assertEquals(2, run("move", "/d/a", "TAPE").status());
    assertEquals(0, run("reload").status());
    assertEquals(0, run("plan", "show", "1", "--space").status());
  }

  @Test
  void sendsTheTokenOfAFile() throws Exception {
    HttpServer echo = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    echo.createContext(
        "/",
        exchange -> {
          byte[] shown =
              ("{\"sent\":\"" + exchange.getRequestHeaders().getFirst("Authorization") + "\"}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, shown.length);
          exchange.getResponseBody().write(shown);
          exchange.close();
        });
    echo.start();
    try {
      Path file = temp.resolve("token");
      Files.writeString(file, "abc-123\nsecond line\n");
      String at = "http://127.0.0.1:" + echo.getAddress().getPort();
      String[] asked = {"status", "--service", at, "--token-file", file.toString()};
      Ran ran = bare(asked);
      assertTrue(ran.out().contains("Bearer abc-123"), ran::toString);
      Files.writeString(file, "\n");
      assertTrue(bare(asked).err().contains("is empty"));
      Files.writeString(file, "abc 123\n");
      Ran no = bare(asked);
      assertEquals(2, no.status(), no::toString);
      assertFalse(no.err().contains("123"), "what may be a token isn't shown");
      Files.delete(file);
      assertTrue(bare(asked).err().contains("can't be read"));
      assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
      String refused = bare(asked).err();
      assertTrue(refused.contains(file + " can't be read (is a FIFO"), refused);
    } finally {
      echo.stop(0);
    }
  }
}
