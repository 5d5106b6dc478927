// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.PlanOrders;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.process.PathSet;
import java.io.IOException;

/** Has the service make plans for those who ask over REST. */
record ServicePlanOrders(TieringService service, ServiceConfig.Act act) implements PlanOrders {

  @Override
  public String prospect() {
    String held = service.control().reason();
    String then =
        switch (act.review().approval()) {
          case NONE -> "it is carried out at once";
          case ONE -> "it waits for somebody to approve it";
          case TWO -> "it waits for two to approve it";
        };
    return "makes a plan now: "
        + (act.changes() ? then : "it is only shown, as the service is in shadow mode")
        + (act.changes() && !held.isEmpty() ? "; nothing may be begun: " + held : "");
  }

  @Override
  public Ordered planNow(String who, String why) throws IOException, InterruptedException {
    return service.planNow(who, why);
  }

  @Override
  public Move move(String path, StorageType type, boolean isMeant, String who, String why)
      throws ApiException, IOException, InterruptedException {
    boolean applies =
        act.mode() == ServiceConfig.Mode.APPLY || new PathSet(act.apply()).contains(path);
    if (isMeant && !applies) {
      throw new ApiException(
          ErrorCode.SHADOW_MODE,
          "the service changes nothing at " + path + ": it is in shadow mode there",
          "path",
          "set act.mode: apply, or add the path to act.apply, and reload");
    }
    return service.move(path, type, isMeant, who, why);
  }
}
