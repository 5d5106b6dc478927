// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/** A process of a {@link ScenarioCluster} that is frozen, killed or has no room, and how that ends. */
enum ProcessFault {
  MOVER_FROZEN(on -> on.host().mover().signal("STOP"), on -> on.host().mover().signal("CONT")),
  NAMENODES_FROZEN(
      on -> {
        on.hdfs().signal("nn1", "STOP");
        on.hdfs().signal("nn2", "STOP");
      },
      on -> {
        on.hdfs().signal("nn1", "CONT");
        on.hdfs().signal("nn2", "CONT");
      }),
  DATANODE_FROZEN(on -> on.hdfs().signal("dn2", "STOP"), on -> on.hdfs().signal("dn2", "CONT")),
  ZOOKEEPER_FROZEN(on -> on.zooKeeper().signal("STOP"), on -> on.zooKeeper().signal("CONT")),
  STANDBY_DOWN(on -> on.hdfs().kill("nn2"), on -> on.hdfs().restart("nn2")),
  NAMENODES_DOWN(ScenarioCluster::killNameNodes, ScenarioCluster::startNameNodes),
  /** Another service acts when the leader goes on. */
  LEADER_FROZEN(
      ScenarioCluster::addStandby, ScenarioCluster::freezeLeader, ScenarioCluster::wakeDeposed),
  MOVER_DOWN(on -> on.host().mover().kill(), on -> on.host().mover().start()),
  ZOOKEEPER_DOWN(
      on -> {
        for (int i = 0; i < on.zooKeeper().ports().size(); i++) {
          on.zooKeeper().kill(i);
        }
      },
      on -> {
        for (int i = 0; i < on.zooKeeper().ports().size(); i++) {
          on.zooKeeper().restart(i);
        }
      }),
  JOURNAL_FULL(on -> room(on, 1), on -> room(on, HdfsConstants.QUOTA_RESET)),
  /** It is started again at once, as systemd does. */
  SERVICE_KILLED(
      on -> {
        on.host().service().kill();
        on.host().service().start();
      },
      on -> {});

  private final Change before;
  private final Change begin;
  private final Change end;

  ProcessFault(Change begin, Change end) {
    this(on -> {}, begin, end);
  }

  ProcessFault(Change before, Change begin, Change end) {
    this.before = before;
    this.begin = begin;
    this.end = end;
  }

  private interface Change {
    void on(ScenarioCluster cluster) throws IOException, InterruptedException;
  }

  /** Makes what the fault needs. */
  void prepare(ScenarioCluster cluster) throws IOException, InterruptedException {
    before.on(cluster);
  }

  void begin(ScenarioCluster cluster) throws IOException, InterruptedException {
    begin.on(cluster);
  }

  void end(ScenarioCluster cluster) throws IOException, InterruptedException {
    end.on(cluster);
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static void room(ScenarioCluster cluster, long bytes) throws IOException {
    cluster.hdfs().client().setQuota(new Path(Chaos.JOURNAL), HdfsConstants.QUOTA_DONT_SET, bytes);
  }
}
