// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process.inside;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.VersionInfo;

/**
 * Tells the testbed what it can't see from outside: the ports that the NameNode got, and which placement
 * policy is in force. A plugin of the NameNode, {@code dfs.namenode.plugins}. Thread-safe once started.
 */
public final class NameNodeProbe implements ServicePlugin, NameNodeProbeMXBean {

  /**
   * System property: the file to write both addresses to, RPC and web (HTTPS where that is all),
   * a line each.
   */
  public static final String ADDRESSES = "thermocline.testbed.addresses";

  private NameNode nameNode;

  @Override
  public void start(Object service) {
    nameNode = (NameNode) service;
    MBeans.register("NameNode", "ThermoclineProbe", this);
    try {
      Path file = Path.of(System.getProperty(ADDRESSES));
      Path draft = file.resolveSibling(file.getFileName() + ".new");
      InetSocketAddress web = nameNode.getHttpAddress();
      Files.writeString(
          draft,
          text(nameNode.getNameNodeAddress())
              + "\n"
              + text(web == null ? nameNode.getHttpsAddress() : web));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new IllegalStateException("Can't tell the NameNode's addresses", e);
    }
  }

  private static String text(InetSocketAddress address) {
    return "127.0.0.1:" + address.getPort();
  }

  @Override
  public void stop() {
    // The bean ends with the process.
  }

  @Override
  public void close() {
    stop();
  }

  @Override
  public String getHadoopVersion() {
    return VersionInfo.getVersion();
  }

  @Override
  public String getPolicyClass() {
    return policy().getClass().getName();
  }

  @Override
  public String getPolicySource() {
    return policy().getClass().getProtectionDomain().getCodeSource().getLocation().toString();
  }

  @Override
  public int getPolicyIdentity() {
    return System.identityHashCode(policy());
  }

  @Override
  public String getPolicyCounters() {
    try {
      return policy().getClass().getMethod("counters").invoke(policy()).toString();
    } catch (ReflectiveOperationException e) {
      return "";
    }
  }

  private BlockPlacementPolicy policy() {
    return nameNode.getNamesystem().getBlockManager().getBlockPlacementPolicy();
  }
}
