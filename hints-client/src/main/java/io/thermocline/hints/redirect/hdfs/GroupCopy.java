// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import io.thermocline.hints.redirect.GroupFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.IOUtils;

/**
 * A group file as it is read: where its replicas are, and a stream for each. No lock is held
 * while the NameNode or a DataNode is asked. Safe for any thread.
 */
final class GroupCopy implements Closeable {
  private final String path;
  private final DFSClient client;
  private final NodeLoads loads;

  /** For positioned reads, by the id of the storage that each tries first. */
  private final Map<String, HdfsDataInputStream> streams = new ConcurrentHashMap<>();

  private volatile DatanodeInfoWithStorage[] places;
  private volatile boolean closed;

  GroupCopy(GroupFile group, DFSClient client, NodeLoads loads) {
    this.path = group.path();
    this.client = client;
    this.loads = loads;
  }

  /**
   * Where the replicas of the one block are that all members lie in, in the order in which the
   * NameNode named them first.
   */
  DatanodeInfoWithStorage[] places() throws IOException {
    if (places == null) {
      HdfsDataInputStream opened = open();
      DatanodeInfoWithStorage[] named = block(opened).getLocations().clone();
      keep(named[0], opened);
      places = named;
    }
    return places;
  }

  /** The replica to read, of those of the group alone. */
  DatanodeInfoWithStorage place() throws IOException {
    DatanodeInfoWithStorage[] all = places();
    return all[loads.choose(all, new DatanodeInfoWithStorage[0])];
  }

  private HdfsDataInputStream open() throws IOException {
    return client.createWrappedInputStream(client.open(path));
  }

  /** A stream of its own for a reader, who closes it. It tries that replica first. */
  HdfsDataInputStream open(DatanodeInfoWithStorage at) throws IOException {
    HdfsDataInputStream opened = open();
    LocatedBlock block = block(opened);
    DatanodeInfoWithStorage[] all = block.getLocations();
    for (int i = 0; i < all.length; i++) {
      if (all[i].getStorageID().equals(at.getStorageID())) {
        putFirst(block, i);
        break;
      }
    }
    return opened;
  }

  private static LocatedBlock block(HdfsDataInputStream of) throws IOException {
    return of.getAllBlocks().get(0);
  }

  /** HDFS's client tries replicas in this order; only for a stream that nobody reads just now. */
  static void putFirst(LocatedBlock block, int index) {
    if (index > 0) {
      DatanodeInfoWithStorage[] all = block.getLocations();
      DatanodeInfoWithStorage first = all[index];
      all[index] = all[0];
      all[0] = first;
      block.updateCachedStorageInfo();
    }
  }

  private HdfsDataInputStream stream(DatanodeInfoWithStorage at) throws IOException {
    HdfsDataInputStream stream = streams.get(at.getStorageID());
    return stream == null ? keep(at, open(at)) : stream;
  }

  private HdfsDataInputStream keep(DatanodeInfoWithStorage at, HdfsDataInputStream opened)
      throws IOException {
    HdfsDataInputStream before = streams.putIfAbsent(at.getStorageID(), opened);
    if (before != null) {
      opened.close();
    }
    if (closed) {
      closeStreams();
      throw new IOException(path + " isn't read any more");
    }
    return before == null ? opened : before;
  }

  private void closeStreams() {
    for (String at : streams.keySet()) {
      IOUtils.closeStream(streams.remove(at));
    }
  }

  /**
   * Any bytes of the file, as one reader's positioned read.
   *
   * @param at the replica to read
   * @throws IOException if it can't be read
   */
  int read(DatanodeInfoWithStorage at, long from, byte[] buffer, int offset, int length)
      throws IOException {
    return loads.read(at, () -> stream(at).read(from, buffer, offset, length));
  }

  /** As {@link #read}, and all of them. */
  void readFully(DatanodeInfoWithStorage at, long from, byte[] into, int offset, int length)
      throws IOException {
    loads.read(
        at,
        () -> {
          stream(at).readFully(from, into, offset, length);
          return length;
        });
  }

  /** Who reads it meanwhile gets an error. */
  @Override
  public void close() {
    closed = true;
    closeStreams();
  }
}
