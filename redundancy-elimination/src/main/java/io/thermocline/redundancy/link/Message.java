// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import io.thermocline.redundancy.index.ContentHash;
import java.util.BitSet;

/**
 * What sender and gateway tell each other, in the order of a copy: {@link Hello}, {@link Challenge}, {@link Proof}, {@link
 * Welcome}; for each file {@link Open}, {@link Opened}, for each batch {@link Query}, {@link Answer}, {@link Chunks}; {@link
 * Commit}, {@link Committed}. Arrays aren't copied.
 */
public sealed interface Message {

  int VERSION = 1;
  int NONCE_BYTES = 16;

  /** The sender's first message. */
  record Hello(int version, String tenant, byte[] nonce) implements Message {}

  /** @param proof that the gateway knows the tenant's secret */
  record Challenge(byte[] nonce, byte[] proof) implements Message {}

  /** @param proof that the sender knows it */
  record Proof(byte[] proof) implements Message {}

  record Welcome() implements Message {}

  /**
   * Begins a file, or goes on with it.
   *
   * @param path below the tenant's directory
   * @param startOver whether what the gateway has of it is deleted
   */
  record Open(String path, long length, boolean startOver) implements Message {}

  /**
   * What the gateway has of the file.
   *
   * @param complete whether the file itself is there; otherwise these are the first bytes of a temporary file
   * @param crc CRC32C of its bytes
   */
  record Opened(boolean complete, long length, int crc) implements Message {}

  /** Asks which chunks of a batch the gateway may have. */
  record Query(int sequence, ContentHash[] hashes) implements Message {}

  /** @param known a bit a chunk */
  record Answer(int sequence, int count, BitSet known) implements Message {}

  /**
   * The bytes of a batch that follow in the file.
   *
   * @param lengths of each chunk
   * @param references which chunks the gateway takes from what it has; only after a query of the same sequence
   * @param fingerprints of those, in order
   * @param data all others
   */
  record Chunks(int sequence, int[] lengths, BitSet references, byte[][] fingerprints, Payload data)
      implements Message {}

  /**
   * A small file at once, after a query of its chunks or without. The reply is {@link Committed}, {@link Opened} if there is a
   * file of that name, or {@link Refused}, after which other messages are still good.
   *
   * @param chunks all of them
   */
  record Put(String path, long length, int crc, Chunks chunks) implements Message {}

  /** A chunk isn't where the gateway thought. What follows is dropped up to the next Open. */
  record Refused() implements Message {}

  /** Ends the file: it takes its name if it has that length and CRC32C. */
  record Commit(long length, int crc) implements Message {}

  /** The file has its name. */
  record Committed(long length, int crc) implements Message {}

  /** The connection ends. */
  record Failed(Code code, String text) implements Message {}

  /** Why. */
  enum Code {
    /** Unknown tenant, or a wrong secret. */
    DENIED,
    /** Somebody else writes the file, or there are too many connections: try later. */
    BUSY,
    /** Bad message or path. */
    INVALID,
    /** The gateway's file system failed, or the file isn't what was sent: try again. */
    FAILED
  }
}
