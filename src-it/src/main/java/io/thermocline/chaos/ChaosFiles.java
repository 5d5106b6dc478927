// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** The files that are tiered: what each holds, and what it was called. Thread-safe. */
final class ChaosFiles {

  static final String ROOT = "/chaos";
  static final int REPLICATION = 3;
  private static final int BYTES = 2 * ChaosCluster.BLOCK_BYTES;

  private final DistributedFileSystem hdfs;

  /** The names that each had, the one it has now last. */
  private final Map<Integer, List<String>> names = new LinkedHashMap<>();

  private int next;

  ChaosFiles(DistributedFileSystem hdfs) {
    this.hdfs = hdfs;
  }

  synchronized int create() throws IOException {
    int id = next++;
    String name = ROOT + "/d" + id % 4 + "/f" + id;
    try (OutputStream out = hdfs.create(new Path(name), (short) REPLICATION)) {
      out.write(content(id));
    }
    names.put(id, new ArrayList<>(List.of(name)));
    return id;
  }

  synchronized void rename(int id) throws IOException {
    List<String> had = names.get(id);
    String to = ROOT + "/d" + id % 4 + "/f" + id + "-" + had.size();
    // Noted first: where the answer is lost, either may be its name.
    String from = name(id);
    had.add(to);
    hdfs.rename(new Path(from), new Path(to));
  }

  synchronized void delete(int id) throws IOException {
    Path path = new Path(name(id));
    names.remove(id);
    hdfs.delete(path, false);
  }

  synchronized List<Integer> ids() {
    return List.copyOf(names.keySet());
  }

  synchronized List<String> names(int id) {
    return List.copyOf(names.getOrDefault(id, List.of()));
  }

  /** The name that it has in HDFS; a rename may not have happened. */
  synchronized String name(int id) throws IOException {
    List<String> had = names.get(id);
    for (int i = had.size() - 1; i > 0; i--) {
      if (hdfs.exists(new Path(had.get(i)))) {
        return had.get(i);
      }
    }
    return had.get(0);
  }

  /**
   * Whether it has what was written, read as clients do.
   *
   * @throws IOException where it can't be read at the moment
   */
  boolean isWhole(int id) throws IOException {
    try (InputStream in = hdfs.open(new Path(name(id)))) {
      return Arrays.equals(content(id), in.readAllBytes());
    }
  }

  /** Blocks of it that have another number of replicas than they should. */
  long misreplicated(int id) throws IOException {
    List<LocatedBlock> blocks =
        hdfs.getClient().getLocatedFileInfo(name(id), false).getLocatedBlocks().getLocatedBlocks();
    return blocks.stream().filter(block -> block.getLocations().length != REPLICATION).count();
  }

  private static byte[] content(int id) {
    byte[] content = new byte[BYTES];
    new SplittableRandom(id).nextBytes(content);
    return content;
  }
}
