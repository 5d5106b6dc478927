// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.client.HintServer;
import io.thermocline.hints.wire.HintError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands as typed, with a service that answers as the contract says. */
class StoragePoliciesTest {
  private final Configuration conf = new Configuration(false);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private HintServer service;
  private String user;

  @TempDir Path files;

  @BeforeEach
  void start() throws IOException {
    service = new HintServer();
    conf.set("thermocline.hints.service", service.address());
    conf.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    user = UserGroupInformation.getCurrentUser().getShortUserName();
    Files.writeString(files.resolve("f"), "x");
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void hintsAFileFromALaterTimeOn() throws Exception {
    String file = files + "/f";
    String later = Instant.now().plus(Duration.ofHours(3)).toString();
    assertEquals(0, run("-hint", "-path", file, "-lease", "9h", "-op", "prefetch", "-at", later));
    assertTrue(out().contains(" and begins at "), out());
    assertEquals(0, run("-hint", "-path", file, "-lease", "9h", "-op", "prefetch", "-by", later));
    long apart = service.hints.get(0).startMillis() - service.hints.get(1).startMillis();
    assertTrue(Math.abs(apart - 300_000) < 60_000, () -> "ms apart: " + apart);
    assertEquals(1, run("-hint", "-path", file, "-lease", "2h", "-at", later));
    assertTrue(err().contains("give a longer -lease"), err());
  }

  @Test
  void hintsAFile() throws Exception {
    assertEquals(
        0,
        run(
            "-hint",
            "-path",
            files + "/f",
            "-lease",
            "2h",
            "-op",
            "prefetch",
            "-pattern",
            "read-intensive",
            "-temperature",
            "hot",
            "-requirement",
            "low-latency",
            "-tag",
            "s 1"));
    Hint hint = service.hints.get(0);
    assertEquals("The hint is taken as h1.\n", out());
    assertEquals(
        Hint.onFile(Operation.PREFETCH, files + "/f")
            .pattern(AccessPattern.READ_INTENSIVE)
            .temperature(Temperature.HOT)
            .requirement(Requirement.LOW_LATENCY)
            .stream("s 1")
            .owner(user)
            .source(Source.USER)
            .leaseExpiryMillis(hint.leaseExpiryMillis())
            .build(),
        hint);
    // What the service counts from its own time on, 0 here.
    assertEquals(7_200_000, hint.leaseExpiryMillis());
    assertEquals(user, service.users.get(0));
  }

  @Test
  void hintsADirectoryAndAStream() throws Exception {
    assertEquals(0, run("-hint", "-path", files.toString(), "-lease", "7d"));
    assertEquals(Scope.DIRECTORY, service.hints.get(0).scope());
    assertEquals(Operation.ADVISE, service.hints.get(0).operation());
    assertEquals(0, run("-hint", "-stream", "wal", "-pattern", "WRITE_INTENSIVE", "-lease", "1d"));
    assertEquals(Scope.STREAM, service.hints.get(1).scope());
    assertEquals(0, run("-hint", "-stream", "wal", "-lease", "1d", "-dryRun"));
    assertTrue(out().endsWith("The hint would be taken.\n"), out());
    assertEquals(2, service.hints.size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-hint -path /x | -lease is missing",
        "-hint -path /x -lease | -lease needs a value",
        "-hint -path /x -lease 2 | -lease is '2'; allowed: a duration such as 2h or 7d",
        "-hint -path /x -lease 0s | -lease is '0s'; allowed: a duration such as 2h or 7d",
        "-hint -path x -lease 2h | -path is 'x'; allowed: an absolute path",
        "-hint -lease 2h | one of -path and -stream is needed",
        "-hint -lease 2h -path /x -stream y | one of -path and -stream is needed",
        "-hint -lease 2h -lease 3h -stream y | -lease is given twice",
        "-hint -lease 2h -stream y -tag z | hint: stream is 'z'; allowed: none: a hint on a stream has its tag as the target",
        "-hint -lease 2h -stream y -temperature luke | -temperature is 'luke'; allowed: [unknown, cold, warm, hot]",
        "-hint -lease 2h -stream y -weight 3 | can't understand '-weight'",
        "-unhint | one of -id, -path and -stream is needed",
        "-heat /x | can't understand '/x'",
        "-heat | -path is missing",
        "-tiering | one of status, pause and resume is needed",
        "-tiering stop | one of status, pause and resume is needed",
        "-tiering pause now | can't understand 'now'",
      })
  void whatCannotBeMeantIsSaidAndNotDone(String typed, String message) throws Exception {
    assertEquals(1, run(typed.split(" ")));
    String[] lines = err().split("\n");
    String command = "storagepolicies " + typed.split(" ")[0];
    assertEquals(command + ": " + message, lines[0]);
    assertTrue(lines[1].startsWith("Usage: " + command + " "), lines[1]);
    assertEquals("", out());
    assertTrue(service.requests.isEmpty(), service.requests.toString());
  }

  @Test
  void aFileThatIsNotThereIsSaid() throws Exception {
    assertEquals(2, run("-hint", "-path", files + "/none", "-lease", "1d"));
    assertEquals("storagepolicies -hint: NO_SUCH_FILE: " + files + "/none does not exist\n", err());
    assertTrue(service.requests.isEmpty());
  }

  @Test
  void whatTheServiceSaysIsSaid() throws Exception {
    service.trouble = HintServer.error(HintError.FORBIDDEN);
    assertEquals(2, run("-hint", "-stream", "wal", "-lease", "1d"));
    assertEquals("storagepolicies -hint: FORBIDDEN: trouble; wait\n", err());
    service.close();
    assertEquals(2, run("-tiering", "status"));
    assertTrue(
        err().contains("storagepolicies -tiering: no answer of the tiering service at http://"),
        err());
    conf.set("thermocline.hints.service", "nowhere");
    assertEquals(2, run("-tiering", "status"));
    assertTrue(err().contains("'nowhere' is no address of a tiering service"), err());
  }

  @Test
  void listsHintsToTheirEnd() throws Exception {
    String list = "/api/v1/hints?limit=500&offset=";
    String one =
        "{'id':'7.pin','op':'PIN','scope':'FILE','target':'/a','pattern':'UNKNOWN','owner':'etl',"
            + "'temperature':'HOT','expires':0,'mood':{'later':1}}";
    String two = "{'id':'8.melt','op':'MELT','scope':'PLANET','target':'/b','owner':'etl'}";
    page(list + "0&path=%2Fa&owner=etl", "{'items':[" + one + "],'total':2,'offset':0}");
    page(list + "1&path=%2Fa&owner=etl", "{'items':[" + two + "],'total':2,'offset':1}");
    assertEquals(0, run("-listHints", "-path", "/a", "-owner", "etl"), this::err);
    assertEquals(
        "7.pin\tPIN\tFILE /a\tby etl\tuntil 1970-01-01T00:00:00Z\ttemperature HOT\n"
            + "8.melt\tMELT\tPLANET /b\tby etl\n2 hints\n",
        out());
  }

  @Test
  void takesBackWhatWasGivenOnAPath() throws Exception {
    // It was hinted as /old; and what is at /old now is another.
    page(
        "/api/v1/hints?limit=500&offset=0&on=%2Fa&owner=" + user,
        "{'items':[{'id':'7.pin','scope':'FILE','target':'/old','path':'/a','op':'PIN'},"
            + "{'id':'7.advise','scope':'FILE','target':'/a','path':'/a','op':'ADVISE'},"
            + "{'id':'s.pin','scope':'STREAM','target':'/a','op':'PIN'}],'total':3,'offset':0}");
    assertEquals(0, run("-unhint", "-path", "hdfs://ns1/a", "-op", "pin"), this::err);
    assertEquals("Hint 7.pin is taken back.\n", out());
    assertEquals("DELETE /api/v1/hints/7.pin ", service.requests.get(1));
    assertEquals(2, service.requests.size());
    assertEquals(2, run("-unhint", "-path", "/a", "-op", "migrate"));
    assertEquals(
        "storagepolicies -unhint: NO_SUCH_HINT: " + user + " has given no such hint on /a\n",
        err());
    assertEquals(0, run("-unhint", "-id", "stream.a/b"));
    assertEquals("DELETE /api/v1/hints/stream.a%2Fb ", service.requests.get(3));
  }

  /** It is asked for what is about the path, and says it page by page. */
  @Test
  void takesBackFromAnOlderServiceToo() throws Exception {
    page("/api/v1/hints?limit=500&offset=0&on=%2Fa&owner=" + user, "{'code':'UNKNOWN_PARAMETER'}");
    service.statuses.put("/api/v1/hints?limit=500&offset=0&on=%2Fa&owner=" + user, 400);
    page(
        "/api/v1/hints?limit=500&offset=0&path=%2Fa&owner=" + user,
        "{'items':[{'id':'1.pin','scope':'DIRECTORY','target':'/','path':'/','op':'PIN'},"
            + "{'id':'2.pin','scope':'FILE','target':'/a/b','path':'/a/b','op':'PIN'}],'total':3}");
    page(
        "/api/v1/hints?limit=500&offset=2&path=%2Fa&owner=" + user,
        "{'items':[{'id':'3.pin','scope':'FILE','target':'/a','path':'/a','op':'PIN'}],'total':3}");
    assertEquals(0, run("-unhint", "-path", "/a"), this::err);
    assertEquals("Hint 3.pin is taken back.\n", out());
  }

  @Test
  void takesBackWhatWasGivenOnAStream() throws Exception {
    page(
        "/api/v1/hints?limit=500&offset=0&on=wal&owner=" + user,
        "{'items':[{'id':'s.pin','scope':'STREAM','target':'wal','op':'PIN'}],'total':1}");
    assertEquals(0, run("-unhint", "-stream", "wal"), this::err);
    assertEquals("Hint s.pin is taken back.\n", out());
  }

  @Test
  void answersWhatIsAsked() throws Exception {
    page(
        "/api/v1/hints/due?limit=500&offset=0&owner=" + user,
        "{'items':[{'reason':'UNUSED','hint':{'id':'7.pin','op':'PIN','scope':'FILE','target':'/a',"
            + "'owner':'o'},'answerBy':5}],'total':1}");
    assertEquals(0, run("-listHints", "-due"), this::err);
    assertEquals("UNUSED\t7.pin\tPIN\tFILE /a\tby o\nanswer by -renewHint or -unhint\n", out());
    out.reset();
    page("/api/v1/hints/7.pin/renew", "{'id':'7.pin','expires':1000}");
    assertEquals(0, run("-renewHint", "-id", "7.pin", "-lease", "1d"), this::err);
    assertEquals("Hint 7.pin holds until 1970-01-01T00:00:01Z.\n", out());
    assertEquals(
        "POST /api/v1/hints/7.pin/renew {\"leaseMillis\":86400000}", service.requests.get(1));
  }

  @Test
  void showsWhatTheServiceKnowsOfAFile() throws Exception {
    page(
        "/api/v1/files?path=%2Fa%20b",
        "{'file':{'heat':2.5,'heatPerMb':1,'fastest':'SSD'},'copies':{'SSD':1,'DISK':2},'rank':3,"
            + "'ranked':9,'readsShare':0.25,'held':'','explanation':['is hot','is small']}");
    assertEquals(0, run("-heat", "-path", "/a b"));
    assertEquals(
        "heat: 2.5 block reads, cooled\nheat per MB: 1\nshare of all disk time: 0.25\nrank: 3 of 9\n"
            + "fastest copy: SSD\nbytes of its copies, by type: {SSD=1, DISK=2}\n",
        out());
    out.reset();
    assertEquals(0, run("-explain", "-path", "/a b"));
    assertEquals("- is hot\n- is small\n", out());
    out.reset();
    assertEquals(0, run("-suggest", "-path", "/a b"));
    assertEquals("It stays where it is, on SSD.\n- is hot\n- is small\n", out());
    out.reset();
    page("/api/v1/files?path=%2Fb", "{'next':'lead on SSD: hotter','explanation':[]}");
    assertEquals(0, run("-suggest", "-path", "/b"));
    assertEquals("lead on SSD: hotter\n", out());
    out.reset();
    // An older service, with less to say.
    page("/api/v1/files?path=%2Fb", "{}");
    assertEquals(0, run("-heat", "-path", "/b"));
    assertTrue(out().startsWith("heat: - block reads"), out());
    out.reset();
    assertEquals(0, run("-heat", "-path", "/b", "-json"));
    assertEquals("{}\n", out());
  }

  @Test
  void steersTheService() throws Exception {
    page(
        "/api/v1/state",
        "{'mode':'APPLY','control':{'state':'PAUSED','who':''},'tiers':[{'type':'SSD','usedBytes':5}],"
            + "'unknown':[]}");
    assertEquals(0, run("-tiering", "status"));
    assertEquals(
        "mode: APPLY\ncontrol:\n  state: PAUSED\n  who: \ntiers:\n  -\n    type: SSD\n    usedBytes: 5\n"
            + "unknown:\n",
        out());
    out.reset();
    page("/api/v1/control/pause", "{'dryRun':false,'what':'pause: the service is PAUSED'}");
    int code =
        new Tiering(conf, new PrintStream(out), new PrintStream(err))
            .run(new String[] {"pause", "-why", "new racks"});
    assertEquals(0, code);
    assertEquals("pause: the service is PAUSED\n", out());
    assertEquals(
        "POST /api/v1/control/pause {\"dryRun\":false,\"why\":\"new racks\"}",
        service.requests.get(1));
    new Tiering(conf, new PrintStream(out), new PrintStream(err)).run(new String[] {"fly"});
    assertTrue(err().startsWith("tiering: one of status, pause and resume is needed\n"), err());
  }

  @Test
  void aTokenIsSentWhereThereIsOne() throws Exception {
    assertEquals(0, run("-tiering", "status"));
    Path token = Files.writeString(files.resolve("token"), "s3cret\n");
    conf.set("thermocline.hints.token.file", token.toString());
    assertEquals(0, run("-tiering", "status"));
    assertEquals(java.util.List.of("null", "Bearer s3cret"), service.authorizations);
    conf.set("thermocline.hints.token.file", files.resolve("none").toString());
    assertEquals(2, run("-tiering", "status"));
    assertTrue(err().contains(files.resolve("none").toString()), err());
  }

  @Test
  void helpIsTheirsAndOurs() throws Exception {
    assertEquals(0, run("-help", "hint"));
    assertTrue(out().contains("write-once-scan-once"), out());
  }

  private int run(String... arguments) throws Exception {
    return ToolRunner.run(
        conf, new StoragePolicies(conf, new PrintStream(out), new PrintStream(err)), arguments);
  }

  private void page(String uri, String json) {
    service.pages.put(uri, json.replace('\'', '"'));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
