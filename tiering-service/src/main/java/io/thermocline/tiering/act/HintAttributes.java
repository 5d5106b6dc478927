// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;

/** Writes hints to the files and directories they are about. Implementations change HDFS. */
public interface HintAttributes {

  /**
   * What follows is done in the name of a user, with their rights.
   *
   * @throws IOException where HDFS can't be asked
   */
  Caller as(String user) throws IOException;

  /**
   * Removes an attribute in our own name, or in that of the file's owner; no matter whether it,
   * or the path, is still there.
   */
  void remove(String path, String name) throws IOException;

  /** Calls in the name of one user. */
  interface Caller extends Closeable {

    /**
     * Whether the user may hint what is at a path, which is whether HDFS lets them write it: by mode, ACL, or as
     * superuser.
     *
     * @throws FileNotFoundException where nothing is there
     * @throws IOException where HDFS can't be asked, or not in this user's name
     */
    boolean mayHint(String path) throws IOException;

    /** Sets an attribute: HDFS checks the user's rights once more. */
    void set(String path, String name, byte[] value) throws IOException;

    /** Removes one. */
    void remove(String path, String name) throws IOException;
  }
}
