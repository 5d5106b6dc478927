// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.RackedNameNode;
import io.thermocline.tiering.observe.AuditHistory;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.ReaderTally;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.Readers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The shares of reads that are predicted for replicas from the audit log, against the order in which
 * a NameNode sorts them.
 */
@Tag("cluster")
class ReadOrderTest {

  private static final int CALLS = 4_000;
  private static final double CLOSE = 0.03;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(ReadOrder.class)
  void predictsWhichReplicaTheNameNodePutsFirst(ReadOrder order) throws Exception {
    assertEquals(order, ReadOrder.of(RackedNameNode.keys(order)::get));
    Map<String, List<String>> readers =
        Map.of(
            "on DataNodes' hosts",
                List.of(
                    "10.0.0.1",
                    "10.0.0.2",
                    "10.0.1.1",
                    "10.0.1.2",
                    "10.0.2.1",
                    "10.0.2.2",
                    "10.0.3.1",
                    "10.0.3.2"),
            "on hosts that no rack is known of", List.of("10.9.9.1", "10.9.9.2"),
            "in one rack", List.of("10.0.1.1", "10.0.1.2"),
            "on one host", List.of("10.0.1.2"),
            "here and there", List.of("10.0.0.1", "10.0.0.1", "10.0.3.2", "10.9.9.1"));
    List<List<String>> layouts =
        List.of(
            List.of("10.0.0.1 SSD", "10.0.1.1 DISK", "10.0.1.2 DISK"),
            List.of("10.0.1.1 SSD", "10.0.1.2 DISK", "10.0.2.1 ARCHIVE"),
            List.of("10.0.3.1 DISK", "10.0.3.2 SSD"),
            List.of("10.0.0.1 SSD", "10.0.1.1 SSD", "10.0.3.1 DISK"));
    try (RackedNameNode nameNode = RackedNameNode.start(order, 4, 2, directory)) {
      for (Map.Entry<String, List<String>> group : readers.entrySet()) {
        Readers seen = Readers.of(nameNode.places(), tally(group.getValue()));
        for (List<String> layout : layouts) {
          List<ReadOrder.Replica> replicas =
              layout.stream().map(one -> replica(nameNode, one.split(" "))).toList();
          double[] predicted = order.shares(replicas, seen);
          double[] measured = nameNode.first(layout, group.getValue(), CALLS);
          for (int i = 0; i < measured.length; i++) {
            assertEquals(
                measured[i], predicted[i], CLOSE, layout + ", readers " + group + ": " + i);
          }
        }
      }
    }
  }

  private static ReadOrder.Replica replica(RackedNameNode nameNode, String[] one) {
    String uuid = RackedNameNode.uuid(one[0]);
    return new ReadOrder.Replica(
        uuid, nameNode.places().get(uuid).rack(), StorageType.valueOf(one[1]));
  }

  /** What an audit log has of a read of a file each by these clients. */
  private ReaderTally tally(List<String> readers) throws IOException {
    Path log = directory.resolve("hdfs-audit.log");
    StringBuilder lines = new StringBuilder();
    for (String address : readers) {
      lines.append("2026-11-20 19:33:39,065 INFO FSNamesystem.audit: allowed=true\tugi=ann");
      lines.append(" (auth:SIMPLE)\tip=/").append(address).append("\tcmd=open\tsrc=/file");
      lines.append(lines.length()).append("\tdst=null\tperm=null\tproto=rpc\n");
    }
    Files.writeString(log, lines);
    ReaderTally tally = new ReaderTally(1_000_000);
    AuditHistory.read(
        List.of(new AuditLog("ns", log, ZoneOffset.UTC, null)),
        0,
        Clock.systemUTC(),
        tally::accept);
    return tally;
  }
}
