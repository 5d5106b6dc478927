// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Lines in the layouts of Hadoop 0.20 to 3, for tests that must not depend on logs of real clusters. */
final class GeneratedLogs {

  private static final List<String> PREFIXES =
      List.of(
          ": ",
          " INFO FSNamesystem.audit: ",
          " INFO org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit: ",
          " INFO  [IPC Server handler 1 on 60605] FSNamesystem.audit"
              + " (FSNamesystem.java:logAuditMessage(8234)) - ");
  private static final List<String> USERS =
      List.of(
          "allowed=true\tugi=%s (auth:SIMPLE)",
          "allowed=false\tugi=%s (auth:KERBEROS)",
          "allowed=true\tugi=%s (auth:PROXY) via hive/a@EXAMPLE.COM (auth:KERBEROS)",
          "ugi=%s,wheel");
  private static final List<String> COMMANDS =
      List.of(
          "open", "create", "rename", "delete", "mkdirs", "listStatus", "getfileinfo", "append");
  private static final List<String> NAMES =
      List.of("part-r-00000", "b\\u00fc.orc", "x\\t1", "a=1", "HFile_7", ".tmp", "%20", "l o g");
  private static final List<String> ENDS =
      List.of("", "\tproto=rpc", "\tproto=webhdfs\tcallerContext=CLI");
  private static final String POOL = "BP-360285305-10.130.1.11-1444619256876:";

  private GeneratedLogs() {}

  static List<String> audit(long seed, int lines) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < lines; i++) {
      String command = one(random, COMMANDS);
      all.add(
          time(random)
              + one(random, PREFIXES)
              + one(random, USERS).formatted("user" + random.nextInt(9))
              + "\tip=/10.0.%d.%d".formatted(random.nextInt(9), random.nextInt(256))
              + "\tcmd="
              + command
              + "\tsrc="
              + path(random)
              + "\tdst="
              + (command.equals("rename") ? path(random) : "null")
              + "\tperm="
              + (random.nextBoolean() ? "null" : "user1:hadoop:rw-r--r--")
              + one(random, ENDS));
    }
    return all;
  }

  /** Reads and writes, and every tenth line what isn't one. */
  static List<String> clientTrace(long seed, int lines) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < lines; i++) {
      boolean isOld = random.nextBoolean();
      String ends = "src: /10.0.0.%d:50010, dest: /10.0.0.7:33042, ".formatted(random.nextInt(99));
      if (i % 10 == 9) {
        all.add(
            time(random)
                + " INFO org.apache.hadoop.mapred.TaskTracker.clienttrace: "
                + ends
                + "bytes: 1368349, op: MAPRED_SHUFFLE, cliID: attempt_1_m_0, reduceID: attempt_1");
        continue;
      }
      all.add(
          time(random)
              + (isOld
                  ? " INFO org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace: "
                  : " INFO  DataNode.clienttrace (BlockReceiver.java:finalizeBlock(1533)) - ")
              + ends
              + (isOld ? "" : "volume: , ")
              + "bytes: "
              + random.nextInt(1 << 27)
              + ", op: HDFS_"
              + (random.nextBoolean() ? "READ" : "WRITE")
              + ", cliID: DFSClient_NONMAPREDUCE_"
              + random.nextInt()
              + "_1, "
              + (random.nextBoolean() ? "offset: " + random.nextInt(1 << 27) + ", " : "")
              + "srvID: DS-199263106-127.0.1.1-50012-1242830204189, blockid: "
              + (isOld ? "" : POOL)
              + "blk_"
              + random.nextInt(1 << 30)
              + "_1763, duration"
              + (isOld ? ": " : "(ns): ")
              + random.nextLong(1L << 50));
    }
    return all;
  }

  private static String time(SplittableRandom random) {
    return "20%02d-%02d-%02d %02d:%02d:%02d,%03d"
        .formatted(
            9 + random.nextInt(18),
            1 + random.nextInt(12),
            1 + random.nextInt(28),
            random.nextInt(24),
            random.nextInt(60),
            random.nextInt(60),
            random.nextInt(1000));
  }

  private static String path(SplittableRandom random) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i <= random.nextInt(6); i++) {
      path.append('/').append(one(random, NAMES));
    }
    return path.toString();
  }

  private static String one(SplittableRandom random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }
}
