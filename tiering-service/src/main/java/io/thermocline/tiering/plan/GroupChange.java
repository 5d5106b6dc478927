// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import java.util.List;

/**
 * What a plan does for files that are read together. Immutable.
 *
 * <p>Source: PRS, section 3.3. A replica of a group is a file of its own where members are small; where they are of
 * whole blocks, HDFS replicates them one by one, and what they have in common is the place.
 *
 * @param group id; never twice the same
 * @param members none where the group ends
 * @param pattern local or global
 * @param sequence how members are read, as random_small
 * @param places of its replicas, each on another node
 * @param replaces group whose members these were, before one of them changed; 0: none
 * @param reason with numbers
 */
public record GroupChange(
    Kind kind,
    long group,
    List<Member> members,
    String pattern,
    String sequence,
    List<Place> places,
    long replaces,
    String reason) {

  /** What is done. */
  public enum Kind {
    /** Small members are copied into a group file. */
    MAKE_FILE,
    /** Each member gets one more replica, all at one place. */
    RAISE,
    /** The copies go again. */
    DISSOLVE
  }

  /**
   * A file of the group.
   *
   * @param bytes of one replica
   * @param blocks of it
   * @param factor its replication now
   */
  public record Member(String path, long inode, long bytes, int blocks, int factor) {}

  /**
   * A storage.
   *
   * @param node UUID
   * @param name host and port of it
   */
  public record Place(String node, String name, String storage, StorageType type) {
    @Override
    public String toString() {
      return name + " " + type;
    }
  }

  public GroupChange {
    members = List.copyOf(members);
    places = List.copyOf(places);
  }

  /** The end of a group. */
  public static GroupChange end(long group, String reason) {
    return new GroupChange(Kind.DISSOLVE, group, List.of(), "", "", List.of(), 0, reason);
  }

  /** Copies that DataNodes make for it. */
  public int copies() {
    return switch (kind) {
      case MAKE_FILE -> places.size();
      case RAISE -> places.size() * members.stream().mapToInt(Member::blocks).sum();
      case DISSOLVE -> 0;
    };
  }

  /** Bytes of those copies. */
  public long bytes() {
    return places.size() * members.stream().mapToLong(Member::bytes).sum();
  }

  /** What is done, for people. */
  public String words() {
    return switch (kind) {
      case MAKE_FILE -> "a file with copies of " + members.size() + " files, on " + places;
      case RAISE -> "one more replica of " + members.size() + " files, on " + places;
      case DISSOLVE -> "its copies go";
    };
  }

  /** As it stands in lists of what plans are about. */
  public String name() {
    return "group " + group;
  }
}
