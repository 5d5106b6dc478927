// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.tiering.act.HeldBackException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may connect to a mover and talk to it, and what becomes of what is no request. */
class MoverSocketTest extends MoverStage {

  @Test
  void countsWhatItRefusesAndWhatIsNoRequestAndFillsNoLogWithIt() throws IOException {
    for (int i = 0; i < CAP - 1; i++) {
      assertRefused("none of the mover's", new MoverRequest.Policy("/elsewhere", "ONE_SSD"));
    }
    assertEquals("REFUSED", LineChannel.JSON.readTree(say("{}\n")).get("outcome").asText());
    for (int i = 0; i < 100; i++) {
      assertThrows(
          HeldBackException.class,
          () -> client().ask(new MoverRequest.Policy("/elsewhere", "ONE_SSD")));
      assertEquals("LATER", LineChannel.JSON.readTree(say("{}\n")).get("outcome").asText());
    }
    assertThrows(HeldBackException.class, () -> client().ask(copy("/w/a", "n1", "n4")));
    assertTrue(
        audited().size() <= CAP, "of what is put off the first at most: " + audited().size());
    client().reports();
    now = now.plus(Duration.ofHours(1));
    client().ask(copy("/w/a", "n1", "n4"));
  }

  @Test
  void waitsSoLongForAPlaceAndNoLonger() throws IOException {
    server.close();
    try (java.nio.channels.ServerSocketChannel deaf =
        java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
      deaf.bind(UnixDomainSocketAddress.of(socket), 1);
      List<SocketChannel> waiting = new ArrayList<>();
      try {
        // Until its queue is full.
        for (int i = 0; i < 2; i++) {
          waiting.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        }
        HeldBackException late = assertThrows(HeldBackException.class, () -> client().reports());
        assertTrue(late.getMessage().contains("took no connection for 30 s"), late.getMessage());
      } finally {
        for (SocketChannel each : waiting) {
          each.close();
        }
      }
    }
    Files.delete(socket);
    server = server(OWN);
    client().reports();
  }

  /** As movers answered before copies had phases. */
  @Test
  void copiesByAMoverThatSaysNoPhases() throws Exception {
    server.close();
    List<String> asked = Collections.synchronizedList(new ArrayList<>());
    try (java.nio.channels.ServerSocketChannel older =
        java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
      older.bind(UnixDomainSocketAddress.of(socket));
      Thread answering =
          new Thread(
              () -> {
                for (int i = 0; i < 3; i++) {
                  try (LineChannel line = new LineChannel(older.accept(), System::nanoTime)) {
                    asked.add(line.read(LineChannel.MOST_REQUEST, Duration.ofSeconds(10)));
                    line.write(
                        asked.get(i).contains("copyWithPhases")
                            ? "{\"outcome\":\"REFUSED\",\"message\":\"no request that is known:"
                                + " Could not resolve type id\",\"value\":null}"
                            : "{\"outcome\":\"DONE\",\"message\":\"\",\"value\":null}",
                        Duration.ofSeconds(10));
                  } catch (IOException e) {
                    asked.add(e.toString());
                  }
                }
              });
      answering.start();
      MoverClient client = client();
      List<String> phases = new ArrayList<>();
      client.copy(copy("/w/a", "n1", "n4"), phases::add);
      client.copy(copy("/w/a", "n2", "n5"), phases::add);
      answering.join();
      assertEquals(List.of(), phases);
    }
    assertEquals(3, asked.size(), asked::toString);
    assertTrue(asked.get(0).contains("copyWithPhases"), asked::toString);
    assertTrue(
        asked.get(1).contains("\"request\":\"copy\"")
            && asked.get(2).contains("\"request\":\"copy\",\"path\""),
        asked::toString);
    assertFalse(asked.get(2).contains("copyWithPhases"), "asked once");
  }

