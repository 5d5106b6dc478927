// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HotnessTable;
import io.thermocline.tiering.observe.AuditEvent;
import io.thermocline.tiering.observe.AuditInterpreter;
import io.thermocline.tiering.observe.AuditLineParser;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;

/** The tiering service's own way of a line, with the sizes of conf/thermocline.yaml. */
final class HeatCounter implements LineCounter {

  private final AuditInterpreter interpreter =
      new AuditInterpreter(Set.of("thermocline"), "thermocline");
  private final Heat heat;

  HeatCounter(Clock clock) {
    heat = new Heat(new HotnessTable(1 << 20), "nameservice1", Duration.ofHours(6), clock);
  }

  @Override
  public void accept(String line) {
    AuditEvent event = AuditLineParser.parse(line);
    if (event != null) {
      interpreter.interpret(event).ifPresent(heat::accept);
    }
  }

  @Override
  public long reads() {
    return heat.reads();
  }
}
