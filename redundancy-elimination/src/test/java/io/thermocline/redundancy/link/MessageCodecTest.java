// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.redundancy.index.ContentHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MessageCodecTest {

  private static final long SEED = Long.getLong("test.seed", 1);

  /** A million with {@code -Dlink.fuzz=1000000}. */
  private static final int MESSAGES = Integer.getInteger("link.fuzz", 100_000);

  /** One of each kind, of random content. */
  static List<Message> samples(Random random) {
    int count = 1 + random.nextInt(40);
    ContentHash[] hashes = new ContentHash[count];
    int[] lengths = new int[count];
    BitSet references = new BitSet();
    List<byte[]> fingerprints = new ArrayList<>();
    int missing = 0;
    for (int i = 0; i < count; i++) {
      hashes[i] = new ContentHash(random.nextLong(), random.nextLong());
      lengths[i] = 1 + random.nextInt(2000);
      if (random.nextBoolean()) {
        references.set(i);
        fingerprints.add(bytes(random, 32));
      } else {
        missing += lengths[i];
      }
    }
    Payload data = Payload.of(bytes(random, missing), missing, random.nextBoolean());
    int sequence = random.nextInt();
    long length = random.nextLong() >>> 1;
    Message.Chunks chunks =
        new Message.Chunks(
            sequence, lengths, references, fingerprints.toArray(byte[][]::new), data);
    return List.of(
        new Message.Hello(random.nextInt(), "tenant-ü", bytes(random, 16)),
        new Message.Challenge(bytes(random, 16), bytes(random, 32)),
        new Message.Proof(bytes(random, 32)),
        new Message.Welcome(),
        new Message.Open("a/b" + count, length, random.nextBoolean()),
        new Message.Opened(random.nextBoolean(), length, random.nextInt()),
        new Message.Query(sequence, hashes),
        new Message.Answer(sequence, count, references),
        chunks,
        new Message.Refused(),
        new Message.Commit(length, random.nextInt()),
        new Message.Committed(length, random.nextInt()),
        new Message.Failed(Message.Code.values()[random.nextInt(4)], "why"),
        new Message.Put(
            "f" + random.nextInt(20), Arrays.stream(lengths).sum(), random.nextInt(), chunks));
  }

  @Test
  void whatIsEncodedIsDecoded() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      for (Message message : samples(random)) {
        byte[] bytes = MessageCodec.encode(message);
        Message decoded = MessageCodec.decode(bytes);
        assertTrue(decoded.getClass() == message.getClass());
        assertArrayEquals(bytes, MessageCodec.encode(decoded), message::toString);
      }
    }
  }

  /** Bytes that were changed, cut, extended or made up are a message or a ProtocolException, and little memory. */
  @Test
  void anyBytesAreAMessageOrAreRejected() {
    Random random = new Random(SEED);
    int good = 0;
    for (int i = 0; i < MESSAGES; ) {
      for (Message message : samples(random)) {
        byte[] bytes = mutated(MessageCodec.encode(message), random);
        try {
          Message decoded = MessageCodec.decode(bytes);
          assertArrayEquals(bytes, MessageCodec.encode(decoded), () -> "seed " + SEED);
          good++;
        } catch (ProtocolException e) {
          assertTrue(e.getMessage().length() < 200, e.getMessage());
        }
        i++;
      }
    }
    assertTrue(good > MESSAGES / 100 && good < MESSAGES, "decoded " + good);
  }

  @Test
  void lengthsThatAreAnnouncedTakeNoMemory() {
    for (int type : new int[] {7, 8, 9}) {
      byte[] bytes = ByteBuffer.allocate(13).put((byte) type).putInt(1).putInt(100_000).array();
      assertThrows(ProtocolException.class, () -> MessageCodec.decode(bytes));
    }
    assertThrows(ProtocolException.class, () -> MessageCodec.decode(new byte[0]));
    assertThrows(ProtocolException.class, () -> MessageCodec.decode(new byte[] {99}));
  }

  /** Compressed chunks never unfold to more than was announced, nor to less. */
  @Test
  void compressedChunksHaveTheLengthThatWasAnnounced() throws Exception {
    byte[] zeros = new byte[100_000];
    Payload payload = Payload.of(zeros, zeros.length, true);
    assertTrue(payload.bytes().length < 100);
    assertArrayEquals(zeros, payload.raw());
    for (int wrong : new int[] {50, 99_999, 100_001}) {
      assertThrows(ProtocolException.class, () -> new Payload(wrong, payload.bytes()).raw());
    }
  }

  private static byte[] mutated(byte[] bytes, Random random) {
    switch (random.nextInt(5)) {
      case 0:
        return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      case 1:
        return Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(8));
      case 2:
        byte[] madeUp = bytes(random, 1 + random.nextInt(80));
        madeUp[0] = (byte) random.nextInt(16);
        return madeUp;
      default:
        for (int i = random.nextInt(3); i >= 0; i--) {
          bytes[random.nextInt(Math.min(bytes.length, 40))] = (byte) random.nextInt(256);
        }
        return bytes;
    }
  }

  static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
