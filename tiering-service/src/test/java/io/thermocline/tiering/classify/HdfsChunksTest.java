// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HdfsChunksTest {
  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final long MB = 1 << 20;

  private static FileView file(String path, long length) {
    return new FileView(path, length, 3, 0, List.of());
  }

  private static Profile profile(
      String path, long since, long reads, long writes, long rewrites, long read, long sequential) {
    return new Profile(
        path, reads, 0, since, reads, writes, rewrites, read, 0, sequential, List.of());
  }

  @Test
  void countsWhatHappenedInTheWindow() {
    Profile before = profile("/a", 5, 10, 2, 1, 100 * MB, 100 * MB);
    Profile now = profile("/a", 5, 14, 5, 3, 300 * MB, 150 * MB);
    ChunkActivity chunk =
        new HdfsChunks(0)
            .of(List.of(file("/a", 64 * MB)), Map.of("/a", before), Map.of("/a", now), WINDOW)
            .get(0);
    assertEquals(new Chunk("/a", Chunk.Kind.FILE, 64 * MB, ""), chunk.chunk());
    assertEquals(ChunkActivity.Source.HDFS, chunk.source());
    // 4 reads of 200 MB, a quarter of it in sequence; 3 writes, of which 2 made it anew.
    assertEquals(1, chunk.accesses().requests(AccessClass.SEQUENTIAL_READ));
    assertEquals(3, chunk.accesses().requests(AccessClass.RANDOM_READ));
    assertEquals(150 * MB, chunk.accesses().bytes(AccessClass.RANDOM_READ));
    assertEquals(1, chunk.accesses().requests(AccessClass.SEQUENTIAL_WRITE));
    assertEquals(2, chunk.accesses().requests(AccessClass.OVERWRITE));
    assertEquals(0, chunk.accesses().requests(AccessClass.RANDOM_WRITE));
  }

  @Test
  void takesFilesToBeReadWholeWhereOnlyTheAuditLogTells() {
    ChunkActivity chunk =
        new HdfsChunks(0)
            .of(
                List.of(file("/a", 64 * MB)),
                // Of other data under the same name.
                Map.of("/a", profile("/a", 1, 100, 0, 0, 0, 0)),
                Map.of("/a", profile("/a", 5, 3, 0, 0, 0, 0)),
                WINDOW)
            .get(0);
    assertEquals(ChunkActivity.Source.HDFS_AUDIT_ONLY, chunk.source());
    assertEquals(3, chunk.accesses().requests());
    assertEquals(192 * MB, chunk.accesses().bytes());
  }

  @Test
  void groupsSmallFilesOfADirectory() {
    List<FileView> files =
        List.of(
            file("/d/x", MB),
            file("/d/y", 2 * MB),
            file("/e/z", MB),
            file("/d/large", 99 * MB),
            file("/d/empty", 0));
    List<ChunkActivity> chunks =
        new HdfsChunks(16 * MB)
            .of(
                files,
                Map.of(),
                Map.of(
                    "/d/x", profile("/d/x", 1, 3, 0, 0, 0, 0),
                    "/d/y", profile("/d/y", 1, 4, 0, 0, 0, 0)),
                WINDOW);
    assertEquals(
        List.of(
            new Chunk("/d/large", Chunk.Kind.FILE, 99 * MB, ""),
            new Chunk("/d/", Chunk.Kind.GROUP, 3 * MB, ""),
            new Chunk("/e/", Chunk.Kind.GROUP, MB, "")),
        chunks.stream().map(ChunkActivity::chunk).toList());
    assertEquals(7, chunks.get(1).accesses().requests());
  }

  @Test
  void refusesWhatCannotBe() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new ChunkActivity(
                new Chunk("c", Chunk.Kind.FILE, 1, ""),
                Accesses.NONE,
                ChunkActivity.Source.HDFS,
                Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> new Chunk("c", Chunk.Kind.FILE, 0, ""));
  }
}
