// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import io.thermocline.hints.redirect.GroupFile;
import java.io.IOException;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSClient;

/** A group file as far as it is in memory: all of it or nothing. Safe for any thread. */
final class LoadedGroup {
  private final DFSClient client;
  private final GroupFile group;
  private final boolean whole;
  private volatile byte[] bytes;

  /**
   * @param most bytes of a group that is loaded whole
   */
  LoadedGroup(DFSClient client, GroupFile group, long most) {
    this.client = client;
    this.group = group;
    this.whole = group.length() <= most;
  }

  /** Whether reads load all of it: the others of the group will be asked for soon. */
  boolean isLoadedWhole() {
    return whole;
  }

  /**
   * All of it.
   *
   * @return whether this call has loaded it
   * @throws IOException if it can't be read, or a member isn't what was copied
   */
  synchronized boolean load() throws IOException {
    if (bytes != null) {
      return false;
    }
    byte[] read = new byte[(int) group.length()];
    try (FSDataInputStream in = open()) {
      in.readFully(0, read);
    }
    for (GroupFile.Member member : group.members()) {
      CRC32 crc = new CRC32();
      crc.update(read, (int) member.offset(), (int) member.length());
      if (crc.getValue() != member.checksum()) {
        throw new IOException(group.path() + " has other bytes than were copied of " + member);
      }
    }
    bytes = read;
    return true;
  }

  /** Those of the whole group; only once it was loaded. */
  byte[] bytes() {
    return bytes;
  }

  long bytesInMemory() {
    byte[] current = bytes;
    return current == null ? 0 : current.length;
  }

  FSDataInputStream open() throws IOException {
    return open(client, group.path());
  }

  static FSDataInputStream open(DFSClient client, String path) throws IOException {
    return client.createWrappedInputStream(client.open(path));
  }
}
