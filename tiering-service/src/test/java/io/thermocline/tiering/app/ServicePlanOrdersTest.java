// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.config.ServiceConfigFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServicePlanOrdersTest {

  @TempDir private Path directory;

  @Test
  void refusesToMoveWhereNothingIsChanged() throws Exception {
    Path file = directory.resolve("thermocline.yaml");
    Files.writeString(
        file,
        """
        observe:
          auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]
        manage:
          paths: [/warehouse]
        journal:
          directory: /var/lib/thermocline
        act:
          apply: [/warehouse/logs]
        """);
    ServicePlanOrders orders = new ServicePlanOrders(null, ServiceConfigFile.read(file).act());
    ApiException refused =
        assertThrows(
            ApiException.class,
            () -> orders.move("/warehouse/t", StorageType.SSD, true, "ann", "report"));
    assertEquals(ErrorCode.SHADOW_MODE, refused.code());
  }
}
