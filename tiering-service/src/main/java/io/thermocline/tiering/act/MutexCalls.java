// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.Closeable;
import java.io.IOException;

/** What moves files while a file in HDFS keeps a second mover of ours away; it is given up at the end. */
public interface MutexCalls extends HdfsCalls, Closeable {

  /**
   * Whether the file is still ours.
   *
   * @throws IOException where that can't be asked
   */
  boolean hasMutex() throws IOException;

  /**
   * Ends as {@link #close}, but leaves the mutex: who follows may take it at this moment, and HDFS can't be asked to delete it
   * only where it is still ours.
   */
  void leave() throws IOException;
}
