// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of a large namespace by number, one at a time: their paths, lengths and heat follow from the number, so none
 * needs to be kept. A file has 64 MB on average, as one block; one in a hundred is on SSD.
 */
final class GeneratedFiles {
  private static final int NODES = 500;
  private static final int RACKS = 25;
  private static final long LONGEST = 128L << 20;
  private static final String PREFIX = "/warehouse/db%02d.db/table%04d/dt=2026-%02d-%02d/part-";
  private static final int PER_DIRECTORY = 1000;
  private static final int DIGITS = 10;
  private static final int HOT = 7;
  private static final int ONE_SSD = 10;

  private final long nameservice;
  private final byte[] path = new byte[80];
  private final PathHashes hashes = new PathHashes();
  private int prefix;
  private long directory = -1;
  private long number = -1;
  private long key;

  GeneratedFiles(long nameservice) {
    this.nameservice = nameservice;
  }

  /** Goes to a file. */
  void show(long next) {
    if (next / PER_DIRECTORY != directory) {
      directory = next / PER_DIRECTORY;
      byte[] text =
          String.format(
                  PREFIX,
                  directory % 50,
                  directory / 50 % 2000,
                  directory % 12 + 1,
                  directory % 28 + 1)
              .getBytes(StandardCharsets.UTF_8);
      System.arraycopy(text, 0, path, 0, text.length);
      prefix = text.length;
    }
    if (next != number + 1 || next % PER_DIRECTORY == 0) {
      long left = next;
      for (int i = prefix + DIGITS - 1; i >= prefix; i--) {
        path[i] = (byte) ('0' + left % 10);
        left /= 10;
      }
    } else {
      countUp();
    }
    number = next;
    hashes.set(nameservice, path, 0, prefix + DIGITS);
    key = hashes.key();
  }

  private void countUp() {
    int at = prefix + DIGITS - 1;
    while (path[at] == '9') {
      path[at--] = '0';
    }
    path[at]++;
  }

  /** The file as an image shows it: without the places of its copies. */
  FileView unplaced() {
    return new FileView(path(), length(key), 3, isFast(key) ? ONE_SSD : HOT, List.of());
  }

  private String path() {
    return new String(path, 0, prefix + DIGITS, StandardCharsets.UTF_8);
  }

  private static long length(long key) {
    return 1 + (key >>> 8) % LONGEST;
  }

  private static boolean isFast(long key) {
    return (key & 127) == 0;
  }

  /** Reads a file in forty now and then, and one in a thousand often; those on SSD oftener than others. */
  static void read(Heat heat, long count) {
    GeneratedFiles file = new GeneratedFiles(heat.nameservice());
    ReadOf read = new ReadOf(file::path, file.hashes);
    for (long number = 0; number < count; number++) {
      if (number % 40 == 7 || number % 1000 == 3) {
        file.show(number);
        int reads = number % 1000 == 3 ? 5 + (int) (file.key >>> 40 & 31) : 1;
        for (int i = 0; i < reads; i++) {
          heat.accept(read);
        }
      }
    }
  }

  /** A file with its block, three copies on nodes that follow from its key. */
  static FileView placed(FileView file) {
    String digits = file.path().substring(file.path().length() - DIGITS);
    long key = PathKey.of(0, file.path());
    List<FileView.Replica> replicas = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      StorageType type =
          i == 0 && file.storagePolicy() == ONE_SSD ? StorageType.SSD : StorageType.DISK;
      // Apart by more than a rack has nodes.
      int node = (int) (((key >>> 20) + i * (NODES / 3L)) % NODES);
      replicas.add(new FileView.Replica(nodeId(node), nodeId(node) + "-" + type, type));
    }
    return new FileView(
        file.path(),
        file.length(),
        3,
        file.storagePolicy(),
        List.of(new FileView.Block("BP-1", Long.parseLong(digits), 1, file.length(), replicas)));
  }

  /** As HDFS names it. */
  static String policy(FileView file) {
    return file.storagePolicy() == ONE_SSD ? "ONE_SSD" : "HOT";
  }

  /** Nodes that the files fill to three quarters on DISK, with an eighth of that on SSD, just full. */
  static ClusterView cluster(long count) {
    long disk = 3 * count * (LONGEST / 2) / NODES;
    long ssd = count / 128 * (LONGEST / 2) / NODES;
    Map<String, ClusterView.Node> nodes = new HashMap<>();
    for (int i = 0; i < NODES; i++) {
      List<ClusterView.Storage> storages =
          List.of(
              storage(i, StorageType.DISK, disk / 3 * 4, disk / 3),
              storage(i, StorageType.SSD, ssd * 5 / 4 + LONGEST, ssd / 4 + LONGEST),
              storage(i, StorageType.ARCHIVE, disk, disk));
      nodes.put(
          nodeId(i),
          new ClusterView.Node(nodeId(i), nodeId(i) + ":9866", "/r" + i % RACKS, storages));
    }
    return new ClusterView(nodes, 1);
  }

  private static ClusterView.Storage storage(
      int node, StorageType type, long capacity, long remaining) {
    return new ClusterView.Storage(
        nodeId(node) + "-" + type, nodeId(node), type, capacity, remaining);
  }

  private static String nodeId(int node) {
    return "n" + node;
  }
}
