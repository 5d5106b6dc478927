// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.probe;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A directory of its own in HDFS, which is gone when this is closed: from any thread, at any time. What the other threads
 * create after that fails, rather than make the directory anew.
 */
public final class Scratch implements Closeable {

  private static final FsPermission OURS_ALONE = new FsPermission((short) 0700);

  private final DistributedFileSystem hdfs;
  private final Path directory;
  private boolean made;
  private boolean closed;

  private Scratch(DistributedFileSystem hdfs, Path directory) {
    this.hdfs = hdfs;
    this.directory = directory;
  }

  /**
   * Not made yet.
   *
   * @param parent which is there
   * @param name that nothing in it has
   */
  public static Scratch in(DistributedFileSystem hdfs, Path parent, String name)
      throws IOException {
    if (!hdfs.exists(parent)) {
      throw new FileNotFoundException(
          "there is no directory " + parent + " in HDFS: name one with --directory");
    }
    Path directory = new Path(parent, name);
    if (hdfs.exists(directory)) {
      throw new IOException(
          directory + " is there already: remove it, or name another --directory");
    }
    return new Scratch(hdfs, directory);
  }

  /** Makes the directory. */
  public synchronized void make() throws IOException {
    check();
    made = true;
    hdfs.mkdirs(directory, OURS_ALONE);
  }

  public Path directory() {
    return directory;
  }

  /** A directory whose files have this storage policy. */
  synchronized Path withPolicy(String policy) throws IOException {
    check();
    Path made = new Path(directory, policy);
    hdfs.mkdirs(made, OURS_ALONE);
    hdfs.setStoragePolicy(made, policy);
    return made;
  }

  /**
   * A new file with one copy, of which each block is on the device when it ends, and which its DataNode is asked not to
   * keep in memory.
   */
  synchronized FSDataOutputStream create(Path file) throws IOException {
    check();
    FSDataOutputStream out =
        hdfs.create(
            file,
            OURS_ALONE,
            EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE, CreateFlag.SYNC_BLOCK),
            1 << 16,
            (short) 1,
            hdfs.getServerDefaults(file).getBlockSize(),
            null);
    out.setDropBehind(true);
    return out;
  }

  synchronized void delete(Path path) throws IOException {
    check();
    hdfs.delete(path, true);
  }

  private void check() throws IOException {
    if (closed) {
      throw new InterruptedIOException("stopped: " + directory + " is removed");
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      if (made) {
        hdfs.delete(directory, true);
      }
    }
  }
}
