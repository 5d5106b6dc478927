// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.simulated;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.app.cycle.ChewStrategy;
import io.thermocline.tiering.app.cycle.PlanningRound;
import io.thermocline.tiering.app.cycle.RulesInForce;
import io.thermocline.tiering.app.cycle.ServiceTiering;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.ManagedFiles;
import io.thermocline.tiering.cluster.Quotas;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.PlanTimes;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.ReadCalibration;
import io.thermocline.tiering.decide.admission.LearnedAdmission;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.Opens;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.KeptAccess;
import io.thermocline.tiering.plan.Impossible;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.shadow.Overlay;
import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Happened;
import io.thermocline.tiering.sim.Moves;
import io.thermocline.tiering.sim.Pace;
import io.thermocline.tiering.sim.PlannedFile;
import io.thermocline.tiering.sim.PolicyFactory;
import io.thermocline.tiering.sim.TierState;
import io.thermocline.tiering.sim.TieringPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * What the service does by its configuration: its own {@link PlanningRound} plans for the files of a trace, when
 * {@link PlanTimes} says and not before the plan before is carried out.
 *
 * <p>Not simulated: caching and more replicas, groups, hints, quotas, times of day and approvals.
 */
public final class SimulatedService implements TieringPolicy {

  private final ServiceConfig config;
  private final VirtualNamespace namespace;
  private final VirtualClock clock;
  private final Happened happened;
  private final Heat heat;

  /** Null where it isn't learned. */
  private final LearnedAdmission admission;

  private final PlanningRound round;
  private final List<JournalEntry> untold = new ArrayList<>();
  private final List<PlannedFile> planned = new ArrayList<>();
  private int heard;
  private long plans;

  private SimulatedService(ServiceConfig config, PolicyFactory.Setting at)
      throws ConfigException, IOException {
    this.config = config;
    this.happened = at.trace().happened();
    this.clock = new VirtualClock(happened.beginMillis());
    this.namespace = new VirtualNamespace(at.trace(), happened, at.cluster(), at.seed());
    this.heat = new Heat(config.heat().settings(), Happened.NAMESERVICE);
    this.admission =
        !config.decide().admission()
            ? null
            : new LearnedAdmission(Happened.NAMESERVICE, LearnedAdmission.MOST_FILES);
    RulesInForce rules = RulesInForce.of(config);
    Configuration hadoop = new Configuration(false);
    // Who has NVDIMM has the plugin, too: without it nothing can lie there.
    hadoop.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, ServiceTiering.OUR_POLICY);
    this.round =
        new PlanningRound(
            config,
            new PlanningRound.Sources(
                namespace,
                directories -> new Quotas.Look(List.of(), Set.of()),
                ManagedFiles.listed(
                    namespace, config.manage().paths(), path -> rules.ruleSet().ignores(path)),
                rules,
                heat,
                new ReadCalibration(config.heat().settings().halfLife()),
                admission,
                null,
                Journal.open(new NoJournal()),
                clock,
                Set::of,
                nodes -> namespace.reads(),
                new Impossible()),
            ServiceTiering.strategy(
                config,
                hadoop,
                (tiering, chew) ->
                    ChewStrategy.following(tiering, chew, heat, Optional.empty(), clock)),
            new Done());
  }

  /**
   * The service as a policy of the simulator.
   *
   * @param name of the policy; empty: the service as it is configured
   */
  static PolicyFactory policy(String name, String title, ServiceConfig config) {
    return new PolicyFactory(
        name,
        title,
        at -> {
          try {
            return new SimulatedService(config, at);
          } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** What earlier plans did is in the namespace; that they did it, is told here. */
  private final class Done implements Overlay {
    @Override
    public ClusterView over(ClusterView cluster) {
      return cluster;
    }

    @Override
    public FileView over(FileView file) {
      return file;
    }

    @Override
    public Optional<String> policy(String path) {
      return Optional.empty();
    }

    @Override
    public void passed(FileView file) {
      // The namespace knows itself what there is.
    }

    @Override
    public void endOfPass() {
      // As above.
    }

    @Override
    public List<JournalEntry> takeMoves() {
      List<JournalEntry> taken = List.copyOf(untold);
      untold.clear();
      return taken;
    }
  }

  @Override
  public Pace pace() {
    PlanTimes times = new PlanTimes(config.interval());
    // Listing and deciding take no time here.
    return new Pace(() -> times.after(Duration.ZERO).toNanos() / 1_000, happened.endMicros());
  }

  @Override
  public List<PlannedFile> planned() {
    return List.copyOf(planned);
  }

  @Override
  public void onAccess(FileAccess access, TierState tiers) {
    // The service reads its log, below.
  }

  @Override
  public void react(FileAccess access, TierState tiers, Moves moves) {
    throw new UnsupportedOperationException("the service plans from time to time");
  }

  @Override
  public void rebalance(TierState tiers, Moves moves) {
    long micros = tiers.nowMicros();
    long now = happened.beginMillis() + micros / 1_000;
    clock.set(now);
    namespace.advance(micros);
    hear(now);
    try {
      carryOut(round.run(++plans).plan(), micros, moves);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void hear(long now) {
    heat.trust(now);
    List<Access> told = happened.accesses();
    while (heard < told.size() && told.get(heard).timeMillis() <= now) {
      Access access = told.get(heard++);
      heat.accept(access);
      readOn(access);
      if (admission != null) {
        admission.accept(access);
      }
    }
    heat.advance(now);
  }

  /** A trace tells a read of a large file once, where clients open it several times. */
  private void readOn(Access access) {
    if (!happened.areOpens() && access.kind() == Access.Kind.READ) {
      KeptAccess again = KeptAccess.of(access).goingOn();
      for (int opens = Opens.byLoneReader(namespace.blocks(access.path())); opens > 1; opens--) {
        heat.accept(again);
      }
    }
  }

  private void carryOut(Plan plan, long micros, Moves moves) {
    String at = clock.instant().toString();
    for (Plan.FileMoves file : plan.files()) {
      long bytes = file.moves().stream().mapToLong(Move::bytes).sum();
      planned.add(
          new PlannedFile(
              micros,
              plan.number(),
              file.path(),
              file.decision().cause().name(),
              file.decision().target().toString(),
              bytes));
      untold.add(
          new JournalEntry.Planned(
              at,
              plan.number(),
              file.path(),
              file.decision().cause().name(),
              file.decision().target().toString(),
              file.moves().size(),
              file.decision().reason()));
      int index = namespace.index(file.path());
      Map<List<StorageType>, List<Move>> ways = new LinkedHashMap<>();
      for (Move move : file.moves()) {
        ways.computeIfAbsent(
                List.of(move.source().type(), move.targetType()), way -> new ArrayList<>())
            .add(move);
      }
      ways.forEach(
          (way, copies) ->
              moves.copy(
                  new Moves.Copy(
                      index,
                      copies.stream().mapToLong(Move::bytes).sum(),
                      namespace.tier(way.get(0)),
                      namespace.tier(way.get(1)),
                      () -> moved(index, copies))));
    }
  }

  private double[] moved(int file, List<Move> copies) {
    String at = clock.instant().toString();
    for (Move move : copies) {
      untold.add(
          new JournalEntry.Moved(
              at,
              move.id(),
              move.path(),
              move.block().id(),
              move.source().node() + " " + move.source().type(),
              move.targetNode() + " " + move.targetType(),
              "VERIFIED",
              "",
              move.bytes()));
    }
    return namespace.moved(file, copies);
  }
}
