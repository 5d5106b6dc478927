// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.redundancy.flow.ChunkingPolicy;
import io.thermocline.redundancy.flow.FlowTable;
import io.thermocline.redundancy.index.ChunkHasher;
import io.thermocline.redundancy.index.ChunkPlace;
import io.thermocline.redundancy.index.ContentHash;
import io.thermocline.redundancy.index.KnownFiles.KnownFile;
import io.thermocline.redundancy.index.TenantKey;
import io.thermocline.redundancy.store.LocalStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files through sender and gateway, over a socket. */
@Timeout(120)
class LinkTest {

  @TempDir Path directory;
  private Rig rig;

  @BeforeEach
  void start() throws IOException {
    rig = new Rig(new LocalStore(directory));
  }

  @AfterEach
  void stop() throws IOException {
    rig.close();
  }

  @Test
  void filesOfAllKindsAndLengthsArriveAsTheyAre() throws Exception {
    Random random = new Random(1);
    byte[] mixed = Rig.words(2, 9_000_000);
    System.arraycopy(new byte[3_000_000], 0, mixed, 2_000_000, 3_000_000);
    byte[] image = new byte[6_000_000];
    random.nextBytes(image);
    Arrays.fill(image, 0, 400_000, (byte) 0);
    image[510] = 0x55;
    image[511] = (byte) 0xaa;
    List<Sender.Item> items =
        List.of(
            Rig.item("empty", new byte[0]),
            Rig.item("a/one", new byte[] {7}),
            Rig.item("a/b/text", mixed),
            Rig.item("a/b/image", image),
            Rig.item("packed", MessageCodecTest.bytes(random, 5_000_001)),
            Rig.item("näme with blank", Rig.words(3, 4 << 20)),
            Rig.item("n".repeat(255), Rig.words(3, 1000)));

    Sender.Report report = rig.send(Rig.KEY, 3, 1, rig::connect, items.toArray(Sender.Item[]::new));

    assertEquals(List.of(), report.problems());
    assertEquals(7, report.copied());
    for (Sender.Item item : items) {
      assertArrives(item);
    }
    assertEquals(7, files().size(), "no temporary files");
  }

  @Test
  void aLaterVersionSendsOnlyWhatIsNew() throws Exception {
    byte[] text = Rig.words(5, 6_000_000);
    byte[] edited =
        join("a new first line\n".getBytes(StandardCharsets.UTF_8), text, Rig.words(6, 50_000));

    Sender.Report first = rig.send(Rig.item("day-1", text));
    Sender.Report second = rig.send(Rig.item("day-2", edited));

    assertTrue(first.sent().chunkingRatio() < 0.01, first::toString);
    assertTrue(second.sent().chunkingRatio() > 0.96, second::toString);
    assertArrives(Rig.item("day-2", edited));
  }

  /** Chunks that repeat within a file, and within a batch, are sent once. */
  /** Together on one connection: also those that are there, those that repeat others and one that can't be read. */
  @Test
  void manySmallFilesAreUnderWayAtATime() throws Exception {
    List<Sender.Item> items = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      byte[] data = Rig.words(i / 3, 1 + 400 * (i / 3));
      items.add(
          Rig.item("s/" + i, i % 50 == 7 ? MessageCodecTest.bytes(new Random(i), 5000) : data));
    }
    rig.send(items.get(5), items.get(6));
    rig.send(Rig.item("s/8", new byte[77]));

    Sender.Report report = rig.send(items.toArray(Sender.Item[]::new));

