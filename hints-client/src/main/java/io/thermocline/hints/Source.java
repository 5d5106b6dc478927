// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

/** Where a hint comes from: what it is worth depends on it, and whom to ask when it turns out wrong. */
public enum Source {
  /** A person, by a command. */
  USER,
  /** An application's own code. */
  APPLICATION,
  /** The file system wrapper, from an application's configuration. */
  FILE_SYSTEM,
  /** The service itself, from what it saw (an opened cold file: thesis, table 2.1). */
  SERVICE
}
