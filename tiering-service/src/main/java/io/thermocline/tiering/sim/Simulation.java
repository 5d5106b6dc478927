// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * Runs a policy on a trace. The same trace, tiers and policy give the same result, its times of decisions
 * aside.
 */
public final class Simulation {
  private final Trace trace;
  private final List<SimTier> tiers;
  private final Settings settings;
  private final LongSupplier nanos;
  private final ServiceModel service;

  /**
   * How it runs.
   *
   * @param home index of the tier where files begin
   * @param mode how soon a decision takes effect
   * @param decideEveryMicros live mode: time between decisions
   * @param moveShare live mode: the share of the tiers' bandwidth that moves take, above 0, to 1
   */
  public record Settings(int home, MoveMode mode, long decideEveryMicros, double moveShare) {
    /** Decisions every 30 s, moves at the whole bandwidth. */
    public static final long EVERY_30_SECONDS = 30_000_000;

    public Settings {
      if (decideEveryMicros < 1 || !(moveShare > 0 && moveShare <= 1)) {
        throw new IllegalArgumentException(
            "%d us between decisions (from 1), %f of the bandwidth for moves (above 0, to 1)"
                .formatted(decideEveryMicros, moveShare));
      }
    }

    /** Files begin on the slowest tier; decisions every 30 s; moves at the whole bandwidth. */
    public static Settings of(MoveMode mode) {
      return new Settings(0, mode, EVERY_30_SECONDS, 1);
    }
  }

  /**
   * @param tiers slowest first
   * @param nanos monotonic clock of the machine, for the time that decisions take
   */
  public Simulation(Trace trace, List<SimTier> tiers, Settings settings, LongSupplier nanos) {
    this(trace, tiers, settings, nanos, null);
  }

  /**
   * @param tiers slowest first
   * @param nanos monotonic clock of the machine, for the time that decisions take
   * @param service for latencies, unused before; null where they aren't asked for
   */
  public Simulation(
      Trace trace,
      List<SimTier> tiers,
      Settings settings,
      LongSupplier nanos,
      ServiceModel service) {
    if (settings.home() < 0 || settings.home() >= tiers.size()) {
      throw new IllegalArgumentException(
          "home tier %d of %d".formatted(settings.home(), tiers.size()));
    }
    this.trace = trace;
    this.tiers = List.copyOf(tiers);
    this.settings = settings;
    this.nanos = nanos;
    this.service = service;
  }

  /** Runs a policy that hasn't run before. */
  public RunResult run(TieringPolicy policy) {
    FileTable files = new FileTable(trace, tiers, settings.home());
    Tally tally = new Tally(tiers, settings.home());
    Mover mover =
        settings.mode() == MoveMode.IMMEDIATE
            ? new ImmediateMover(files, tally, policy)
            : new LiveMover(files, tally, policy, settings.decideEveryMicros(), lane(files, tally));
    for (FileAccess access : trace.accesses()) {
      mover.advance(access.atMicros(), nanos);
      files.at(access.atMicros());
      double[] shares = files.served(access.file());
      if (access.write()) {
        tally.written(access, files.tierOf(access.file()));
      } else {
        tally.read(access, shares);
      }
      if (service != null) {
        tally.served(service.serve(access, shares));
      }
      policy.onAccess(access, files);
      mover.accessed(access, nanos);
    }
    mover.end(nanos);
    return tally.result(policy.planned());
  }

  private MoveLane lane(FileTable files, Tally tally) {
    return new MoveLane(
        files, tally, settings.moveShare(), service == null ? transfer -> {} : service::moves);
  }
}
