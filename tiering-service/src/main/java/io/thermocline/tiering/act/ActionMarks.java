// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.DFSClient;

/**
 * Attributes on each file whose replication factor the service raised, and on each that it has cached: so these can be told
 * from those of others where the journal is lost. Thread-safe.
 */
public final class ActionMarks {

  public static final String REPLICATION = "trusted.thermocline.replication";
  public static final String CACHE = "trusted.thermocline.cache";

  private static final Pattern FACTORS = Pattern.compile("(\\d{1,5}) (\\d{1,5}) (\\d{1,15})");
  private static final Pattern DIRECTIVE = Pattern.compile("(\\d{1,18}) (\\d{1,5}) (\\d{1,18})");

  private final MarkAttributes attributes;
  private final InstantSource clock;

  ActionMarks(DFSClient client, InstantSource clock, OperationBudget budget) {
    this.attributes = new MarkAttributes(client, budget);
    this.clock = clock;
  }

  /**
   * After a factor was changed, so that a mark never says more than what was done. What is back where it was has none.
   *
   * @param before what the factor was
   */
  void replicated(String path, int before, int factor) {
    attributes.attempt(
        path,
        () -> {
          ActionCalls.Raised old = read(path).raised();
          int origin = old != null && old.now() == before ? old.before() : before;
          if (factor > origin) {
            attributes.set(path, REPLICATION, origin + " " + factor + " " + clock.millis());
          } else if (old != null) {
            removeReplication(path);
          }
        });
  }

  void removeReplication(String path) throws IOException {
    attributes.remove(path, REPLICATION);
  }

  void cached(String path, ActionCalls.Directive made) {
    attributes.attempt(
        path,
        () -> attributes.set(path, CACHE, made.id() + " " + made.copies() + " " + made.expires()));
  }

  /** A file that was renamed takes its mark along, and may be gone. */
  void uncached(String path) {
    attributes.attempt(path, () -> attributes.remove(path, CACHE));
  }

  ActionCalls.Marks read(String path) throws IOException {
    Map<String, byte[]> found = attributes.read(path);
    Matcher factors = MarkAttributes.match(FACTORS, found, REPLICATION);
    Matcher directive = MarkAttributes.match(DIRECTIVE, found, CACHE);
    return new ActionCalls.Marks(
        factors.matches()
            ? new ActionCalls.Raised(
                Integer.parseInt(factors.group(1)),
                Integer.parseInt(factors.group(2)),
                Long.parseLong(factors.group(3)))
            : null,
        directive.matches()
            ? new ActionCalls.Directive(
                Long.parseLong(directive.group(1)),
                Integer.parseInt(directive.group(2)),
                Long.parseLong(directive.group(3)))
            : null);
  }
}
