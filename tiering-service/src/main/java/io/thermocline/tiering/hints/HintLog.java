// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

/**
 * Where a {@link HintRegistry} writes what changes, to be told again after a restart. Each method may throw {@link
 * java.io.UncheckedIOException}, and nothing is changed then.
 */
public interface HintLog {

  /** Given, or its inode was renamed. */
  void given(GivenHint hint);

  /** So many reads were seen of what it is about: at the counts that a verdict depends on. */
  void read(String id, long reads);

  void ended(GivenHint hint, HintEnd end, Verdict verdict);

  /** What is at the path, with all below it, belongs to a stream. Empty: to none any more. */
  void tagged(String path, String stream);
}
