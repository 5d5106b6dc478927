// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Doctor on a NameNode whose proxy users were refreshed: its /conf shows those of its start. */
@Tag("cluster")
class ActingForOthersTest {

  private static final String CHECK = "cluster.proxy-user";

  @TempDir private Path temp;

  @Test
  void believesTheNameNodeAndNotItsConf() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD))) {
      cluster.write("/data/f");
      cluster.superuser().setOwner(new org.apache.hadoop.fs.Path("/data/f"), "alice", null);
      Path config = cluster.setup("/data").web(cluster.web()).write(temp.resolve("service"));
      doctor(config)
          .assertFound(
              CHECK,
              "note",
              "User: thermocline is not allowed to impersonate ",
              "-refreshSuperUserGroupsConfiguration");
      try {
        // As hdfs dfsadmin has a NameNode do it, in whose JVM this is.
        refresh("alice");
        assertEquals("ok", doctor(config).checks().get(CHECK));
      } finally {
        ProxyUsers.refreshSuperUserGroupsConfiguration(new Configuration());
      }
    }
  }

  private static void refresh(String others) {
    Configuration site = new Configuration();
    site.set("hadoop.proxyuser." + ServiceProcess.USER + ".hosts", "127.0.0.1,localhost");
    site.set("hadoop.proxyuser." + ServiceProcess.USER + ".users", others);
    ProxyUsers.refreshSuperUserGroupsConfiguration(site);
  }

  private static Doctor doctor(Path config) throws Exception {
    return Doctor.run(ServiceProcess.USER, config);
  }
}
