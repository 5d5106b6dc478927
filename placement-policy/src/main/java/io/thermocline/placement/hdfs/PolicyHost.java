// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.SystemRuntime;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** What a policy takes from the machine it runs on, and where it reports. */
final class PolicyHost {
  private final LongSupplier nanoTime;
  private final LongSupplier wallMillis;
  private final LongSupplier nonces;
  private final Pause pause;
  private final Stage.Reached faults;
  private final RareLog log;
  private final PlacementCounters counters = new PlacementCounters();

  /**
   * One in 1970, when no lease is over.
   *
   * @param nanoTime monotonic, in nanoseconds
   * @param nonces a fresh key for each replica, from any thread; need not be well mixed
   */
  PolicyHost(LongSupplier nanoTime, LongSupplier nonces, Pause pause) {
    this(nanoTime, () -> 0, nonces, pause, stage -> {});
  }

  /**
   * @param wallMillis milliseconds since 1970, in which leases are told
   * @param faults told of each stage that is reached, and may throw
   */
  PolicyHost(
      LongSupplier nanoTime,
      LongSupplier wallMillis,
      LongSupplier nonces,
      Pause pause,
      Stage.Reached faults) {
    this.nanoTime = nanoTime;
    this.wallMillis = wallMillis;
    this.faults = faults;
    this.nonces = nonces;
    this.pause = pause;
    this.log = new RareLog(nanoTime);
  }

  /** This machine's. */
  @SystemRuntime
  static PolicyHost system() {
    return new PolicyHost(
        System::nanoTime,
        System::currentTimeMillis,
        () -> ThreadLocalRandom.current().nextLong(),
        Thread::sleep,
        stage -> {});
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** Milliseconds since 1970. */
  long wallMillis() {
    return wallMillis.getAsLong();
  }

  long nonce() {
    return nonces.getAsLong();
  }

  Stage.Reached faults() {
    return faults;
  }

  Pause pause() {
    return pause;
  }

  RareLog log() {
    return log;
  }

  PlacementCounters counters() {
    return counters;
  }
}
