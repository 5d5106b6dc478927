// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import io.thermocline.placement.model.SystemRuntime;
import io.thermocline.tiering.act.FaultPoint;
import io.thermocline.tiering.act.Pause;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Time as the service uses it.
 *
 * @param clock wall time, for what people and the log read, and for cooling
 * @param nanos monotonic, for deadlines; not related to the clock
 * @param pause waiting
 * @param faults where a test may end the process
 */
public record ServiceRuntime(Clock clock, LongSupplier nanos, Pause pause, FaultPoint faults) {

  /** Without faults. */
  public ServiceRuntime(Clock clock, LongSupplier nanos, Pause pause) {
    this(clock, nanos, pause, FaultPoint.NONE);
  }

  /** The machine's own. */
  @SystemRuntime
  public static ServiceRuntime system() {
    return new ServiceRuntime(
        Clock.systemUTC(), System::nanoTime, duration -> Thread.sleep(duration.toMillis()));
  }
}
