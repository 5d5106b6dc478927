// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Hadoop's {@code dfsadmin}. Thread-safe. */
final class AdminTool {

  private static final String MAIN = "org.apache.hadoop.hdfs.tools.DFSAdmin";
  private static final Duration REACTION = Duration.ofSeconds(60);

  private final Processes processes;

  AdminTool(Processes processes) {
    this.processes = processes;
  }

  void triggerBlockReport(String address) throws IOException {
    run("-triggerBlockReport", address).succeeded();
  }

  void refreshNodes() throws IOException {
    run("-refreshNodes").succeeded();
  }

  /**
   * Has a server take over its changed configuration files.
   *
   * @param server {@code namenode} or {@code datanode}
   */
  void reconfigure(String server, String address) throws IOException {
    run("-reconfig", server, address, "start").succeeded();
    StringBuilder said = new StringBuilder();
    Deadline.await(
        REACTION,
        "the " + server + " took its new settings",
        () -> {
          said.setLength(0);
          said.append(run("-reconfig", server, address, "status").succeeded().output());
          return said.indexOf("finished at") >= 0;
        },
        () -> ":\n" + said);
    if (said.indexOf("FAILED") >= 0) {
      throw new IOException("Reconfiguration failed:\n" + said);
    }
  }

  private ToolRun run(String... arguments) throws IOException {
    return processes.run(List.of(), MAIN, arguments);
  }
}
