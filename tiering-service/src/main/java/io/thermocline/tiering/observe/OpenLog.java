// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file of a log that is being read, and how it begins, as far as that was read. Not thread-safe. */
final class OpenLog implements Closeable {

  /** What reading on came to. */
  enum Reading {
    SOME,
    /** Nothing at present. */
    NONE,
    /** It no longer begins as it did: it was truncated, and perhaps written again. */
    REWRITTEN,
    /** Compressed, and cut off or damaged: the rest is lost. */
    DAMAGED
  }

  private static final Logger LOG = LoggerFactory.getLogger(OpenLog.class);

  private final RolledLogs.Seen seen;
  private final LogFile file;
  private final byte[] head = new byte[LogHead.MOST + Long.BYTES];
  private final byte[] compared = new byte[LogHead.MOST];
  private int headLength;
  private boolean damaged;

  private OpenLog(RolledLogs.Seen seen, LogFile file) {
    this.seen = seen;
    this.file = file;
  }

  /**
   * @throws NoSuchFileException where it was renamed, or copied and truncated, since it was listed
   */
  static OpenLog open(RolledLogs.Seen seen) throws IOException {
    OpenLog log = new OpenLog(seen, LogFile.open(seen.path()));
    try {
      log.requireAsListed();
    } catch (NoSuchFileException e) {
      log.close();
      throw e;
    }
    return log;
  }

  private void requireAsListed() throws IOException {
    if (!LogFile.inode(seen.path()).equals(seen.inode())) {
      throw new NoSuchFileException(seen.path().toString());
    }
    if (file.isPlain()) {
      int length = file.head(head, LogHead.MOST);
      headLength = LogHead.usable(head, length);
      if (seen.head().length > 0
          && !LogHead.of(seen.head(), seen.head().length).matches(head, length)) {
        throw new NoSuchFileException(seen.path().toString());
      }
    }
  }

  /** Goes on reading there; false where the file is shorter. */
  boolean seek(long offset) throws IOException {
    headLength = LogHead.usable(head, file.head(head, LogHead.MOST));
    return file.seek(offset);
  }

  /** Where its last whole line ends: a line that is being written is not ours. */
  long endOfLines() throws IOException {
    byte[] bytes = new byte[LineBuffer.CHUNK];
    long at = Math.max(0, java.nio.file.Files.size(seen.path()) - bytes.length);
    long end = at;
    file.seek(at);
    int count;
    while ((count = file.read(bytes, 0, bytes.length)) > 0) {
      for (int i = count - 1; i >= 0; i--) {
        if (bytes[i] == '\n') {
          end = at + i + 1;
          break;
        }
      }
      at += count;
    }
    return end;
  }

  /** Reads on; that it begins as before is checked before the bytes are added. */
  Reading readOn(LineBuffer lines) throws IOException {
    int count;
    try {
      count = lines.read(file);
    } catch (IOException e) {
      if (file.isPlain()) {
        throw e;
      }
      LOG.warn("the rest of a compressed log is lost: {}", e.toString());
      damaged = true;
      return Reading.DAMAGED;
    }
    if (file.isPlain() && !beginsAsBefore()) {
      return Reading.REWRITTEN;
    }
    if (count <= 0) {
      return Reading.NONE;
    }
    if (!file.isPlain() && headLength < LogHead.MOST && lines.end() == headLength) {
      int more = Math.min(LogHead.MOST - headLength, count);
      lines.copyRead(head, headLength, more);
      headLength += more;
    }
    lines.add(count);
    return Reading.SOME;
  }

  /** Also learns more of how it begins, while that is short. */
  private boolean beginsAsBefore() throws IOException {
    int count = file.head(compared, LogHead.MOST);
    if (count < headLength || !Arrays.equals(compared, 0, headLength, head, 0, headLength)) {
      return false;
    }
    System.arraycopy(compared, headLength, head, headLength, count - headLength);
    headLength = LogHead.usable(head, count);
    return true;
  }

  /** Whether it can neither grow nor be truncated. */
  boolean isFinal() {
    return damaged || !file.isPlain();
  }

  boolean isDamaged() {
    return damaged;
  }

  /** Whether it is the one being written, or was when it was listed. */
  boolean isLive() {
    return seen.live();
  }

  String inode() {
    return seen.inode();
  }

  LogHead head() {
    return LogHead.of(head, headLength);
  }

  /** Whether there is no line yet to know it by. */
  boolean isUnknown() {
    return headLength == 0;
  }

  /**
   * Whether there was none when it was listed: what it has when it grows may not be the first that was written to
   * it.
   */
  boolean wasUnknown() {
    return LogHead.usable(seen.head(), seen.head().length) == 0;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