    assertEquals(List.of("s/8: the gateway has another file of that name"), report.problems());
    assertEquals(297, report.copied());
    assertEquals(2, report.present());
    assertTrue(report.sent().chunkingRatio() > 0.6, report::toString);
    for (Sender.Item item : items) {
      if (!item.path().equals("s/8")) {
        assertArrives(item);
      }
    }
    assertEquals(300, files().size());
  }

  /** A refusal of one of them doesn't end the others. */
  @Test
  void smallFilesWhoseChunksVanishedAreSentAnew() throws Exception {
    Sender.Item[] before = new Sender.Item[40];
    Sender.Item[] after = new Sender.Item[40];
    for (int i = 0; i < 40; i++) {
      before[i] = Rig.item("b/" + i, Rig.words(i, 50_000));
      after[i] = Rig.item("a/" + i, Rig.words(i, 50_000));
    }
    rig.send(before);
    for (int i = 0; i < 40; i += 3) {
      Files.write(directory.resolve("blue/b/" + i), Rig.words(99, 50_000));
    }

    Sender.Report report = rig.send(after);

    assertEquals(List.of(), report.problems());
    assertEquals(40, report.copied());
    for (Sender.Item item : after) {
      assertArrives(item);
    }
  }

  @Test
  void repetitionWithinAFileIsSentOnce() throws Exception {
    byte[] part = Rig.words(5, 300_000);
    byte[] file = join(part, part, part, part, part, part, part, part, part, part);

    Sender.Report report = rig.send(Rig.item("repeated", file));

    assertTrue(report.sent().chunkingRatio() > 0.86, report::toString);
    assertArrives(Rig.item("repeated", file));
  }

  @Test
  void packedDataPassesThrough() throws Exception {
    byte[] packed = MessageCodecTest.bytes(new Random(4), 3_000_000);
    Sender.Report report = rig.send(Rig.item("packed", packed));

    FlowTable.Flow flow = rig.flows.flows().get(0);
    assertEquals(ChunkingPolicy.NONE, flow.state().rule().policy());
    assertTrue(report.sent().sendingSize() < packed.length + 100, report::toString);
    assertArrives(Rig.item("packed", packed));
  }

  @Test
  void aFileThatIsThereIsNeverReplaced() throws Exception {
    rig.send(Rig.item("a", Rig.words(1, 300_000)));

    Sender.Report again =
        rig.send(Rig.item("a", Rig.words(1, 300_000)), Rig.item("a", Rig.words(2, 300_000)));

    assertEquals(1, again.present());
    assertEquals(1, again.failed());
    assertEquals(List.of("a: the gateway has another file of that name"), again.problems());
    assertEquals(0, again.sent().dataSize());
    assertArrives(Rig.item("a", Rig.words(1, 300_000)));
  }

  @Test
  void whatChangedOrVanishedAtTheGatewayIsSentAnew() throws Exception {
    byte[] text = Rig.words(5, 3_000_000);
    for (int change = 0; change < 3; change++) {
      String name = "v" + change;
      rig.send(Rig.item(name, text));
      Path file = directory.resolve("blue").resolve(name);
      switch (change) {
        case 0 -> Files.delete(file);
        case 1 -> Files.write(file, Rig.words(99, 3_000_000));
        default -> Files.write(file, Arrays.copyOf(text, 1_000_000));
      }
      byte[] now = join(new byte[] {'x'}, text);

      Sender.Report report = rig.send(Rig.item("after-" + name, now));

      assertEquals(List.of(), report.problems());
      assertArrives(Rig.item("after-" + name, now));
      Files.deleteIfExists(directory.resolve("blue/after-" + name));
    }
  }

  /** An index that names wrong places, other lengths and files of others. */
  @Test
  void hostileIndexHitsChangeNothing() throws Exception {
    byte[] bait = Rig.words(7, 500_000);
    rig.send(Rig.item("bait", bait));
    int number = rig.state.files().reserve();
    rig.state.files().add(number, new KnownFile("blue", "blue/bait"));
    int foreign = rig.state.files().reserve();
    rig.state.files().add(foreign, new KnownFile("red", "red/secret"));
    byte[] text = Rig.words(8, 2_000_000);
    ChunkHasher hasher = new ChunkHasher(Rig.KEY);
    Batch batch =
        new BatchReader(
                Rig.content(text).open(),
                io.thermocline.redundancy.flow.ChunkingRule.first(
                    io.thermocline.redundancy.content.FileKind.TEXT))
            .next();
    int at = 0;
    for (int i = 0; i < batch.chunks().length; i++) {
      int length = batch.chunks()[i];
      ChunkPlace place =
          switch (i % 4) {
            case 0 -> new ChunkPlace(number, 3 * i, length);
            case 1 -> new ChunkPlace(number, -5, length);
            case 2 -> new ChunkPlace(number, Long.MAX_VALUE - 10, length + 1);
            default -> new ChunkPlace(foreign, 0, length);
          };
      rig.state.index().put(hasher.hash(text, at, length), place);
      at += length;
    }

    Sender.Report report = rig.send(Rig.item("text", text));

    assertEquals(List.of(), report.problems());
    assertArrives(Rig.item("text", text));
    assertArrives(Rig.item("bait", bait));
  }

  @Test
  void tenantsShareNothing() throws Exception {
    byte[] text = Rig.words(5, 2_000_000);
    rig.send(Rig.item("a", text));

    Sender.Report other = rig.send(Rig.OTHER, 1, 1, rig::connect, Rig.item("a", text));

    assertEquals(1, other.copied());
    assertTrue(other.sent().chunkingRatio() < 0.01, other::toString);
    assertArrayEquals(text, Files.readAllBytes(directory.resolve("red/a")));
  }

  @Test
  void strangersAndBadPathsAreRejected() throws Exception {
    TenantKey wrong = TenantKey.parse("blue:ffffffffffffffffffffffffffffffff");
    TenantKey unknown = TenantKey.parse("green:000102030405060708090a0b0c0d0e0f");
    Sender.Item item = Rig.item("a", new byte[10]);
    assertEquals(
        List.of("a: the gateway doesn't know the secret of blue"),
        rig.send(wrong, 1, 1, rig::connect, item).problems());
    assertEquals(
        List.of("a: gateway: unknown tenant or wrong secret"),
        rig.send(unknown, 1, 3, rig::connect, item).problems());
    for (String path :
        List.of("../a", "/a", "a//b", "a/./b", "", "a\nb", "a/", "x.thermocline-part", "a:b")) {
      Sender.Report report = rig.send(Rig.item(path, new byte[10]));
      assertTrue(report.problems().get(0).contains("gateway: path: expected"), report::toString);
    }
    assertEquals(List.of(), files());
  }

  /** Somebody who has seen a greeting can't repeat it: the gateway draws another nonce. */
  @Test
  void aProofIsGoodForOneConnection() throws Exception {
    GatewaySession first = new GatewaySession(rig.state, new byte[16]);
    GatewaySession second =
        new GatewaySession(rig.state, MessageCodecTest.bytes(new Random(1), 16));
    Message.Hello hello = new Message.Hello(1, "blue", new byte[16]);
    Message.Proof proof = new Message.Proof(Rig.KEY.proof("sender", new byte[16], new byte[16]));
    first.handle(hello);
    second.handle(hello);

    assertTrue(first.handle(proof) instanceof Message.Welcome);
    assertTrue(second.handle(proof) instanceof Message.Failed);
  }

  @Test
  void aFileThatChangesWhileItIsCopiedDoesNotAppear() throws Exception {
    byte[] text = Rig.words(1, 200_000);
    SenderSession.Content changing =
        new SenderSession.Content() {
          @Override
          public long length() {
            return text.length;
          }

          @Override
          public InputStream open() throws IOException {
            return Rig.content(text).open();
          }

          @Override
          public boolean isUnchanged() {
            return false;
          }
        };
    SenderSession.Content shorter =
        new SenderSession.Content() {
          @Override
          public long length() {
            return text.length + 1;
          }

          @Override
          public InputStream open() throws IOException {
            return Rig.content(text).open();
          }

          @Override
          public boolean isUnchanged() {
            return true;
          }
        };

    Sender.Report report =
        rig.send(new Sender.Item("a", "", changing), new Sender.Item("b", "", shorter));

    assertEquals(2, report.failed());
    assertFalse(Files.exists(directory.resolve("blue/a")));
    assertFalse(Files.exists(directory.resolve("blue/b")));
  }

  @Test
  void tooManyConnectionsAreToldToComeLater() throws Exception {
    try (Rig small = new Rig(new LocalStore(directory), 0)) {
      Sender.Report report = small.send(Rig.item("a", new byte[10]));
      assertEquals(List.of("a: gateway: too many connections"), report.problems());
    }
  }

  @Test
  void aFullIndexIsSaid() throws Exception {
    for (int i = 0; i < 70_000; i++) {
      rig.state.index().put(new ContentHash(i, i), new ChunkPlace(1, 0, 1));
    }
    rig.send(Rig.item("a", new byte[10]));
    assertTrue(
        // A copy: the gateway may be adding the end of the connection.
        List.copyOf(rig.log).stream()
            .anyMatch(line -> line.matches("index: \\d+ chunks replaced others.*65536")),
        rig.log::toString);
  }

  @Test
  void twoSendersOfOneFileDoNotMixIt() throws Exception {
    GatewaySession first = session();
    GatewaySession second = session();

    assertTrue(first.handle(new Message.Open("a", 10, false)) instanceof Message.Opened);
    assertEquals(
        Message.Code.BUSY,
        ((Message.Failed) second.handle(new Message.Open("a", 10, false))).code());
    first.close();
    assertTrue(second.handle(new Message.Open("a", 10, false)) instanceof Message.Opened);
    second.close();
  }

  private GatewaySession session() throws IOException {
    GatewaySession session = new GatewaySession(rig.state, new byte[16]);
    session.handle(new Message.Hello(1, "blue", new byte[16]));
    session.handle(new Message.Proof(Rig.KEY.proof("sender", new byte[16], new byte[16])));
    return session;
  }

  private void assertArrives(Sender.Item item) throws IOException {
    assertArrayEquals(
        item.content().open().readAllBytes(),
        Files.readAllBytes(directory.resolve("blue").resolve(item.path())),
        item.path());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static byte[] join(byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }
}
