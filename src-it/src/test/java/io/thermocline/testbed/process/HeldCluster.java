// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.placement.model.StorageType;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A program that holds a cluster until it is killed. */
final class HeldCluster {

  private HeldCluster() {}

  /**
   * @param args Hadoop's version, and where the cluster's directory is made
   */
  public static void main(String[] args) throws Exception {
    ProcessCluster cluster = start(args[0], Path.of(args[1])).start();
    System.out.println(cluster.directory());
    new CountDownLatch(1).await();
  }

  static ProcessCluster.Builder start(String version, Path parent) throws Exception {
    return ProcessCluster.builder(HadoopLine.resolve(version, TestLines.DIRECTORY))
        .parent(parent)
        .node(new ProcessNode("dn1", "rack1", List.of(StorageType.DISK)));
  }
}
