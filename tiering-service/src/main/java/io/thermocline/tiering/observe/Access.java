// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * One access as a source tells it. A source may reuse the object for the next one: keep values, not the
 * object. Not thread-safe.
 */
public interface Access {
  /** What an access does to the data, or to what a path stands for. */
  enum Kind {
    READ,
    /** Bytes were added or replaced at this path. */
    WRITE,
    /** The path now stands for other data: what was learned of the old data no longer holds. */
    CREATE,
    /** Of a file or of a whole directory: what lies below goes along. */
    RENAME,
    /** Of a file or of a whole directory. */
    DELETE,
    /**
     * A READ told before was part of a scan, and counts no more: of this key, at the time of that READ. Has no
     * path.
     */
    WITHDRAW,
    /** A replication factor was set: where the file's blocks lie may change. */
    REPLICATION,
    /** A storage policy was set, of a file or a directory: where blocks lie may change. */
    POLICY,
    /** The same, unset. */
    NO_POLICY,
    /** Extended attributes were set or removed, of a file or a directory: hints may be among them. */
    ATTRIBUTES
  }

  Kind kind();

  /** When it happened, by the source's clock: milliseconds since 1970. */
  long timeMillis();

  /** Whose namespace it happened in, as {@link PathKey#nameservice}; 0 where there is only one. */
  default long nameservice() {
    return 0;
  }

  /** Well-mixed hash of nameservice and path, see {@link PathKey}; where there is a path, that of {@link #hashes}. */
  long key();

  /** Absolute path inside the nameservice; may be decoded only now, so ask only where it is needed. */
  String path();

  /** Where a rename put it, else null. */
  String newPath();

  /** The hashes of {@link #path}; null where there is none. */
  PathHashes hashes();

  /** The hashes of {@link #newPath}; null where there is none. */
  PathHashes newHashes();

  /**
   * Key of the innermost partition directory ({@code dt=2026-11-20}) that the file of a READ, WRITE, CREATE or
   * WITHDRAW lies in, whose heat is the sum of its files'; 0 where there is none.
   */
  default long partitionKey() {
    return 0;
  }

  /** Short name of who did it; decoded only now, so ask only where it is needed. Null where unknown. */
  default String user() {
    return null;
  }

  /**
   * Whether the service itself made the call. Told of REPLICATION, POLICY, NO_POLICY and ATTRIBUTES.
   */
  default By by() {
    return By.OTHERS;
  }

  /** Who made a call. */
  enum By {
    /** The service, by its caller context. */
    SERVICE,
    /** The service's user, where the log has no caller contexts: the service, or somebody who works as the same user. */
    ITS_USER,
    OTHERS
  }

  /** Hash of user and client process; the same for two accesses of one client. 0 where unknown. */
  default long client() {
    return 0;
  }
}
