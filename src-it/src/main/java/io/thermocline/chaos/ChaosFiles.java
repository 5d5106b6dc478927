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
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** The files that are tiered: what each holds, and what it was called. Thread-safe. */
final class ChaosFiles {

  static final String ROOT = "/chaos";
  static final int REPLICATION = 3;
  static final int BYTES = 2 * ChaosCluster.BLOCK_BYTES;

  private final DistributedFileSystem hdfs;

  /** The names that each had, the one it has now last. */
  private final Map<Integer, List<String>> names = new LinkedHashMap<>();

  private int next;

  ChaosFiles(DistributedFileSystem hdfs) {
    this.hdfs = hdfs;
  }

  synchronized int create() throws IOException {
    return create("d" + next % 4);
  }

  /** A file in this directory below the root. */
  synchronized int create(String directory) throws IOException {
    int id = next++;
    write(id, ROOT + "/" + directory + "/f" + id);
    return id;
  }

  /** Deletes a file and creates another one of the same name. */
  synchronized int replace(int id) throws IOException {
    String name = name(id);
    delete(id);
    int other = next++;
    write(other, name);
    return other;
  }

  private void write(int id, String name) throws IOException {
    try (OutputStream out = hdfs.create(new Path(name), (short) REPLICATION)) {
      out.write(content(id));
    }
    names.put(id, new ArrayList<>(List.of(name)));
  }

  synchronized void rename(int id) throws IOException {
    List<String> had = names.get(id);
    String to = had.get(0) + "-" + had.size();
    // Noted first: where the answer is lost, either may be its name.
    String from = name(id);
    had.add(to);
    hdfs.rename(new Path(from), new Path(to));
  }

  synchronized void delete(int id) throws IOException {
    Path path = path(id);
    names.remove(id);
    hdfs.delete(path, false);
  }

  synchronized List<Integer> ids() {
    return List.copyOf(names.keySet());
  }

  /** Those in this directory below the root. */
  synchronized List<Integer> ids(String directory) {
    String start = ROOT + "/" + directory + "/";
    return names.entrySet().stream()
        .filter(file -> file.getValue().get(0).startsWith(start))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Opens each file of a directory and reads its first byte. */
  void read(String directory) throws IOException {
    for (int id : ids(directory)) {
      try (InputStream in = hdfs.open(path(id))) {
        in.read();
      }
    }
  }

  Path path(int id) throws IOException {
    return new Path(name(id));
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
    try (InputStream in = hdfs.open(path(id))) {
      return Arrays.equals(content(id), in.readAllBytes());
    }
  }

  /** Blocks of it that have another number of replicas than they should. */
  long misreplicated(int id) throws IOException {
    return blocks(id).stream().filter(block -> block.getLocations().length != REPLICATION).count();
  }

  /** Of all its replicas that lie on this type. */
  long bytesOn(int id, StorageType type) throws IOException {
    return blocks(id).stream()
        .mapToLong(
            block ->
                block.getBlockSize()
                    * Arrays.stream(block.getStorageTypes()).filter(type::equals).count())
        .sum();
  }

  short replication(int id) throws IOException {
    return hdfs.getFileStatus(path(id)).getReplication();
  }

  private List<LocatedBlock> blocks(int id) throws IOException {
    return hdfs.getClient()
        .getLocatedFileInfo(name(id), false)
        .getLocatedBlocks()
        .getLocatedBlocks();
  }

  private static byte[] content(int id) {
    byte[] content = new byte[BYTES];
    new SplittableRandom(id).nextBytes(content);
    return content;
  }
}
