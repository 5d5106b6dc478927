// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.ClusterResource;
import io.thermocline.tiering.api.ConfigReload;
import io.thermocline.tiering.api.ConfigResource;
import io.thermocline.tiering.api.Control;
import io.thermocline.tiering.api.Dashboard;
import io.thermocline.tiering.api.DirectoryHintResource;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.GroupResource;
import io.thermocline.tiering.api.Groups;
import io.thermocline.tiering.api.HealthResource;
import io.thermocline.tiering.api.HeatResource;
import io.thermocline.tiering.api.Heats;
import io.thermocline.tiering.api.HintResource;
import io.thermocline.tiering.api.HintService;
import io.thermocline.tiering.api.History;
import io.thermocline.tiering.api.HistoryResource;
import io.thermocline.tiering.api.KeptReplies;
import io.thermocline.tiering.api.Mount;
import io.thermocline.tiering.api.PlanOrders;
import io.thermocline.tiering.api.PlanResource;
import io.thermocline.tiering.api.RequestCount;
import io.thermocline.tiering.api.Resource;
import io.thermocline.tiering.api.SavingsResource;
import io.thermocline.tiering.api.ShadowResource;
import io.thermocline.tiering.api.State;
import io.thermocline.tiering.api.StateResource;
import io.thermocline.tiering.api.TaskResource;
import io.thermocline.tiering.api.UndoResource;
import io.thermocline.tiering.api.Undoing;
import io.thermocline.tiering.app.plans.PlanQueue;
import io.thermocline.tiering.app.plans.ServiceStatus;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.RulesFile;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.HintedDirectories;
import io.thermocline.tiering.observe.Completeness;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.readorder.NodeDifference;
import io.thermocline.tiering.rules.RuleSet;
import io.thermocline.tiering.shadow.ReportFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service's REST interface, put together. */
final class ServiceApi {

  private static final Logger LOG = LoggerFactory.getLogger(ServiceApi.class);

  private ServiceApi() {}

  /**
   * Whom the resources ask.
   *
   * @param hints null where none are taken
   */
  record Parts(
      Supplier<State> state,
      Supplier<Optional<String>> obstacle,
      Supplier<ExecutionControl> control,
      Heats heats,
      PlanQueue planQueue,
      Supplier<List<PlanResource.MoveState>> moves,
      Supplier<ClusterView> cluster,
      Supplier<Map<String, String>> silent,
      Supplier<NumberLines> lines,
      Supplier<RuleSet> rules,
      Optional<HintService> hints,
      Supplier<Optional<HintedDirectories>> directories,
      Optional<Undoing> undoing,
      PlanOrders orders,
      ConfigReload configuration,
      Groups groups,
      History history,
      ReportFiles reports,
      SavingsResource savings,
      KeptReplies replies,
      RequestCount requests) {}

  /** All that a service has. */
  static List<Resource> resources(Parts parts, ThreadFactory threads) {
    List<Resource> resources = new ArrayList<>();
    resources.add(new HintResource(parts.hints().orElse(null)));
    parts
        .undoing()
        .map(each -> new UndoResource(each, parts.planQueue().tasks(), threads))
        .ifPresent(resources::add);
    Collections.addAll(
        resources,
        new DirectoryHintResource(parts.directories()),
        new GroupResource(parts.groups()),
        new HealthResource(parts.obstacle()),
        new StateResource(parts.state(), parts.control()),
        new HeatResource(parts.heats()),
        new PlanResource(
            parts.planQueue().store(), parts.planQueue(), parts.moves(), parts.orders()),
        new TaskResource(parts.planQueue().tasks()),
        new ClusterResource(parts.cluster(), () -> parts.lines().get().buckets(), parts.silent()),
        new ConfigResource(parts.configuration(), parts.rules(), ServiceApi::parsed, parts.heats()),
        new HistoryResource(parts.history()),
        new ShadowResource(parts.reports()),
        parts.savings());
    return resources;
  }

  private static RuleSet parsed(String text) throws ApiException {
    try {
      return RulesFile.parse("text", text);
    } catch (ConfigException e) {
      throw new ApiException(
          ErrorCode.BAD_FIELD, e.getMessage(), "text", "docs/guides/rules.md says what rules are");
    }
  }

