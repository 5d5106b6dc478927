// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attributes that say what on a path is the service's own. Only superusers see them. A failure to set one is no reason not
 * to act. Thread-safe.
 */
final class MarkAttributes {

  private static final Logger LOG = LoggerFactory.getLogger(MarkAttributes.class);

  private final DFSClient client;
  private final OperationBudget budget;
  private final AtomicBoolean hasFailed = new AtomicBoolean();

  MarkAttributes(DFSClient client, OperationBudget budget) {
    this.client = client;
    this.budget = budget;
  }

  /** A change of the attributes of a path. */
  @FunctionalInterface
  interface Change {
    void make() throws IOException;
  }

  /** The first failure is logged, none is thrown. */
  void attempt(String path, Change change) {
    try {
      change.make();
    } catch (IOException e) {
      if (hasFailed.compareAndSet(false, true)) {
        LOG.warn("{}: what of it is the service's own can't be marked", path, e);
      }
    }
  }

  void set(String path, String name, String value) throws IOException {
    budget.take();
    client.setXAttr(
        path,
        name,
        value.getBytes(StandardCharsets.UTF_8),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  /** Nothing where there is none. */
  void remove(String path, String name) throws IOException {
    budget.take();
    try {
      client.removeXAttr(path, name);
    } catch (RemoteException e) {
      // No such attribute, or none at all in this HDFS.
      if (!String.valueOf(e.getMessage()).contains("No matching attributes") && !areDisabled(e)) {
        throw e;
      }
    }
  }

  /** Whether that is because this HDFS has no attributes at all. */
  static boolean areDisabled(RemoteException e) {
    return String.valueOf(e.getMessage()).contains("XAttr operation");
  }

  Map<String, byte[]> read(String path) throws IOException {
    budget.take();
    return client.getXAttrs(path);
  }

  /** How a pattern matches the value of an attribute; not at all where there is none. */
  static Matcher match(Pattern pattern, Map<String, byte[]> attributes, String name) {
    byte[] value = attributes.get(name);
    return pattern.matcher(value == null ? "" : new String(value, StandardCharsets.UTF_8));
  }
}
