// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PathHashesTest {

  private static final long NAMESERVICE = PathKey.nameservice("ns");

  @Test
  void hasTheKeysOfTheDirectoriesAbove() {
    PathHashes hashes = PathHashes.of(NAMESERVICE, "/w/table/dt=2026-11-20/a-name-of-16-ch/part");
    String path = "";
    int depth = 0;
    for (String name : new String[] {"w", "table", "dt=2026-11-20", "a-name-of-16-ch", "part"}) {
      path += "/" + name;
      depth++;
      assertEquals(PathKey.of(NAMESERVICE, path), hashes.key(depth), path);
    }
    assertEquals(depth, hashes.depth());
    assertEquals(hashes.key(5), hashes.key());
    assertEquals(0, PathHashes.of(NAMESERVICE, "/").depth());
  }

  /** Whatever stands before and behind it in the buffer, and wherever it begins. */
  @Test
  void dependsOnThePathAlone() {
    SplittableRandom random = new SplittableRandom(11);
    PathHashes hashes = new PathHashes();
    for (int i = 0; i < 20_000; i++) {
      byte[] path = path(random, 200);
      int from = random.nextInt(9);
      byte[] buffer = new byte[from + path.length + random.nextInt(80)];
      Arrays.fill(buffer, (byte) "/=x".charAt(random.nextInt(3)));
      System.arraycopy(path, 0, buffer, from, path.length);
      hashes.set(NAMESERVICE, buffer, from, from + path.length);

      String text = new String(path, StandardCharsets.US_ASCII);
      PathHashes alone = PathHashes.of(NAMESERVICE, text);
      assertEquals(text.substring(1).split("/", -1).length, hashes.depth(), text);
      assertEquals(alone.key(), hashes.key(), text);
      assertArrayEquals(alone.names(), hashes.names(), text);
      assertEquals(alone.partitionDepth(), hashes.partitionDepth(), text);
    }
  }

  /** They stand in checkpoints. */
  @Test
  void staysWhatItIs() {
    assertEquals(0xd428f5c3c3a4c519L, PathKey.of(NAMESERVICE, "/a"));
    assertEquals(
        0x98d88d21db9dbd3cL,
        PathKey.of(
            NAMESERVICE,
            "/warehouse/tablespace/external/db12.db/events/dt=2026-11-20"
                + "/part-00012-5f1e.c000.snappy.parquet"));
  }

  /** Zeros, lengths and the places of slashes make different keys. */
  @Test
  void isAnotherForEachPath() {
    SplittableRandom random = new SplittableRandom(12);
    Map<Long, String> paths = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      String path = new String(path(random, 40), StandardCharsets.US_ASCII);
      String same = paths.putIfAbsent(PathKey.of(NAMESERVICE, path), path);
      assertEquals(same == null ? path : same, path);
    }
  }

  /** At least one letter behind the first slash; of few kinds, so that much is alike. */
  private static byte[] path(SplittableRandom random, int most) {
    byte[] path = new byte[2 + random.nextInt(most)];
    path[0] = '/';
    for (int n = 1; n < path.length; n++) {
      path[n] = (byte) "aaaa\0b=/".charAt(random.nextInt(8));
    }
    return path;
  }

  @Test
  void knowsWhatIsBelowADirectoryUnderItsOtherName() {
    PathHashes path = PathHashes.of(NAMESERVICE, "/out/day/sub/part");
    PathHashes other = PathHashes.of(NAMESERVICE, "/out/_temporary/0/attempt");
    PathHashes moved = path.moved(NAMESERVICE, 2, other.names());
    assertEquals(PathKey.of(NAMESERVICE, "/out/_temporary/0/attempt/sub/part"), moved.key());
    assertEquals(other.key(), moved.key(4));
  }

  @Test
  void knowsPartitionsAndWhatAPassReads() {
    assertPartition("/w/t/dt=1/hour=2/part-0", "/w/t/dt=1/hour=2");
    assertPartition("/w/t/dt=1/sub/part-0", "/w/t/dt=1");
    assertPartition("/w/t/dt=1/hour=2", "/w/t/dt=1");
    assertPartition(
        "/w/t/a-long-name=with-a-long-value/part-0", "/w/t/a-long-name=with-a-long-value");
    assertPartition("/w/t/part=0", "");
    assertPartition("/w/t/=x/part", "");
    assertPartition("/w/=x=y/dt=1/part", "/w/=x=y/dt=1");
    assertPartition("/f", "");
    // Names that end in another block of 64 bytes than they begin in.
    String name = "n".repeat(70);
    assertPartition("/" + name + "/dt=1/part", "/" + name + "/dt=1");
    assertPartition("/w/k=" + name + "/a/b=1/part", "/w/k=" + name + "/a/b=1");
    assertPartition("/w/" + name + "=1/part", "/w/" + name + "=1");
    assertPartition("/w/=" + name + "=1/part", "");
    assertPartition("/w/dt=1/" + name + "=" + name, "/w/dt=1");
    assertPartition("/w/a/" + name + "=" + name, "");
  }

  private static void assertPartition(String path, String partition) {
    PathHashes hashes = PathHashes.of(NAMESERVICE, path);
    int depth = hashes.partitionDepth();
    assertEquals(depth == 0 ? "" : partition, partition, path);
    assertEquals(
        depth == 0 ? hashes.key(0) : PathKey.of(NAMESERVICE, partition), hashes.key(depth), path);
  }
}
