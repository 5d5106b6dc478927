// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import io.thermocline.redundancy.index.ContentHash;
import io.thermocline.redundancy.index.TenantKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * Messages as bytes: a type, then the fields in order, big-endian; arrays and texts after their length. Each length is
 * checked against a limit and against what is there, before memory is taken for it.
 */
public final class MessageCodec {

  /** Of a path or an error, in bytes. */
  public static final int MAX_TEXT = 4096;

  /** What no message exceeds, in bytes. */
  public static final int MAX_MESSAGE =
      64 + MAX_TEXT + BatchReader.MAX_BATCH + BatchReader.MAX_CHUNKS * Payload.REFERENCE_BYTES;

  /** What no message exceeds before the sender has proved who it is. */
  public static final int MAX_GREETING = 512;

  private static final int REFERENCE = 1 << 31;

  private static final int CHUNKS = 9;
  private static final int PUT = 14;

  private MessageCodec() {}

  public static byte[] encode(Message message) {
    if (message instanceof Message.Hello hello) {
      byte[] tenant = text(hello.tenant());
      return put(1, 4 + 4 + tenant.length + Message.NONCE_BYTES)
          .putInt(hello.version())
          .putInt(tenant.length)
          .put(tenant)
          .put(hello.nonce())
          .array();
    } else if (message instanceof Message.Challenge challenge) {
      return put(2, Message.NONCE_BYTES + TenantKey.MAC_BYTES)
          .put(challenge.nonce())
          .put(challenge.proof())
          .array();
    } else if (message instanceof Message.Proof proof) {
      return put(3, TenantKey.MAC_BYTES).put(proof.proof()).array();
    } else if (message instanceof Message.Welcome) {
      return put(4, 0).array();
    } else if (message instanceof Message.Open open) {
      byte[] path = text(open.path());
      return put(5, 8 + 1 + 4 + path.length)
          .putLong(open.length())
          .put(flag(open.startOver()))
          .putInt(path.length)
          .put(path)
          .array();
    } else if (message instanceof Message.Opened opened) {
      return put(6, 1 + 8 + 4)
          .put(flag(opened.complete()))
          .putLong(opened.length())
          .putInt(opened.crc())
          .array();
    } else if (message instanceof Message.Query query) {
      ByteBuffer buffer = put(7, 8 + query.hashes().length * ContentHash.BYTES);
      buffer.putInt(query.sequence()).putInt(query.hashes().length);
      for (ContentHash hash : query.hashes()) {
        buffer.putLong(hash.high()).putLong(hash.low());
      }
      return buffer.array();
    } else if (message instanceof Message.Answer answer) {
      byte[] bits = bits(answer.known(), answer.count());
      return put(8, 8 + bits.length)
          .putInt(answer.sequence())
          .putInt(answer.count())
          .put(bits)
          .array();
    } else if (message instanceof Message.Chunks chunks) {
      ByteBuffer buffer = put(CHUNKS, length(chunks));
      put(chunks, buffer);
      return buffer.array();
    } else if (message instanceof Message.Put put) {
      byte[] path = text(put.path());
      ByteBuffer buffer =
          put(PUT, 8 + 4 + 4 + path.length + length(put.chunks()))
              .putLong(put.length())
              .putInt(put.crc())
              .putInt(path.length)
              .put(path);
      put(put.chunks(), buffer);
      return buffer.array();
    } else if (message instanceof Message.Refused) {
      return put(10, 0).array();
    } else if (message instanceof Message.Commit commit) {
      return put(11, 12).putLong(commit.length()).putInt(commit.crc()).array();
    } else if (message instanceof Message.Committed committed) {
      return put(12, 12).putLong(committed.length()).putInt(committed.crc()).array();
    } else if (message instanceof Message.Failed failed) {
      String shown = failed.text();
      byte[] text = text(shown.length() > 1000 ? shown.substring(0, 1000) : shown);
      return put(13, 1 + 4 + text.length)
          .put((byte) failed.code().ordinal())
          .putInt(text.length)
          .put(text)
          .array();
    }
    throw new IllegalArgumentException("no message: " + message);
  }

