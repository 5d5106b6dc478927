// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.redundancy.store.LocalStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sender and a gateway that say anything at all. */
@Timeout(180)
class HostilePeerTest {

  private static final long SEED = Long.getLong("test.seed", 1);

  @TempDir Path directory;

  /** Messages in any order, of a sender that knows the secret: no file changes, none appears that wasn't sent whole. */
  @Test
  void aSenderThatSaysAnythingChangesNoFile() throws Exception {
    Random random = new Random(SEED);
    byte[] before = Rig.words(1, 200_000);
    try (Rig rig = new Rig(new LocalStore(directory))) {
      rig.send(Rig.item("a/b1", before));
      int failures = 0;
      for (int round = 0; round < Integer.getInteger("link.fuzz", 100_000) / 100; round++) {
        GatewaySession session = new GatewaySession(rig.state, new byte[16]);
        session.handle(new Message.Hello(1, "blue", new byte[16]));
        session.handle(new Message.Proof(Rig.KEY.proof("sender", new byte[16], new byte[16])));
        try {
          for (int i = 0; i < 100; i++) {
            List<Message> samples = MessageCodecTest.samples(random);
            // Mostly what a sender may say.
            Message message =
                samples.get(
                    random.nextInt(10) < 9
                        ? new int[] {4, 6, 8, 10, 13}[random.nextInt(5)]
                        : random.nextInt(14));
            if (message instanceof Message.Open) {
              message =
                  new Message.Open(
                      "f" + random.nextInt(20), random.nextInt(30_000), random.nextBoolean());
            }
            if (session.handle(message) instanceof Message.Failed) {
              break;
            }
          }
        } catch (ProtocolException e) {
          failures++;
        } finally {
          session.close();
        }
      }
      assertTrue(failures > 100, "failures: " + failures);
      assertEquals(0, rig.state.writing().size(), "no lock is left");
    }
    assertArrayEquals(before, Files.readAllBytes(directory.resolve("blue/a/b1")));
    try (Stream<Path> files = Files.walk(directory)) {
      assertEquals(
          List.of(directory.resolve("blue/a/b1")),
          files
              .filter(Files::isRegularFile)
              .filter(file -> !file.toString().endsWith(RemotePath.PARTIAL))
              .toList());
    }
  }

  /** Bytes of no protocol at all, on real sockets; good senders are served on. */
  @Test
  void garbageOnASocketIsRejected() throws Exception {
    Random random = new Random(SEED);
    try (Rig rig = new Rig(new LocalStore(directory))) {
      for (int i = 0; i < 50; i++) {
        try (Socket socket = rig.connect()) {
          socket.getOutputStream().write(MessageCodecTest.bytes(random, 1 + random.nextInt(2000)));
          socket.shutdownOutput();
          socket.getInputStream().readAllBytes();
        } catch (IOException e) {
          // The gateway closed it.
        }
      }
      assertEquals(
          1, rig.send(Rig.KEY, 1, 1000, rig::connect, Rig.item("a", new byte[9])).copied());
      assertTrue(
          rig.log.stream().anyMatch(line -> line.contains("expected 1 to 512 bytes")),
          rig.log::toString);
    }
  }

  /** A gateway that knows the secret and then lies: the sender ends with an error, and its file is as before. */
  @Test
  void aGatewayThatSaysAnythingIsGivenUp() throws Exception {
    Random random = new Random(SEED);
    byte[] text = Rig.words(2, 500_000);
    byte[] copy = text.clone();
    List<String> problems = new ArrayList<>();
    try (Rig rig = new Rig(new LocalStore(directory));
        ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      for (int round = 0; round < 150; round++) {
        long seed = random.nextLong();
        Thread liar = new Thread(() -> lie(server, new Random(seed), text.length));
        liar.start();
        Sender.Report report =
            rig.send(
                Rig.KEY,
                1,
                1,
                () -> new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort()),
                Rig.item("a", text));
        liar.join();
        assertEquals(1, report.failed() + report.present() + report.copied());
        assertEquals(0, report.copied() + report.present(), "round " + round);
        problems.addAll(report.problems());
      }
    }
    assertArrayEquals(copy, text);
    assertTrue(
        problems.stream().distinct().count() > 5, problems.stream().distinct().toList()::toString);
  }

  private static void lie(ServerSocket server, Random random, int length) {
    try (Socket socket = server.accept();
        Connection connection = new Connection(socket)) {
      // Where both wait for each other, the liar gives up first.
      socket.setSoTimeout(200);
      Message.Hello hello = (Message.Hello) connection.receive(1000);
      byte[] nonce = new byte[16];
      connection.send(new Message.Challenge(nonce, Rig.KEY.proof("gateway", hello.nonce(), nonce)));
      connection.receive(1000);
      connection.send(new Message.Welcome());
      for (int i = 0; i < 20; i++) {
        Message asked = connection.receive(MessageCodec.MAX_MESSAGE);
        if (random.nextInt(3) == 0) {
          connection.send(MessageCodecTest.samples(random).get(random.nextInt(14)));
        } else if (asked instanceof Message.Open) {
          connection.send(
              new Message.Opened(
                  random.nextInt(4) == 0, random.nextInt(3) * length / 2, random.nextInt(2)));
        } else if (asked instanceof Message.Query query) {
          BitSet all = new BitSet();
          all.set(0, query.hashes().length, random.nextBoolean());
          connection.send(new Message.Answer(query.sequence(), query.hashes().length, all));
          if (random.nextBoolean()) {
            connection.send(new Message.Refused());
          }
        } else if (asked instanceof Message.Commit commit) {
          connection.send(new Message.Committed(commit.length(), commit.crc() + 1));
        }
      }
    } catch (IOException e) {
      // The sender gave up.
    }
  }
}