  @Test
  void garbageIsRefusedAndNothingOfItDone() throws IOException {
    for (String line :
        List.of(
            "",
            "null",
            "[]",
            "\"release\"",
            "{}",
            "{\"request\":\"delete\",\"path\":\"/w/a\"}",
            "{\"request\":\"java.lang.Runtime\"}",
            "{\"request\":\"policy\",\"path\":\"/w/a\"}",
            "{\"request\":\"policy\",\"path\":\"/w/a\",\"policy\":null}",
            "{\"request\":\"policy\",\"path\":\"/w/a\",\"policy\":7}",
            "{\"request\":\"policy\",\"path\":\"/w/a\",\"policy\":\"ONE_SSD\",\"more\":1}",
            "{\"request\":\"policy\",\"path\":\"/x\",\"path\":\"/w/a\",\"policy\":\"ONE_SSD\"}",
            "{\"request\":\"policy\",\"path\":\"/w/a\",\"policy\":\"ONE_SSD\"}} {",
            "{\"request\":\"copy\",\"path\":\"/w/a\",\"block\":1}",
            "{\"request\":\"copyWithPhases\"}",
            "{\"request\":\"copyWithPhases\",\"copy\":null}",
            "{\"request\":\"copyWithPhases\",\"copy\":{\"request\":\"release\"}}",
            "{\"request\":\"copy\",\"path\":\"/w/a\",\"block\":1.5,\"source\":\"n1\","
                + "\"sourceType\":\"DISK\",\"target\":\"n2\",\"targetType\":\"SSD\"}",
            "{\"request\":\"copy\",\"path\":\"/w/a\",\"block\":1,\"source\":\"n1\","
                + "\"sourceType\":0,\"target\":\"n4\",\"targetType\":\"SSD\"}",
            "[".repeat(1000))) {
      now = now.plus(Duration.ofHours(1));
      JsonNode answer = LineChannel.JSON.readTree(say("{\"epoch\":5,\"ask\":" + line + "}\n"));
      assertEquals("REFUSED", answer.get("outcome").asText(), line + " " + answer);
      assertFalse(answer.get("message").asText().isEmpty(), line);
    }
    for (String line :
        List.of(
            "",
            "null",
            "[]",
            "{}",
            "{\"request\":\"release\"}",
            "{\"ask\":{\"request\":\"release\"}}",
            "{\"epoch\":\"5\",\"ask\":{\"request\":\"release\"}}",
            "{\"epoch\":5,\"ask\":{\"request\":\"release\"},\"more\":1}")) {
      now = now.plus(Duration.ofHours(1));
      assertEquals(
          "REFUSED", LineChannel.JSON.readTree(say(line + "\n")).get("outcome").asText(), line);
    }
    SplittableRandom random = new SplittableRandom(20261120);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[random.nextInt(1, 200)];
      random.nextBytes(bytes);
      bytes[bytes.length - 1] = '\n';
      say(new String(bytes, StandardCharsets.ISO_8859_1));
    }
    assertEquals(List.of(), changes());
    client().reports();
  }

  @Test
  void hugeLinesAndThoseWithoutAnEndKeepNobodyElseWaiting() throws IOException {
    assertEquals("", say("{\"request\":\"" + "x".repeat(1 << 20)), "closed unanswered");
    List<SocketChannel> silent = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      silent.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }
    client().reports();
    for (SocketChannel each : silent) {
      each.close();
    }
    String longest = "/w/" + "n".repeat(8000);
    assertTrue(
        assertThrows(
                IOException.class, () -> client().ask(new MoverRequest.Policy(longest, "COLD")))
            .getMessage()
            .contains("COLD"),
        "the longest path that HDFS takes goes through");
  }

  @Test
  void answersOnlyWhoItIsToldTo() throws IOException {
    server.close();
    server = server("nobody-of-this-host");
    HeldBackException refused =
        assertThrows(HeldBackException.class, () -> client().ask(copy("/w/a", "n1", "n2")));
    assertTrue(refused.getMessage().contains("doesn't answer"), refused.getMessage());
    assertEquals("", say("{\"request\":\"storages\"}\n"), "closed before anything was read");
    assertEquals(List.of(), hdfs.calls());
  }

  @Test
  void aServiceAsksNobodyElse() {
    MoverClient client =
        new MoverClient(
            socket,
            "thermocline-mover",
            new MoverClient.Terms(MoverClient.Away.FAIL, EPOCH),
            nanos::get,
            duration -> {});
    IOException strange = assertThrows(IOException.class, client::reports);
    assertTrue(
        strange.getMessage().contains("it is " + OWN + " who listens there"), strange.getMessage());
    assertFalse(strange instanceof HeldBackException);
  }

  private interface Question {
    void ask() throws IOException;
  }

  @Test
  @Timeout(60)
  void anAnswerOfAnotherVersionHoldsMovesBackAndSaysSo() throws Exception {
    server.close();
    String done = "{\"outcome\": \"DONE\", \"message\": \"\", \"value\": %s}";
    RemoteActionCalls actions = new RemoteActionCalls(client(), null);
    Map<String, Question> questions =
        Map.of(
            done.formatted("{\"nodes\": [], \"later\": 1}"),
            () -> client().states(true),
            done.formatted("{\"nodes\": [{\"uuid\": \"n1\"}], \"isUpgrading\": false}"),
            () -> client().states(true),
            done.formatted("null"),
            () -> client().states(true),
            done.formatted("null, \"later\": 1"),
            () -> client().states(true),
            "{\"outcome\": \"LATER_STILL\", \"message\": \"\", \"value\": null}",
            () -> client().states(true),
            done.formatted("{\"user\": \"hdfs\"}"),
            () -> client().limits(),
            done.formatted("{\"epoch\": 1, \"later\": 1}"),
            () -> new RemoteMark(client()).read(),
            done.formatted("{\"id\": 7, \"later\": 1}"),
            () -> actions.cache("/w/a", 1, made -> {}));
    try (ServerSocketChannel newer = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      newer.bind(UnixDomainSocketAddress.of(socket));
      for (Map.Entry<String, Question> question : questions.entrySet()) {
        String answer = question.getKey();
        CompletableFuture<Void> answered =
            CompletableFuture.runAsync(
                () -> {
                  try (SocketChannel one = newer.accept()) {
                    one.read(ByteBuffer.allocate(1000));
                    one.write(ByteBuffer.wrap((answer + "\n").getBytes(StandardCharsets.UTF_8)));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
        HeldBackException held =
            assertThrows(HeldBackException.class, () -> question.getValue().ask(), answer);
        assertTrue(held.getMessage().contains("is of another version"), held.getMessage());
        assertFalse(held.getMessage().contains("\n"), held.getMessage());
        answered.get();
      }
    }
  }

  @Test
  void oneListensAndComesBackAfterItWasKilled() throws IOException {
    IOException second = assertThrows(IOException.class, () -> server(OWN));
    assertTrue(second.getMessage().contains("another process listens"), second.getMessage());
    server.close();
    assertFalse(Files.exists(socket));
    HeldBackException gone = assertThrows(HeldBackException.class, () -> client().reports());
    assertTrue(gone.getMessage().contains("Is 'thermocline mover' running?"), gone.getMessage());

    // What one that is killed leaves.
    try (java.nio.channels.ServerSocketChannel left =
        java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(socket));
    }
    assertTrue(Files.exists(socket));
    server = server(OWN);
    client().reports();

    Path file = Files.writeString(directory.resolve("file"), "mine");
    socket = file;
    assertThrows(IOException.class, () -> server(OWN));
    assertEquals("mine", Files.readString(file));
  }

  @Test
  @Timeout(60)
  void aMoverThatGivesNoSignOfLifeIsFoundOut() throws IOException {
    MoverClient client = client();
    client.checkBeat();
    FileTime first = Files.getLastModifiedTime(socket);
    nanos.addAndGet(MoverClient.SILENT_AFTER.toNanos() - 1);
    client.checkBeat();

    nanos.incrementAndGet();
    while (Files.getLastModifiedTime(socket).equals(first)) {
      Thread.onSpinWait();
    }
    client.checkBeat();

    FileTime last = Files.getLastModifiedTime(socket);
    server.close();
    Files.createFile(socket);
    Files.setLastModifiedTime(socket, last);
    nanos.addAndGet(MoverClient.SILENT_AFTER.toNanos());
    // As it is left by one that is frozen: nothing changes it.
    HeldBackException silent = assertThrows(HeldBackException.class, client::checkBeat);
    assertTrue(
        silent.getMessage().endsWith("no sign of life for 8 s: it hangs, or was killed"),
        silent.getMessage());
    Files.delete(socket);
    assertThrows(HeldBackException.class, client::checkBeat);
  }

  @Test
  void listensWhereNobodyElseMayWrite() throws IOException {
    server.close();
    Path shared = Files.createDirectory(directory.resolve("shared"));
    Files.setPosixFilePermissions(
        shared, java.nio.file.attribute.PosixFilePermissions.fromString("rwxrwxr-x"));
    socket = shared.resolve("mover.sock");
    IOException refused = assertThrows(IOException.class, () -> server(OWN));
    assertTrue(refused.getMessage().contains("may be written to by others"), refused.getMessage());
  }

  @Test
  void listensInNoDirectoryOfSomebodyElse() throws IOException {
    assumeTrue(OWN.equals("root"), "only root can give a directory away");
    server.close();
    Path others = Files.createDirectory(directory.resolve("others"));
    Files.setOwner(
        others,
        others.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    socket = others.resolve("mover.sock");
    IOException refused = assertThrows(IOException.class, () -> server(OWN));
    assertTrue(refused.getMessage().contains("belongs to nobody"), refused.getMessage());
    assertFalse(Files.exists(socket));
  }
}
