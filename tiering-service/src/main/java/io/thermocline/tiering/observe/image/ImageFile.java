// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import io.thermocline.tiering.observe.FileView;
import java.util.List;

/**
 * A file as it stands in an image. Where its blocks are stored isn't in any image: only DataNodes know. Immutable.
 *
 * @param id of its inode
 * @param path absolute
 * @param length in bytes; of a file that is being written, what the NameNode knew
 * @param blocks how many, block groups where erasure coded
 * @param replication 1 where erasure coded, as a listing says it
 * @param policy storage policy that holds for it
 * @param modified milliseconds since 1970
 * @param accessed milliseconds since 1970; as exact as dfs.namenode.accesstime.precision, 0 where never recorded
 * @param erasureCoding id of the policy, 0 where replicated
 */
public record ImageFile(
    long id,
    String path,
    long length,
    int blocks,
    int replication,
    StoragePolicyOf policy,
    long modified,
    long accessed,
    int erasureCoding,
    State state) {

  /** As listings have it, without blocks, and without whose it is. */
  public FileView view() {
    return new FileView(
        path,
        length,
        replication,
        policy.effective(),
        List.of(),
        "",
        null,
        "",
        new FileView.Times(modified, accessed));
  }

  /** The id of no storage policy: then the NameNode's default holds. */
  public static final int UNSPECIFIED = 0;

  /** Whether somebody was writing it when the image was made. */
  public enum State {
    CLOSED,
    UNDER_CONSTRUCTION
  }

  /**
   * Ids of storage policies as HDFS numbers them.
   *
   * @param own set on the file itself, or {@link #UNSPECIFIED}
   * @param effective its own or that of the nearest directory above that has one, or {@link #UNSPECIFIED}
   */
  public record StoragePolicyOf(int own, int effective) {
    private static final StoragePolicyOf[] KNOWN = known();

    private static StoragePolicyOf[] known() {
      StoragePolicyOf[] all = new StoragePolicyOf[16 * 16];
      for (int i = 0; i < all.length; i++) {
        all[i] = new StoragePolicyOf(i >> 4, i & 15);
      }
      return all;
    }

    static StoragePolicyOf of(int own, int inherited) {
      int effective = own != UNSPECIFIED ? own : inherited;
      return (own | effective) < 16 && (own | effective) >= 0
          ? KNOWN[own << 4 | effective]
          : new StoragePolicyOf(own, effective);
    }
  }
}
