// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;

/**
 * The group file that a reader goes on reading, opened where it was chosen to be read. Not for
 * two threads at once but for closing.
 */
final class StreamedCopy implements Closeable {
  private LoadedGroup group;
  private DatanodeInfoWithStorage at;
  private volatile FSDataInputStream stream;
  private volatile boolean closed;
  private boolean isReadaheadSet;
  private Long readahead;
  private Boolean dropBehind;

  /**
   * @param position in the group file
   * @return bytes read; -1 at the end
   */
  int read(
      LoadedGroup of,
      DatanodeInfoWithStorage place,
      long position,
      byte[] buffer,
      int offset,
      int length)
      throws IOException {
    FSDataInputStream opened = stream;
    if (opened == null || of != group || place != at) {
      end(false);
      opened = of.copy().open(place);
      group = of;
      at = place;
      keep(opened);
    }
    opened.seek(position);
    return opened.read(buffer, offset, length);
  }

  /** Not under the lock, as it waits for the NameNode: so it may have been closed meanwhile. */
  private void keep(FSDataInputStream opened) throws IOException {
    boolean isKept;
    synchronized (this) {
      isKept = !closed;
      stream = isKept ? opened : null;
    }
    if (!isKept) {
      opened.close();
      throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
    }
    if (isReadaheadSet) {
      opened.setReadahead(readahead);
    }
    if (dropBehind != null) {
      opened.setDropBehind(dropBehind);
    }
  }

  void setReadahead(Long bytes) throws IOException {
    isReadaheadSet = true;
    readahead = bytes;
    if (stream != null) {
      stream.setReadahead(bytes);
    }
  }

  void setDropBehind(Boolean dropCache) throws IOException {
    dropBehind = dropCache;
    if (stream != null) {
      stream.setDropBehind(dropCache);
    }
  }

  void unbuffer() {
    if (stream != null) {
      stream.unbuffer();
    }
  }

  private void end(boolean forGood) throws IOException {
    FSDataInputStream had;
    synchronized (this) {
      had = stream;
      stream = null;
      closed |= forGood;
    }
    if (had != null) {
      had.close();
    }
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() throws IOException {
    end(true);
  }
}
