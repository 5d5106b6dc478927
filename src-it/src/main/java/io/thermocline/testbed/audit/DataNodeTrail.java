// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Lines as the DataNodes of Hadoop 3.4 write them to their clienttrace logs at DEBUG, in UTC: of one DataNode in ten. Each block
 * has three replicas on DataNodes that its number chooses, and a reader takes any of them. Not thread-safe.
 */
public final class DataNodeTrail {
  private static final int NODES = 30;
  private static final int TRACED = NODES / 10;
  private static final int REPLICAS = 3;

  /** Blocks that a file may have. */
  private static final int BLOCK_BITS = 14;

  private final Appendable out;
  private final SplittableRandom random;
  private final LogTimes times = new LogTimes();
  private final List<PageCache> caches;

  /**
   * @param out takes lines of ASCII; null: nothing is written
   * @param pageCache bytes of each DataNode's memory for blocks that were read
   */
  DataNodeTrail(Appendable out, long pageCache, SplittableRandom random) {
    this.out = out;
    this.random = random;
    this.caches = IntStream.range(0, NODES).mapToObj(node -> new PageCache(pageCache)).toList();
  }

  /** The number of a block of a file. */
  public static long blockId(String path, int block) {
    return mix(path.hashCode() * 31L + path.length()) >>> 2 >>> BLOCK_BITS << BLOCK_BITS | block;
  }

  /** The UUIDs of the DataNodes that a block's replicas lie on. */
  public static List<String> dataNodes(long blockId) {
    int first = Math.floorMod(mix(blockId), NODES);
    return IntStream.range(0, REPLICAS).mapToObj(i -> uuid((first + 7 * i) % NODES)).toList();
  }

  private static String uuid(int node) {
    return "datanode-%02d".formatted(node);
  }

  /** A reader was served some bytes of any place of any block: no page cache has them. */
  void anyPlace(long millis, DataFile file, long bytes) {
    long id = blockId(file.path, random.nextInt(file.blocks()));
    file.served(1, bytes);
    log(millis, id, node(id), 1, bytes);
  }

  /** A reader was served so many requests for a block or the same part of it. */
  void served(long millis, DataFile file, int block, int requests, long bytes) {
    long id = blockId(file.path, block);
    int node = node(id);
    long ofDisk = caches.get(node).read(id, bytes);
    file.served(ofDisk > 0 || bytes == 0 ? requests : 0, ofDisk);
    log(millis, id, node, requests, bytes);
  }

  /** Any of the DataNodes that the block's replicas lie on. */
  private int node(long id) {
    return (Math.floorMod(mix(id), NODES) + 7 * random.nextInt(REPLICAS)) % NODES;
  }

  private void log(long millis, long id, int node, int requests, long bytes) {
    if (out == null || node >= TRACED) {
      return;
    }
    long wire = bytes / requests / 512 * 516;
    try {
      for (int request = 0; request < requests; request++) {
        out.append(times.of(millis))
            .append(
                " DEBUG DataNode.clienttrace: src: /10.1.0.1:9866, dest: /10.0.0.1:40576, bytes: ")
            .append(Long.toString(wire))
            .append(", op: HDFS_READ, cliID: DFSClient_NONMAPREDUCE_1_1, offset: 0, srvID: ")
            .append(uuid(node))
            .append(", blockid: BP-1-10.1.0.1-1:blk_")
            .append(Long.toString(id))
            .append("_1001, duration(ns): 1000000\n");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the clienttrace log can't be written", e);
    }
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 32) * 0x9E3779B97F4A7C15L;
    return (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L;
  }
}
