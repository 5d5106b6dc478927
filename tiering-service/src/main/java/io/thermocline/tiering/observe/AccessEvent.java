// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * What one audited operation means for heat. Everything else in the log means nothing for it.
 *
 * @param kind what happened to the data
 * @param path absolute path inside the nameservice
 * @param newPath where a rename put it, else null
 */
public record AccessEvent(Kind kind, String path, String newPath) {

  /** The operations of the audit log that read data, or change what a path stands for. */
  public enum Kind {
    /** One getBlockLocations call: a client is about to read. Large files give several a stream. */
    READ,
    /** The path now stands for other data: what was learned of the old data no longer holds. */
    CREATE,
    RENAME,
    DELETE
  }

  static AccessEvent read(String path) {
    return new AccessEvent(Kind.READ, path, null);
  }
}
