// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChunkIndexTest {

  @Test
  void findsWhatWasPutAndNothingElse() {
    ChunkIndex index = new ChunkIndex(10_000);
    for (int i = 0; i < 3000; i++) {
      index.put(hash(i), new ChunkPlace(i, 10L * i, 1 + i));
    }

    for (int i = 0; i < 3000; i++) {
      assertEquals(new ChunkPlace(i, 10L * i, 1 + i), index.find(hash(i)));
    }
    assertEquals(0, IntStream.range(3000, 50_000).filter(i -> index.find(hash(i)) != null).count());
    index.remove(hash(7));
    assertNull(index.find(hash(7)));
    index.put(hash(8), new ChunkPlace(1, 2, 3));
    assertEquals(new ChunkPlace(1, 2, 3), index.find(hash(8)));
  }

  @Test
  void aFullIndexForgetsTheLeastRecentlyUsed() {
    ChunkIndex index = new ChunkIndex(1024);
    index.put(hash(0), new ChunkPlace(0, 0, 1));
    for (int i = 1; i < 100_000; i++) {
      index.put(hash(i), new ChunkPlace(i, 0, 1));
      assertNotNull(index.find(hash(0)), "used each time");
    }

    long found = IntStream.range(0, 100_000).filter(i -> index.find(hash(i)) != null).count();
    assertTrue(found > 900 && found <= 1024, "found " + found);
    assertEquals(1024, index.capacity());
    assertEquals(100_000 - found, index.evicted());
    assertThrows(IllegalArgumentException.class, () -> new ChunkIndex(0));
  }

  @Test
  void filesAreOfOneTenantAndBounded() {
    KnownFiles files = new KnownFiles(2);
    int first = files.reserve();
    assertTrue(files.find("a", first).isEmpty(), "not there yet");
    files.add(first, new KnownFiles.KnownFile("a", "x"));

    assertEquals("x", files.find("a", first).orElseThrow().path());
    assertTrue(files.find("b", first).isEmpty());
    files.add(files.reserve(), new KnownFiles.KnownFile("a", "y"));
    files.add(files.reserve(), new KnownFiles.KnownFile("a", "z"));
    assertTrue(files.find("a", first).isEmpty(), "the oldest is forgotten");
  }

  @Test
  void hashesAreKeyedByTenant() {
    byte[] data = {1, 2, 3};
    TenantKey key = TenantKey.parse("a:00112233445566778899aabbccddeeff");
    TenantKey other = TenantKey.parse("a:00112233445566778899aabbccddeefe");
    TenantKey namesake = TenantKey.parse("b:00112233445566778899aabbccddeeff");
    ContentHash hash = new ChunkHasher(key).hash(data, 0, 3);
    byte[] fingerprint = new ChunkHasher(key).fingerprint(data, 0, 3);

    assertEquals(hash, new ChunkHasher(key).hash(new byte[] {0, 1, 2, 3}, 1, 3));
    assertTrue(!hash.equals(new ChunkHasher(other).hash(data, 0, 3)));
    assertTrue(!hash.equals(new ChunkHasher(namesake).hash(data, 0, 3)));
    assertEquals(TenantKey.MAC_BYTES, fingerprint.length);
    assertTrue(
        !java.util.Arrays.equals(fingerprint, new ChunkHasher(namesake).fingerprint(data, 0, 3)));
  }

  @Test
  void badKeysSayWhatIsExpectedAndNotTheSecret() {
    for (String line : new String[] {"a", "a:", "a b:00", "a:xyz", "a:0011223344", ":00"}) {
      Exception e = assertThrows(IllegalArgumentException.class, () -> TenantKey.parse(line), line);
      assertTrue(e.getMessage().contains("expected"), e.getMessage());
      assertTrue(!e.getMessage().contains("0011223344"), e.getMessage());
    }
  }

  private static ContentHash hash(long i) {
    Random random = new Random(i);
    return new ContentHash(random.nextLong(), random.nextLong());
  }
}
