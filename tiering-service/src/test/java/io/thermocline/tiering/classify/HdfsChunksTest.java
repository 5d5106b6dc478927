// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.thermocline.tiering.Scene;
import io.thermocline.tiering.heat.BlockReads;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private static HdfsChunks.Window window(Map<String, Profile> before, Map<String, Profile> now) {
    return new HdfsChunks.Window(before, now, Optional.empty(), WINDOW.toMillis(), WINDOW);
  }

  @Test
  void countsRequestsAsClienttraceTellsThem() {
    FileView file = new Scene().file("/a", 64 * MB, "n1-DISK");
    long block = file.blocks().get(0).id();
    Map<String, Profile> opened = Map.of("/a", profile("/a", 5, 1, 0, 0, 0, 0));
    HdfsChunks.Window told =
        new HdfsChunks.Window(
            Map.of(),
            opened,
            Optional.of(Map.of(block, new BlockReads(2, 2 * MB, 500, MB))),
            WINDOW.toMillis(),
            WINDOW);
    ChunkActivity chunk = new HdfsChunks(0).of(List.of(file), told).get(0);
    assertEquals(ChunkActivity.Source.HDFS, chunk.source());
    assertEquals(500, chunk.accesses().requests(AccessClass.RANDOM_READ));
    assertEquals(2 * MB, chunk.accesses().bytes(AccessClass.SEQUENTIAL_READ));
    assertEquals(chunk.accesses(), new HdfsChunks(0).blocks(file, told).get(0).accesses());
    // Opened, and nothing told: read on the reader's own host, or not logged.
    HdfsChunks.Window silent =
        new HdfsChunks.Window(Map.of(), opened, Optional.of(Map.of()), WINDOW.toMillis(), WINDOW);
    assertEquals(
        ChunkActivity.Source.HDFS_AUDIT_ONLY,
        new HdfsChunks(0).of(List.of(file), silent).get(0).source());
    assertEquals(List.of(), new HdfsChunks(0).blocks(file, silent));
  }

  @Test
  void countsAProfileWithoutABeginningOverItsOwnTime() {
    Map<String, Profile> now = Map.of("/a", profile("/a", 0, 6, 0, 0, 0, 0));
    ChunkActivity chunk =
        new HdfsChunks(0)
            .of(
                List.of(file("/a", MB)),
                new HdfsChunks.Window(
                    Map.of(), now, Optional.empty(), 3 * WINDOW.toMillis(), WINDOW))
            .get(0);
    assertEquals(WINDOW.multipliedBy(3), chunk.window());
  }

  @Test
  void countsWhatHappenedInTheWindow() {
    Profile before = profile("/a", 5, 10, 2, 1, 100 * MB, 100 * MB);
    Profile now = profile("/a", 5, 14, 5, 3, 300 * MB, 150 * MB);
    ChunkActivity chunk =
        new HdfsChunks(0)
            .of(List.of(file("/a", 64 * MB)), window(Map.of("/a", before), Map.of("/a", now)))
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
                window(
                    Map.of("/a", profile("/a", 1, 100, 0, 0, 0, 0)),
                    Map.of("/a", profile("/a", 5, 3, 0, 0, 0, 0))))
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
                window(
                    Map.of(),
                    Map.of(
                        "/d/x", profile("/d/x", 1, 3, 0, 0, 0, 0),
                        "/d/y", profile("/d/y", 1, 4, 0, 0, 0, 0))));
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
