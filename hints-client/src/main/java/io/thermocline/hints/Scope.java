// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

/** What a hint's target names. */
public enum Scope {
  /** One file, by its path. */
  FILE,
  /** A directory and all that is or will be below it, by its path. */
  DIRECTORY,
  /** Files that carry the same stream tag, wherever they are (the stream ID of chapter 2.4.2). */
  STREAM
}
