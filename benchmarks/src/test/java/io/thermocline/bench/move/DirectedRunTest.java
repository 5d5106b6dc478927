// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.process.ServiceRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class DirectedRunTest {
  private static final int FILES = 40;

  @TempDir private Path directory;

  @Test
  void movesOneCopyOfEachFileToSsdBesideAReader() throws Exception {
    Path site = Path.of("..", "conf", "hdfs-site.thermocline.xml");
    ActLimits limits =
        new ActLimits(8, 4, 4, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMinutes(5));
    Pacing pacing = ServiceConfigFile.defaults().act().pacing();
    ServiceRuntime runtime = ServiceRuntime.system();
    try (EmbeddedCluster cluster = MoveCluster.create(directory, site, 2 * FILES)) {
      cluster.start();
      DistributedFileSystem hdfs = cluster.fileSystem();
      MoveCluster.write(hdfs, "/moved", FILES);
      MoveCluster.write(hdfs, "/read", 2);
      try (ForegroundReader reader = new ForegroundReader(hdfs, "/read", 2, runtime.nanos())) {
        Map<String, Double> found =
            new DirectedRun("ours", hdfs, limits, pacing, runtime).move("/moved", FILES);
        assertTrue(found.get("planned_seconds") <= found.get("copied_seconds"), found::toString);
        assertTrue(found.get("copied_seconds") <= found.get("seconds"), found::toString);
        assertTrue(found.get("seconds") <= found.get("settled_seconds"), found::toString);
        assertTrue(found.get("copies_at_once") > 0, found::toString);
        assertTrue(found.get("copies_at_once") <= limits.copies(), found::toString);
        assertTrue(reader.drain().length > 0, "reads");
      }
      List<FileView> files = new ArrayList<>();
      new HdfsReader(hdfs.getClient()).pass(List.of("/moved"), path -> false, files::add);
      assertEquals(FILES, files.size());
      for (FileView file : files) {
        List<StorageType> types = file.blocks().get(0).types();
        assertEquals(3, types.size(), file::toString);
        assertEquals(1, types.stream().filter(StorageType.SSD::equals).count(), file::toString);
      }
    }
  }
}