  /**
   * @throws ProtocolException for whatever {@link #encode} doesn't write
   */
  public static Message decode(byte[] bytes) throws ProtocolException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      Message message = decode(in);
      if (in.hasRemaining()) {
        throw new ProtocolException("message: " + in.remaining() + " bytes too many");
      }
      return message;
    } catch (BufferUnderflowException e) {
      throw new ProtocolException("message of " + bytes.length + " bytes: too short");
    }
  }

  private static Message decode(ByteBuffer in) throws ProtocolException {
    int type = in.get();
    return switch (type) {
      case 1 -> {
        int version = in.getInt();
        String tenant = text(in);
        yield new Message.Hello(version, tenant, bytes(in, Message.NONCE_BYTES));
      }
      case 2 ->
          new Message.Challenge(bytes(in, Message.NONCE_BYTES), bytes(in, TenantKey.MAC_BYTES));
      case 3 -> new Message.Proof(bytes(in, TenantKey.MAC_BYTES));
      case 4 -> new Message.Welcome();
      case 5 -> {
        long length = size(in);
        boolean startOver = flag(in);
        yield new Message.Open(text(in), length, startOver);
      }
      case 6 -> new Message.Opened(flag(in), size(in), in.getInt());
      case 7 -> {
        int sequence = in.getInt();
        ContentHash[] hashes = new ContentHash[count(in, ContentHash.BYTES)];
        for (int i = 0; i < hashes.length; i++) {
          hashes[i] = new ContentHash(in.getLong(), in.getLong());
        }
        yield new Message.Query(sequence, hashes);
      }
      case 8 -> {
        int sequence = in.getInt();
        int count = in.getInt();
        check(count >= 1 && count <= BatchReader.MAX_CHUNKS, "chunks", count);
        yield new Message.Answer(sequence, count, bits(in, count));
      }
      case CHUNKS -> decodeChunks(in);
      case 10 -> new Message.Refused();
      case 11 -> new Message.Commit(size(in), in.getInt());
      case 12 -> new Message.Committed(size(in), in.getInt());
      case 13 -> {
        int code = in.get();
        check(code >= 0 && code < Message.Code.values().length, "code", code);
        yield new Message.Failed(Message.Code.values()[code], text(in));
      }
      case PUT -> {
        long length = size(in);
        int crc = in.getInt();
        yield new Message.Put(text(in), length, crc, decodeChunks(in));
      }
      default -> throw new ProtocolException("message: unknown type " + type);
    };
  }

  private static int length(Message.Chunks chunks) {
    return 12
        + 4 * chunks.lengths().length
        + TenantKey.MAC_BYTES * chunks.fingerprints().length
        + chunks.data().bytes().length;
  }

  private static void put(Message.Chunks chunks, ByteBuffer out) {
    int count = chunks.lengths().length;
    out.putInt(chunks.sequence()).putInt(count);
    for (int i = 0; i < count; i++) {
      out.putInt(chunks.lengths()[i] | (chunks.references().get(i) ? REFERENCE : 0));
    }
    for (byte[] fingerprint : chunks.fingerprints()) {
      out.put(fingerprint);
    }
    out.putInt(chunks.data().bytes().length).put(chunks.data().bytes());
  }

  private static Message.Chunks decodeChunks(ByteBuffer in) throws ProtocolException {
    int sequence = in.getInt();
    int[] lengths = new int[count(in, Integer.BYTES)];
    BitSet references = new BitSet(lengths.length);
    int total = 0;
    int missing = 0;
    for (int i = 0; i < lengths.length; i++) {
      int word = in.getInt();
      lengths[i] = word & ~REFERENCE;
      check(
          lengths[i] >= 1 && lengths[i] <= BatchReader.MAX_BATCH - total,
          "bytes of a chunk",
          lengths[i]);
      total += lengths[i];
      if (word < 0) {
        references.set(i);
      } else {
        missing += lengths[i];
      }
    }
    int cardinality = references.cardinality();
    check(cardinality <= in.remaining() / TenantKey.MAC_BYTES, "references", cardinality);
    byte[][] fingerprints = new byte[cardinality][];
    for (int i = 0; i < cardinality; i++) {
      fingerprints[i] = bytes(in, TenantKey.MAC_BYTES);
    }
    int sent = in.getInt();
    check(sent >= 0 && sent <= missing && (sent > 0 || missing == 0), "bytes of chunks", sent);
    Payload data = new Payload(missing, bytes(in, sent));
    return new Message.Chunks(sequence, lengths, references, fingerprints, data);
  }

  private static ByteBuffer put(int type, int length) {
    return ByteBuffer.allocate(1 + length).put((byte) type);
  }

  private static byte flag(boolean value) {
    return (byte) (value ? 1 : 0);
  }

  private static boolean flag(ByteBuffer in) throws ProtocolException {
    byte value = in.get();
    check(value == 0 || value == 1, "flag", value);
    return value == 1;
  }

  private static long size(ByteBuffer in) throws ProtocolException {
    long value = in.getLong();
    check(value >= 0, "length", value);
    return value;
  }

  /** A number of elements that are there. */
  private static int count(ByteBuffer in, int bytesEach) throws ProtocolException {
    int count = in.getInt();
    check(
        count >= 1 && count <= BatchReader.MAX_CHUNKS && count <= in.remaining() / bytesEach,
        "chunks",
        count);
    return count;
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(ByteBuffer in) throws ProtocolException {
    int length = in.getInt();
    check(length >= 0 && length <= MAX_TEXT, "length of a text", length);
    byte[] bytes = bytes(in, length);
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (!java.util.Arrays.equals(text(text), bytes)) {
      throw new ProtocolException("text: not UTF-8");
    }
    return text;
  }

  private static byte[] bits(BitSet set, int count) {
    byte[] bytes = new byte[(count + 7) / 8];
    byte[] filled = set.toByteArray();
    System.arraycopy(filled, 0, bytes, 0, filled.length);
    return bytes;
  }

  private static BitSet bits(ByteBuffer in, int count) throws ProtocolException {
    BitSet set = BitSet.valueOf(bytes(in, (count + 7) / 8));
    check(set.length() <= count, "bits", set.length());
    return set;
  }

  private static void check(boolean isGood, String what, long found) throws ProtocolException {
    if (!isGood) {
      throw new ProtocolException(what + ": found " + found);
    }
  }
}
