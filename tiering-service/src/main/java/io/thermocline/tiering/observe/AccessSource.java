// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.Closeable;
import java.io.IOException;

/**
 * Where accesses come from. One thread polls and takes checkpoints; the counts may be read from any.
 */
public interface AccessSource extends Closeable {

  /**
   * Reads what is new and hands each access on, each exactly once.
   *
   * @param maxBytes after about this many bytes of log it returns, so that a checkpoint may be taken
   * @return whether there is more at once
   */
  boolean poll(AccessSink sink, long maxBytes) throws IOException;

  /**
   * What to go on from, after the last access that was handed on. To be stored in one piece with what was made of the
   * accesses: a source that is opened with it hands on those that followed, as if nothing had happened.
   */
  SourceCheckpoint checkpoint() throws IOException;

  /** A checkpoint that this source gave was stored for good: whom it concerns outside may be told. */
  default void stored(SourceCheckpoint checkpoint) {}

  LineCounts counts();
}
