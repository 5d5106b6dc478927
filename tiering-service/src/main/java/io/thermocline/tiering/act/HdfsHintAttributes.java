// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hints on a real HDFS. What is done in another user's name goes through HDFS's impersonation: the NameNode must allow it
 * to our user, {@code hadoop.proxyuser.<user>.hosts} and {@code .users} or {@code .groups}. Thread-safe.
 */
public final class HdfsHintAttributes implements HintAttributes, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsHintAttributes.class);

  private final URI nameNode;
  private final Configuration hadoop;
  private final UserGroupInformation own;
  private final FileSystem ownFiles;
  private final AuditTrail trail;

  /**
   * @param hadoop is copied
   */
  public HdfsHintAttributes(URI nameNode, Configuration hadoop, AuditTrail trail)
      throws IOException {
    this.trail = trail;
    this.nameNode = nameNode;
    this.hadoop = new Configuration(hadoop);
    this.own = UserGroupInformation.getCurrentUser();
    this.ownFiles = FileSystem.newInstance(nameNode, this.hadoop);
  }

  @Override
  public Caller as(String user) throws IOException {
    if (user.equals(own.getShortUserName())) {
      return new Calls(own, ownFiles, () -> {}, trail);
    }
    UserGroupInformation caller = UserGroupInformation.createProxyUser(user, own);
    FileSystem files = in(caller, () -> FileSystem.newInstance(nameNode, hadoop));
    return new Calls(caller, files, files, trail);
  }

  @Override
  public void remove(String path, String name) throws IOException {
    try {
      remove(ownFiles, path, name, trail);
    } catch (AccessControlException e) {
      removeAsOwner(path, name);
    }
  }

  /** Where we are no superuser, by the right to act for others. What nobody may remove stays. */
  private void removeAsOwner(String path, String name) throws IOException {
    try (Caller owner = as(ownFiles.getFileStatus(new Path(path)).getOwner())) {
      owner.remove(path, name);
    } catch (FileNotFoundException e) {
      return;
    } catch (AccessControlException | RemoteException e) {
      LOG.warn("{} stays on {}: {}", name, path, e.getMessage());
    }
  }

  private static void remove(FileSystem files, String path, String name, AuditTrail trail)
      throws IOException {
    try {
      if (files.getXAttrs(new Path(path)).containsKey(name)) {
        files.removeXAttr(new Path(path), name);
        trail.done("removeXAttr", path, name, "");
      }
    } catch (FileNotFoundException e) {
      // And so is the attribute.
      return;
    }
  }

  private static <T> T in(UserGroupInformation user, PrivilegedExceptionAction<T> call)
      throws IOException {
    try {
      return user.doAs(call);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking HDFS as " + user.getShortUserName(), e);
    }
  }

  private record Calls(UserGroupInformation user, FileSystem files, Closeable own, AuditTrail trail)
      implements Caller {

    @Override
    public boolean mayHint(String path) throws IOException {
      try {
        in(
            user,
            () -> {
              files.access(new Path(path), FsAction.WRITE);
              return null;
            });
        return true;
      } catch (AccessControlException e) {
        return false;
      }
    }

    @Override
    public void set(String path, String name, byte[] value) throws IOException {
      in(
          user,
          () -> {
            files.setXAttr(new Path(path), name, value);
            return null;
          });
      trail.done("setXAttr", path, name, "a hint of " + user.getShortUserName());
    }

    @Override
    public void remove(String path, String name) throws IOException {
      in(
          user,
          () -> {
            HdfsHintAttributes.remove(files, path, name, trail);
            return null;
          });
    }

    @Override
    public void close() throws IOException {
      own.close();
    }
  }

  @Override
  public void close() throws IOException {
    ownFiles.close();
  }
}
