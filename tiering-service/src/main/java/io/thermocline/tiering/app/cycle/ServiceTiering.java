// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.config.ChewConfig;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.ChewDecider;
import io.thermocline.tiering.decide.ExpectedReads;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.MoveOrder;
import io.thermocline.tiering.decide.PrefetchLimits;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.Tiering;
import io.thermocline.tiering.decide.Written;
import io.thermocline.tiering.decide.pools.BlockParts;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rules of deciding that follow from the configurations of the service and of Hadoop. */
public final class ServiceTiering {

  private static final Logger LOG = LoggerFactory.getLogger(ServiceTiering.class);

  /** Class of the NameNode's plugin. */
  public static final String OUR_POLICY =
      "io.thermocline.placement.hdfs.ThermoclinePlacementPolicy";

  /** ThermoclinePlacementPolicy.LAYOUT_KEY; that class needs the NameNode's. */
  private static final String LAYOUT_KEY = "thermocline.placement.layout";

  private ServiceTiering() {}

  /** What the service decides by. */
  public static Tiering of(ServiceConfig config, Configuration hadoop) {
    ServiceConfig.Decide decide = config.decide();
    boolean ours = hasOurPlugin(hadoop);
    boolean spreads = ours && hadoop.get(LAYOUT_KEY, "").trim().equalsIgnoreCase("suora");
    return new Tiering(
        ours ? decide.tiers() : withoutNvdimm(decide.tiers()),
        decide.margin(),
        decide.promotion(),
        spreads ? Written.SPREAD : Written.BY_POLICY,
        new Gate(
            decide.benefit().horizon(),
            decide.benefit().factor(),
            ExpectedReads.learned(config.heat().settings().halfLife()),
            decide.benefit().speeds()),
        decide.actions().limits(),
        config.hints().isOn() ? config.hints().prefetch() : PrefetchLimits.NONE);
  }

  /** What brings files to the type that somebody asks for. */
  public static MoveOrder orders(ServiceConfig config, Configuration hadoop) {
    return new MoveOrder(of(config, hadoop));
  }

  /** By patterns where the configuration names a library, else by thresholds. */
  public static DecideStrategy strategy(
      ServiceConfig config,
      Configuration hadoop,
      BiFunction<Tiering, ChewDecider.Rules, DecideStrategy> byPatterns) {
    Tiering tiering = of(config, hadoop);
    return config
        .decide()
        .chew()
        .map(chew -> byPatterns.apply(tiering, rules(chew, hadoop)))
        .orElseGet(() -> DecideStrategy.byThresholds(new TierDecider(tiering)));
  }

  private static ChewDecider.Rules rules(ChewConfig chew, Configuration hadoop) {
    return new ChewDecider.Rules(
        chew.library(),
        chew.split(),
        chew.window(),
        chew.smallBelow(),
        chew.volumes(),
        hasOurPlugin(hadoop) ? BlockParts.Plugin.LOADED : BlockParts.Plugin.ABSENT);
  }

  private static boolean hasOurPlugin(Configuration hadoop) {
    return hadoop.get(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, "").equals(OUR_POLICY);
  }

  /** Without our placement policy in the NameNode, one copy on NVDIMM would be removed again. */
  private static Map<StorageType, TierLimits> withoutNvdimm(Map<StorageType, TierLimits> limits) {
    Map<StorageType, TierLimits> usable = new EnumMap<>(StorageType.class);
    usable.putAll(limits);
    if (usable.remove(StorageType.NVDIMM) != null) {
      LOG.warn(
          "{} is not {}: no storage policy of HDFS has one copy on NVDIMM, so NVDIMM is left alone",
          DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
          OUR_POLICY);
    }
    return usable;
  }
}
