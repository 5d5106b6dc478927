// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.simulated;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.Promotion;
import io.thermocline.tiering.decide.Stability;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.sim.PolicyFactory;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** The service as it is configured, and with one thing changed at a time. */
public final class ServicePolicies {

  private static final Duration SELDOM = Duration.ofMinutes(5);

  private ServicePolicies() {}

  /**
   * The order in which readers get replicas, by the Hadoop configuration that the service is given.
   *
   * @throws ConfigException where that can't be read
   */
  public static ReadOrder readOrder(ServiceConfig config) throws ConfigException {
    Configuration hadoop =
        HadoopConfiguration.read(config.hdfs().configuration(), "hdfs.configuration");
    return ReadOrder.isOfClients(hadoop::get) ? ReadOrder.FASTEST : ReadOrder.of(hadoop::get);
  }

  /** The service as it is configured. */
  public static PolicyFactory ours(ServiceConfig config) {
    return SimulatedService.policy("", "Thermocline, as configured", config);
  }

  /** Configurations that show what its parts bring. */
  public static List<PolicyFactory> parts(ServiceConfig config) {
    ServiceConfig.Decide at = config.decide();
    return List.of(
        part(config, "thresholds_only", "decide.admission: off", keys -> keys.admission = false),
        part(
            config,
            "learned_only",
            "decide.admission: on, fixed thresholds of 0",
            keys -> {
              keys.admission = true;
              keys.thresholds = ServiceConfig.Thresholds.FIXED;
              keys.tiers = withoutThresholds(at.tiers());
            }),
        part(
            config,
            "no_gate",
            "decide.benefit.factor: 0",
            keys ->
                keys.benefit =
                    new ServiceConfig.Benefit(at.benefit().horizon(), 0, at.benefit().speeds())),
        part(
            config,
            "no_residency",
            "decide.stability: residency 0s, flaps 1000",
            keys ->
                keys.stability =
                    new Stability(
                        Duration.ZERO,
                        1_000,
                        at.stability().window(),
                        at.stability().takenBackFactor())),
        part(
            config,
            "one_copy",
            "decide.promotion: one_copy",
            keys -> keys.promotion = Promotion.ONE_COPY),
        part(config, "every_5m", "decide.every: 5m", keys -> keys.every = Optional.of(SELDOM)));
  }

  private static Map<StorageType, TierLimits> withoutThresholds(
      Map<StorageType, TierLimits> tiers) {
    Map<StorageType, TierLimits> free = new EnumMap<>(StorageType.class);
    tiers.forEach(
        (type, limits) ->
            free.put(type, new TierLimits(limits.lowerWatermark(), limits.upperWatermark(), 0, 0)));
    return free;
  }

  /** Keys of decide that parts change. */
  private static final class Keys {
    private Optional<Duration> every;
    private ServiceConfig.Thresholds thresholds;
    private boolean admission;
    private Map<StorageType, TierLimits> tiers;
    private Promotion promotion;
    private ServiceConfig.Benefit benefit;
    private Stability stability;

    private Keys(ServiceConfig.Decide decide) {
      every = decide.every();
      thresholds = decide.thresholds();
      admission = decide.admission();
      tiers = decide.tiers();
      promotion = decide.promotion();
      benefit = decide.benefit();
      stability = decide.stability();
    }
  }

  @FunctionalInterface
  private interface Change {
    void apply(Keys keys);
  }

  private static PolicyFactory part(
      ServiceConfig config, String name, String title, Change change) {
    ServiceConfig.Decide decide = config.decide();
    Keys keys = new Keys(decide);
    change.apply(keys);
    ServiceConfig.Decide changed =
        new ServiceConfig.Decide(
            keys.every,
            decide.margin(),
            keys.thresholds,
            keys.admission,
            keys.promotion,
            keys.tiers,
            keys.benefit,
            keys.stability,
            decide.caps(),
            decide.flashWritesPerDay(),
            decide.budget(),
            decide.actions(),
            decide.chew(),
            decide.firstPart(),
            decide.fillNewNodes());
    return SimulatedService.policy(
        name,
        title,
        new ServiceConfig(
            config.hdfs(),
            config.observe(),
            config.heat(),
            config.manage(),
            changed,
            config.act(),
            config.journal(),
            config.hints(),
            config.api(),
            config.shared()));
  }
}
