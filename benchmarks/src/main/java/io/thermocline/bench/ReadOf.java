// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathHashes;
import java.util.function.Supplier;

/**
 * A read, without the log line that it stands in.
 *
 * @param file its path, made only where it is asked for
 * @param hashes of the path
 */
record ReadOf(Supplier<String> file, PathHashes hashes) implements Access {

  /** When all of them happen. */
  static final long TIME = 1_795_000_000_000L;

  @Override
  public Kind kind() {
    return Kind.READ;
  }

  @Override
  public long timeMillis() {
    return TIME;
  }

  @Override
  public long key() {
    return hashes.key();
  }

  @Override
  public String path() {
    return file.get();
  }

  @Override
  public String newPath() {
    return null;
  }

  @Override
  public PathHashes newHashes() {
    return null;
  }
}
