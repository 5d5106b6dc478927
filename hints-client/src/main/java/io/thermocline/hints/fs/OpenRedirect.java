// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/**
 * Where an open is led to: a copy of the same bytes that serves it better. Called with each open, by many threads: it
 * must not wait. A class without arguments, or one of Hadoop's {@code Configurable}.
 */
@FunctionalInterface
public interface OpenRedirect {
  /**
   * Another file to open in place of this one.
   *
   * @param path absolute, of the same file system
   * @return the path itself where there is none. Where that can't be opened, the file itself is
   * @throws IOException as any other exception, for the file itself
   */
  Path target(Path path) throws IOException;
}
