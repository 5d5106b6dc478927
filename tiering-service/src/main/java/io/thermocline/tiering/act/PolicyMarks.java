// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attribute on each file or directory whose storage policy the service set, which only superusers see: so these can be
 * told from those of others where the journal is lost. A failure to mark is no reason not to act. Thread-safe.
 */
public final class PolicyMarks {

  private static final Logger LOG = LoggerFactory.getLogger(PolicyMarks.class);

  public static final String ATTRIBUTE = "trusted.thermocline.policy";

  private static final Pattern VALUE = Pattern.compile("([A-Z_]{1,64}) (\\d{1,15})");

  private final DFSClient client;
  private final InstantSource clock;
  private final OperationBudget budget;
  private final AtomicBoolean hasFailed = new AtomicBoolean();

  /**
   * @param policy that was set
   * @param at when
   */
  public record Mark(String policy, Instant at) {}

  PolicyMarks(DFSClient client, InstantSource clock, OperationBudget budget) {
    this.client = client;
    this.clock = clock;
    this.budget = budget;
  }

  /**
   * After it was set, so that a mark never says more than what was done.
   *
   * @param policy empty: none any more
   */
  void set(String path, String policy) {
    try {
      if (policy.isEmpty()) {
        remove(path);
        return;
      }
      budget.take();
      client.setXAttr(
          path,
          ATTRIBUTE,
          (policy + " " + clock.millis()).getBytes(StandardCharsets.UTF_8),
          EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    } catch (IOException e) {
      if (hasFailed.compareAndSet(false, true)) {
        LOG.warn("{}: whose its storage policy is can't be marked", path, e);
      }
    }
  }

  /** Nothing where there is none. */
  void remove(String path) throws IOException {
    budget.take();
    try {
      client.removeXAttr(path, ATTRIBUTE);
    } catch (RemoteException e) {
      // No such attribute, or none at all in this HDFS.
      String said = String.valueOf(e.getMessage());
      if (!said.contains("No matching attributes") && !said.contains("XAttr operation")) {
        throw e;
      }
    }
  }

  Optional<Mark> read(String path) throws IOException {
    budget.take();
    byte[] value = client.getXAttrs(path).get(ATTRIBUTE);
    Matcher found = VALUE.matcher(value == null ? "" : new String(value, StandardCharsets.UTF_8));
    return found.matches()
        ? Optional.of(
            new Mark(found.group(1), Instant.ofEpochMilli(Long.parseLong(found.group(2)))))
        : Optional.empty();
  }
}
