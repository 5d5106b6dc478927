// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import io.thermocline.placement.model.DirectoryHints;
import io.thermocline.placement.model.StorageType;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * By which storage policy new blocks are placed where their directory is hinted: HintStor's REDIRECT (thesis, chapter
 * 2.3.2) for clients that know no hints. Hints are advice: they count only where nobody chose a policy, and where they can't
 * be followed the file's own policy is. {@link #refresh} is for one thread, the rest for any.
 */
final class HintedPolicies implements Refreshed {
  private static final Logger LOG = LoggerFactory.getLogger(ThermoclinePlacementPolicy.class);

  private static final BlockStoragePolicySuite SUITE = BlockStoragePolicySuite.createDefaultSuite();

  private final WatchedFile<Content> file;
  private final PolicyHost host;

  /** Id of the policy of files that were given none; -1 where it isn't known. */
  private final int defaultPolicy;

  /** The text for which it was said that it is stale. */
  private Content saidStale;

  /** A text with its policies found. */
  private static final class Content {
    private final DirectoryHints hints;
    private final Map<String, BlockStoragePolicy> policies;

    Content(DirectoryHints hints, Map<String, BlockStoragePolicy> policies) {
      this.hints = hints;
      this.policies = policies;
    }
  }

  /**
   * @param path null where no file is configured
   * @param defaultPolicy name of the storage policy of files that were given none
   */
  HintedPolicies(Path path, PolicyHost host, String defaultPolicy) {
    this.host = host;
    BlockStoragePolicy usual = SUITE.getPolicy(defaultPolicy);
    this.defaultPolicy = usual == null ? -1 : usual.getId();
    this.file =
        new WatchedFile<>(
            path,
            new WatchedFile.Kind<>(
                "directory hints",
                DirectoryHints.MOST_BYTES,
                new Content(DirectoryHints.none(), new HashMap<>()),
                HintedPolicies::parsed,
                false,
                Event.DIRECTORY_HINTS_LOADED,
                Event.DIRECTORY_HINTS_REJECTED),
            host.counters());
  }

  private static Content parsed(String text) throws WatchedFile.BadText {
    DirectoryHints hints;
    try {
      hints = DirectoryHints.parse(text);
    } catch (IllegalArgumentException e) {
      throw new WatchedFile.BadText(e.getMessage());
    }
    Map<String, BlockStoragePolicy> policies = new HashMap<>();
    for (DirectoryHints.Line line : hints.lines()) {
      if (line.policy() != null && !policies.containsKey(line.policy())) {
        BlockStoragePolicy policy = SUITE.getPolicy(line.policy());
        if (policy == null || !isDurable(policy)) {
          throw new WatchedFile.BadText(line.policy() + " is no storage policy for hints");
        }
        policies.put(line.policy(), policy);
      }
    }
    return new Content(hints, policies);
  }

  /** What lies in memory alone, or outside of HDFS, is for nobody to hint. */
  private static boolean isDurable(BlockStoragePolicy policy) {
    for (org.apache.hadoop.fs.StorageType type : policy.getStorageTypes()) {
      StorageType ours = StorageTypes.ours(type);
      if (ours == null || ours == StorageType.RAM_DISK) {
        return false;
      }
    }
    return true;
  }

  /** Reads the file if it changed. */
  @Override
  public void refresh() {
    file.poll();
    Content content = file.content();
    if (content != saidStale && content.hints.isStale(host.wallMillis())) {
      saidStale = content;
      host.counters().count(Event.DIRECTORY_HINTS_STALE);
      LOG.warn("the directory hints file is stale: it counts as empty until it is written anew");
    }
  }

  boolean isConfigured() {
    return file.isConfigured();
  }

  /** Whether the file can't be used as it is now. */
  boolean isBad() {
    return file.isBad() || file.content().hints.isStale(host.wallMillis());
  }

  /** Lines of the file. */
  int count() {
    return file.content().hints.lines().size();
  }

  /**
   * The policy that new blocks of a file are hinted to be placed by.
   *
   * @param own the file's
   * @return null for its own
   */
  BlockStoragePolicy of(String path, BlockStoragePolicy own) {
    try {
      host.faults().at(Stage.DIRECTORY_HINT);
      Content now = file.content();
      if (now.policies.isEmpty() || path == null || own.getId() != defaultPolicy) {
        return null;
      }
      DirectoryHints.Line line = now.hints.of(path, host.wallMillis());
      return line == null ? null : now.policies.get(line.policy());
    } catch (RuntimeException | LinkageError e) {
      host.counters().count(Event.PLACEMENT_FAILED);
      host.log().warn(Event.PLACEMENT_FAILED, e);
      return null;
    }
  }

  /**
   * Counts what became of a hint.
   *
   * @param targets null where none were found by the hinted policy
   * @param own the file's policy
   */
  void count(DatanodeStorageInfo[] targets, BlockStoragePolicy own) {
    boolean isFollowed = false;
    for (int i = 0; targets != null && i < targets.length; i++) {
      isFollowed |= !isOf(targets[i].getStorageType(), own);
    }
    host.counters().count(isFollowed ? Event.DIRECTORY_HINT : Event.DIRECTORY_HINT_NO_PLACE);
  }

  private static boolean isOf(org.apache.hadoop.fs.StorageType type, BlockStoragePolicy policy) {
    for (org.apache.hadoop.fs.StorageType one : policy.getStorageTypes()) {
      if (one == type) {
        return true;
      }
    }
    return false;
  }
}
