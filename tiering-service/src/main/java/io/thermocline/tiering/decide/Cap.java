// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.Paths;

/**
 * What some files may take of a storage type at most: a share that an administrator gives a user or a tenant, or a
 * quota of HDFS on a directory.
 *
 * @param scope whose files
 * @param type null: bytes on all types
 * @param most bytes on the type, all copies counted
 * @param taken bytes that are taken already; {@link #COUNTED} to count the files that decisions are made of
 * @param isQuota whether HDFS counts, by storage policies, wherever copies lie
 */
public record Cap(Scope scope, StorageType type, long most, long taken, boolean isQuota) {
  public static final long COUNTED = -1;

  /** What an administrator gives a user or a directory, by where copies lie. */
  public Cap(Scope scope, StorageType type, long most, long taken) {
    this(scope, type, most, taken, false);
  }

  /**
   * A quota of HDFS.
   *
   * @param type null: of space
   */
  public static Cap quota(String directory, StorageType type, long most, long used) {
    return new Cap(new Scope.Below(directory), type, most, used, true);
  }

  /** Of whom. */
  public sealed interface Scope {

    /** Whether it is one of these. */
    boolean covers(FileView file);

    /** All files of a user, wherever they are. */
    record Owner(String user) implements Scope {
      @Override
      public boolean covers(FileView file) {
        return file.owner().equals(user);
      }

      @Override
      public String toString() {
        return "user " + user;
      }
    }

    /** All files of a group, wherever they are. */
    record Group(String group) implements Scope {
      @Override
      public boolean covers(FileView file) {
        return file.group().equals(group);
      }

      @Override
      public String toString() {
        return "group " + group;
      }
    }

    /** All files below a directory. */
    record Below(String directory) implements Scope {
      @Override
      public boolean covers(FileView file) {
        return Paths.isBelow(file.path(), directory);
      }

      @Override
      public String toString() {
        return "directory " + directory;
      }
    }
  }

  /** In words. */
  String reason() {
    return isQuota
        ? "the "
            + (type == null ? "space" : type)
            + " quota of "
            + scope
            + " is "
            + most
            + " bytes, and "
            + taken
            + " are used"
        : scope + " may take " + most + " bytes of " + type;
  }
}
