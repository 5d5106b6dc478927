// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.PlanWatch;
import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.KeptReplies;
import io.thermocline.tiering.api.Mount;
import io.thermocline.tiering.api.SavingsResource;
import io.thermocline.tiering.api.State;
import io.thermocline.tiering.app.plans.PlanHandler;
import io.thermocline.tiering.app.plans.PlanQueue;
import io.thermocline.tiering.app.plans.ShadowMode;
import io.thermocline.tiering.app.records.JournaledReplies;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.ha.Leadership;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.process.ServiceThreads;
import io.thermocline.tiering.savings.SavingsLedger;
import io.thermocline.tiering.shadow.ReportFiles;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** The REST interface of a service, standing by or acting. Not for several threads, but {@link #address}. */
final class Serving implements Closeable {

  private final ServiceConfig.Api api;
  private final TieringService service;
  private final Parts parts;

  /** Null where there is none. */
  private volatile ApiServer server;

  /**
   * What is served whether the service acts or not.
   *
   * @param leadership null where no other service may act
   */
  record Parts(
      ApiSecurity security,
      PlanRounds rounds,
      ServiceMetrics metrics,
      Leadership leadership,
      ServiceThreads threads,
      ServiceRuntime runtime) {}

  Serving(ServiceConfig.Api api, TieringService service, Parts parts) {
    this.api = api;
    this.service = service;
    this.parts = parts;
  }

  /** Where it is reached; empty where there is none. */
  Optional<URI> address() {
    return Optional.ofNullable(server).map(ApiServer::address);
  }

  /**
   * Begins, and anew when the service begins to act: standing by it has no plans to be asked for.
   *
   * @param config in force
   * @param acting null while another service acts
   */
  void begin(ServiceConfig config, Acting acting) throws IOException {
    if (api.host() == null) {
      return;
    }
    ThreadFactory threads = parts.threads().named("thermocline-api");
    List<Mount> more = List.of(MetricsPage.of(parts.metrics().metrics()));
    ServiceApi.Parts resources = resources(config, acting);
    if (server == null) {
      server = ServiceApi.start(api, parts.security(), resources, more, this::standing, threads);
    } else {
      server.carry(ServiceApi.carried(parts.security(), resources, more, this::standing, threads));
    }
  }

  private ServiceApi.Parts resources(ServiceConfig config, Acting acting) {
    PlanRounds rounds = parts.rounds();
    PlanHandler handler =
        acting == null
            ? new ShadowMode(service.control(), plan -> {}, decision -> {})
            : acting.handler();
    return new ServiceApi.Parts(
        () -> state(config.act()),
        () ->
            Optional.of(service.outage())
                .filter(why -> !why.isEmpty())
                .or(service.observing()::objection)
                .or(() -> Optional.of(rounds.failing()).filter(why -> !why.isEmpty()))
                .or(
                    () ->
                        Optional.of(
                                rounds.last() == null
                                    ? "no plan yet: " + rounds.message()
                                    : stalled())
                            .filter(why -> !why.isEmpty())),
        service::control,
        new OutcomeHeats(service, rounds),
        acting == null
            ? PlanQueue.empty(config.act(), handler, parts.runtime().clock())
            : acting.planQueue(),
        handler::recentMoves,
        () -> rounds.last() == null ? new ClusterView(Map.of(), 0) : rounds.last().cluster(),
        () -> acting == null ? Map.of() : acting.silent(),
        () -> acting == null ? NumberLines.empty() : acting.round().lines(),
        service.rules()::ruleSet,
        // They are written in the caller's name.
        api.security().isOn() ? service.hintService() : Optional.empty(),
        () -> acting == null ? Optional.empty() : acting.hintedDirectories(),
        Optional.of(new UndoByOrder(service)),
        new ServicePlanOrders(service, config.act()),
        service.configuration(),
        new JournaledGroups(service, () -> acting == null ? null : acting.journal()),
        rounds.history(),
        new ReportFiles(config.shadow()),
        new SavingsResource(
            SavingsLedger.files(config.savings()), config.decide().flashWritesPerDay()),
        acting == null
            ? KeptReplies.NONE
            : new JournaledReplies(() -> service.journal(acting), parts.runtime().clock()),
        parts.metrics()::answered);
  }

  /** A round lasts as long as its plan, which has a watch of its own. */
  private String stalled() {
    PlanWatch watch = service.control().watch();
    return watch.isWatching() ? watch.stalled() : parts.rounds().stalled();
  }

  private Activity.Standing standing() {
    return service.isActive() || parts.leadership() == null
        ? new Activity.Standing(service.isActive(), Optional.empty())
        : new Activity.Standing(false, parts.leadership().leaderAddress());
  }

  private State state(ServiceConfig.Act act) {
    Observing observing = service.observing();
    return ServiceApi.state(
        act,
        service.status(),
        ServiceApi.Shares.of(observing.completeness(), observing.completenessOfEach()),
        Duration.ofMillis(parts.runtime().clock().millis() - observing.heardMillis()),
        service.control(),
        standing());
  }

  @Override
  public void close() {
    ApiServer serving = server;
    if (serving != null) {
      serving.close();
    }
  }
}
