// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Where a journal's lines are: segments in order, of which the last is written, by one process alone. Not thread-safe.
 */
public interface JournalStore extends Closeable {

  /** Names of the segments as people know them, oldest first. */
  List<String> segments() throws IOException;

  /** A segment from its beginning; its last line may be unfinished. */
  InputStream read(String segment) throws IOException;

  /**
   * Appends whole lines; when this returns, they survive the end of this process.
   *
   * @throws FencedException where another process writes the journal by now: for good
   * @throws IOException where they couldn't be written, a full disk for instance. Part of them may stand there all the
   *     same, as an unfinished last line of its segment. Later lines may be appended
   */
  void append(byte[] lines) throws IOException;

  /**
   * What is written is still what is there.
   *
   * @throws IOException where it was removed or replaced, with what to do
   */
  default void requireInPlace() throws IOException {
    // Nobody else can.
  }

  /** What was appended survives a power failure, too, when this returns. */
  void sync() throws IOException;

  /**
   * Begins a segment with these lines; what is appended comes after them. A crash meanwhile may leave a segment that has
   * the first of them only.
   *
   * @throws IOException as {@link #append}; then the old segment may be written on
   */
  void roll(byte[] head) throws IOException;

  /** Deletes a segment that isn't the last; one that isn't there is fine. */
  void delete(String segment) throws IOException;
}
