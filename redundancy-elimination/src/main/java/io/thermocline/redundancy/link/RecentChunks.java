// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import io.thermocline.redundancy.index.ContentHash;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Missing chunks that crossed one connection last. Both sides know them as soon as they are sent, while an answer of the
 * gateway may be older. Forgets whole batches, the oldest first. For one thread.
 */
final class RecentChunks {

  /** What the sender counts on, in bytes. */
  static final int SENDER_BYTES = 16 << 20;

  /** What the gateway keeps: more, as it must never have less than the sender thinks. */
  static final int GATEWAY_BYTES = SENDER_BYTES + 2 * BatchReader.MAX_BATCH;

  /**
   * A chunk.
   *
   * @param data null on the sender's side
   */
  record Place(byte[] data, int from, int length) {}

  private record Known(ContentHash hash, Place place) {}

  private record Group(int bytes, List<Known> chunks) {}

  private final int maxBytes;
  private final Map<ContentHash, Known> known = new HashMap<>();
  private final Deque<Group> groups = new ArrayDeque<>();
  private List<Known> current = new ArrayList<>();
  private int bytes;

  RecentChunks(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Null if it isn't there. */
  Place find(ContentHash hash) {
    Known chunk = known.get(hash);
    return chunk == null ? null : chunk.place();
  }

  void put(ContentHash hash, Place place) {
    Known chunk = new Known(hash, place);
    known.put(hash, chunk);
    current.add(chunk);
  }

  /**
   * @param length of all chunks since the batch before
   */
  void endBatch(int length) {
    groups.add(new Group(length, current));
    current = new ArrayList<>();
    bytes += length;
    while (bytes > maxBytes) {
      Group oldest = groups.remove();
      bytes -= oldest.bytes();
      // Unless it came again later.
      oldest
          .chunks()
          .forEach(
              chunk ->
                  known.computeIfPresent(chunk.hash(), (hash, now) -> now == chunk ? null : now));
    }
  }
}