  /**
   * Listens from here on.
   *
   * @param more beside the resources
   * @throws IOException where it can't
   */
  static ApiServer start(
      ServiceConfig.Api api,
      ApiSecurity security,
      Parts parts,
      List<Mount> more,
      Activity activity,
      ThreadFactory threads)
      throws IOException {
    ApiServer server =
        ApiServer.start(
            new ApiServer.Listen(
                api.host(), api.port(), security.tls(), api.security().rates().connections()),
            carried(security, parts, more, activity, threads),
            threads);
    LOG.info(
        "REST at {}{}, pages at {}{}/{}",
        server.address(),
        ApiServer.ROOT,
        server.address(),
        Dashboard.ROOT,
        api.security().isOn() ? "" : ", for this host alone: there is no authentication");
    return server;
  }

  /** What a server carries. */
  static ApiServer.Parts carried(
      ApiSecurity security,
      Parts parts,
      List<Mount> more,
      Activity activity,
      ThreadFactory threads) {
    List<Mount> mounts = new ArrayList<>(security.mounts());
    mounts.addAll(more);
    mounts.addAll(Dashboard.mounts());
    return new ApiServer.Parts(
        resources(parts, threads),
        mounts,
        security.authenticator(),
        activity,
        parts.replies(),
        parts.requests());
  }

  /**
   * All at a glance.
   *
   * @param sinceLast since the last access that was read
   */
  static State state(
      ServiceConfig.Act act,
      ServiceStatus status,
      Shares shares,
      Duration sinceLast,
      ExecutionControl control,
      Activity.Standing standing) {
    ServiceStatus.Moves moves = status.moves();
    LineCounts.Opens opens = status.lines().opens();
    return new State(
        act.mode().name(),
        act.apply(),
        status.message(),
        standing.acts(),
        standing.active(),
        Control.of(control),
        Optional.of(status.slowed()).filter(words -> !words.isEmpty()),
        act.review().approval().people(),
        new State.Observed(
            status.lines().lines(),
            status.lines().malformed(),
            status.reads(),
            opens.all(),
            opens.shared(),
            opens.scanned(),
            opens.maintenance(),
            opens.ownUsers(),
            opens.seconds(),
            opens.refused(),
            opens.redirected(),
            opens.elsewhere(),
            shares.managed(),
            shares.ofEach(),
            status.reads() == 0 ? Optional.empty() : Optional.of(sinceLast.toMillis() / 1000.0),
            status.measured().stream()
                .map(
                    each ->
                        new State.Measured(
                            each.reader().name(),
                            each.measuredSeconds(),
                            Double.isNaN(each.ratio())
                                ? Optional.empty()
                                : Optional.of(each.ratio())))
                .toList()),
        new State.Managed(status.plans(), status.files(), status.leftAlone()),
        new State.Moves(
            moves.planned(),
            moves.running(),
            moves.verified(),
            moves.failed(),
            moves.dropped(),
            moves.bytes()),
        tiers(status),
        status.unknown(),
        Optional.of(status.rules()).filter(words -> !words.isEmpty()),
        Optional.of(status.readOrder()).filter(words -> !words.isEmpty()),
        status
            .served()
            .map(
                known ->
                    new State.Served(
                        known.share(),
                        known.typeShare(),
                        NodeDifference.BOUND,
                        known.dataNodes(),
                        known.since().toString(),
                        known.until().toString(),
                        known.finding())));
  }

  /**
   * How much of what happened was read.
   *
   * @param managed of the nameservice that is managed; empty where unknown
   * @param ofEach by nameservice, where known
   */
  record Shares(Optional<Double> managed, Map<String, Double> ofEach) {

    static Shares of(Completeness managed, Map<String, Completeness> ofEach) {
      Map<String, Double> shares = new TreeMap<>();
      ofEach.forEach(
          (nameservice, known) -> {
            if (known.isKnown()) {
              shares.put(nameservice, known.share());
            }
          });
      return new Shares(
          managed.isKnown() ? Optional.of(managed.share()) : Optional.empty(), shares);
    }
  }

  private static List<State.Tier> tiers(ServiceStatus status) {
    return status.occupancy().entrySet().stream()
        .sorted(Map.Entry.<StorageType, ClusterView.Occupancy>comparingByKey().reversed())
        .map(
            each ->
                new State.Tier(
                    each.getKey(),
                    each.getValue().used(),
                    each.getValue().capacity(),
                    each.getValue().fraction(),
                    Optional.ofNullable(status.limits().get(each.getKey()))
                        .map(limits -> limits.lowerWatermark()),
                    Optional.ofNullable(status.limits().get(each.getKey()))
                        .map(limits -> limits.upperWatermark())))
        .toList();
  }
}
