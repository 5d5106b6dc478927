// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the service finds nothing to do, or nothing to do it with. */
@Tag("cluster")
class ServiceWithoutTiersTest {

  @TempDir Path temp;

  @Test
  void aClusterWithoutFastStorageIsToldSo() throws Exception {
    try (ServedCluster slow = ServedCluster.start(temp, List.of(StorageType.DISK))) {
      slow.write("/slow/f");
      Path config = slow.setup("/slow").apply().write(temp.resolve("service"));
      try (ServiceProcess service = ServiceProcess.start(temp, config)) {
        service.logs("no SSD or NVDIMM storage in the cluster: nothing to plan");
        service.terminate();
      }
      assertEquals(List.of("started"), ServiceSetup.journaled(temp.resolve("service")));
      Path other = Files.createDirectories(temp.resolve("stranger"));
      Path stranger = slow.setup("/slow").write(other);
      try (ServiceProcess service =
          ServiceProcess.command(other, "stranger", "service", stranger)) {
        String line = service.fails(1, 1).get(0);
        assertTrue(line.contains("stranger is no superuser of hdfs://"), line);
      }
    }
  }

  @Test
  void anUnreachableNameNodeIsOneLine() throws Exception {
    // Nothing listens on the port that is reserved for discarding.
    ServiceSetup.site(
        temp.resolve("core-site.xml"),
        Map.of(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "hdfs://127.0.0.1:9"));
    Path config = new ServiceSetup(temp, temp.resolve("audit.log"), "/a").write(temp);
    try (ServiceProcess service = ServiceProcess.start(temp, config)) {
      String line = service.fails(1, 1).get(0);
      assertTrue(line.contains("hdfs://127.0.0.1:9 can't be reached: "), line);
      assertTrue(service.out().contains("connecting to hdfs://127.0.0.1:9"), service::toString);
    }
  }

  @Test
  void whatTheHostLacksIsSaidAtOnce() throws Exception {
    Path gone = temp.resolve("gone");
    Path config = new ServiceSetup(gone, gone.resolve("audit.log"), "/a").write(temp);
    try (ServiceProcess service = ServiceProcess.start(temp, config)) {
      List<String> lines = service.fails(2, 2);
      assertTrue(lines.get(0).contains("hdfs.configuration: " + gone), lines.get(0));
      assertTrue(lines.get(1).contains("observe.auditLogs: "), lines.get(1));
      assertEquals("", service.out(), "nothing was begun");
    }
    assertTrue(Files.notExists(ServiceSetup.journalOf(temp)));
  }
}
