// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;

/** Reads extended attributes, and of what. Audited as {@code getfileinfo} and {@code getXAttrs}. Thread-safe as DFSClient is. */
public final class AttributeReader {

  private final DFSClient client;

  public AttributeReader(DFSClient client) {
    this.client = client;
  }

  /**
   * A file or directory with its attributes.
   *
   * @param id of its inode, which renames leave as it is
   * @param owner short name of the user it belongs to
   * @param attributes by their names, such as {@code user.tag}
   */
  public record Inode(long id, boolean isDirectory, String owner, Map<String, byte[]> attributes) {}

  /** What is at a path; empty where nothing is. */
  public Optional<Inode> inode(String path) throws IOException {
    try {
      HdfsFileStatus status = client.getFileInfo(path);
      if (status == null) {
        return Optional.empty();
      }
      Map<String, byte[]> attributes = new HashMap<>(client.getXAttrs(path));
      // An attribute without a value has none.
      attributes.values().removeIf(value -> value == null);
      return Optional.of(
          new Inode(status.getFileId(), status.isDirectory(), status.getOwner(), attributes));
    } catch (RemoteException e) {
      if (e.unwrapRemoteException(FileNotFoundException.class) instanceof FileNotFoundException) {
        return Optional.empty();
      }
      throw e;
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }
}
