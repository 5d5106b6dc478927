// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * A program that copies replicas to SSD as the tiering service does, in a process of its own: so
 * with the classes of the cluster's own Hadoop. The first argument is a file, the others
 * DataNodes: the first replica of each block stays on its node, or goes to the first of these
 * that has none.
 */
public final class DirectedMovesOnDemand {

  private static final Path MUTEX = new Path("/thermocline.mutex");

  private DirectedMovesOnDemand() {}

  public static void main(String[] arguments) throws Exception {
    String path = arguments[0];
    List<String> nodes = Arrays.asList(arguments).subList(1, arguments.length);
    Configuration conf = new HdfsConfiguration();
    try (DirectedMoves moves = new DirectedMoves(FileSystem.getDefaultUri(conf), MUTEX, conf)) {
      for (FileView.Block block : moves.file(path).orElseThrow().blocks()) {
        FileView.Replica source = block.replicas().get(0);
        String target =
            nodes.stream()
                .filter(node -> block.replicas().stream().noneMatch(one -> one.node().equals(node)))
                .findFirst()
                .orElse(source.node());
        moves.copy(new Move("0-0", path, block, source, target, "", StorageType.SSD));
        System.out.println(source.node() + " -> " + target);
      }
    }
  }
}
