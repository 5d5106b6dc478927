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
    /** A read of a scan, which doesn't heat; what is read together it says as any other. */
    SCANNED,
    /** Bytes were added or replaced at this path. */
    WRITE,
    /** The path now stands for other data: what was learned of the old data no longer holds. */
    CREATE,
    /** Of a file or of a whole directory: what lies below goes along. */
    RENAME,
    /** Of a file or of a whole directory. */
    DELETE,
    /**
     * A READ told before was part of a scan, and counts no more: of this key, at the time of that READ, with {@link
     * #parts}. Has no path.
     */
    WITHDRAW,
    /**
     * A read that was part of a scan, and wasn't told or was withdrawn, counts after all, since the file was scanned
     * again: of this key, at the time of that read. Has no path.
     */
    RESTORE,
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
   * Key of the innermost partition directory ({@code dt=2026-11-20}) that the file of a READ, WRITE, CREATE,
   * WITHDRAW or RESTORE lies in, whose heat is the sum of its files'; 0 where there is none.
   */
  default long partitionKey() {
    return 0;
  }

  /**
   * Whether a READ is one of several opens by which an application reads a file together: about a block. Else it is of a
   * whole file.
   */
  default boolean isPart() {
    return false;
  }

  /** Of a READ that {@link #isPart}: whether the same client opened the file just before, and may go on with it. */
  default boolean isAgain() {
    return false;
  }

  /** Of a READ: how much of the blocks that it opens the reader reads, by its kind. */
  default ReadExtent extent() {
    return ReadExtent.WHOLE;
  }

  /** Of a WITHDRAW: how many READs that were parts are withdrawn beside the whole one. */
  default int parts() {
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

  /**
   * Hash of who reads: the user, with the application where the caller context names one, whose tasks on many hosts are one
   * reader, else with the client process. 0 where unknown.
   */
  default long reader() {
    return 0;
  }

  /** Of a READ: hash of the client's IP address, as {@link ReaderTally} counts it; 0 where unknown. */
  default long address() {
    return 0;
  }
}
