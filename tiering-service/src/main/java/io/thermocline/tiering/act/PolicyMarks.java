// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.DFSClient;

/**
 * An attribute on each file or directory whose storage policy the service set: so these can be told from those of others
 * where the journal is lost. Thread-safe.
 */
public final class PolicyMarks {

  public static final String ATTRIBUTE = "trusted.thermocline.policy";

  private static final Pattern VALUE = Pattern.compile("([A-Z_]{1,64}) (\\d{1,15})");

  private final MarkAttributes attributes;
  private final InstantSource clock;

  /**
   * @param policy that was set
   * @param at when
   */
  public record Mark(String policy, Instant at) {}

  PolicyMarks(DFSClient client, InstantSource clock, OperationBudget budget) {
    this.attributes = new MarkAttributes(client, budget);
    this.clock = clock;
  }

  /**
   * After it was set, so that a mark never says more than what was done.
   *
   * @param policy empty: none any more
   */
  void set(String path, String policy) {
    attributes.attempt(
        path,
        () -> {
          if (policy.isEmpty()) {
            remove(path);
          } else {
            attributes.set(path, ATTRIBUTE, policy + " " + clock.millis());
          }
        });
  }

  /** Nothing where there is none. */
  void remove(String path) throws IOException {
    attributes.remove(path, ATTRIBUTE);
  }

  Optional<Mark> read(String path) throws IOException {
    Matcher found = MarkAttributes.match(VALUE, attributes.read(path), ATTRIBUTE);
    return found.matches()
        ? Optional.of(
            new Mark(found.group(1), Instant.ofEpochMilli(Long.parseLong(found.group(2)))))
        : Optional.empty();
  }
}
