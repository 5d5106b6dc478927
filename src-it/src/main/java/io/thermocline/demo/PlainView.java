// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.demo.report.Sample;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/** One line every few seconds, for logs and pipes. Thread-safe. */
final class PlainView implements View {

  private static final long NANOS_BETWEEN_LINES = 5_000_000_000L;

  private final PrintWriter out;
  private final ServiceRuntime runtime = ServiceRuntime.system();
  private final Gauge gauge = new Gauge(runtime);
  private final Rates rates = new Rates();
  private long lastLine;

  PlainView(PrintWriter out) {
    this.out = out;
  }

  @Override
  public synchronized void phase(String what) {
    out.println(what);
    out.flush();
  }

  @Override
  public synchronized void progress(String what, long done, long total) {
    gauge.at(what, done, total);
  }

  @Override
  public synchronized void sample(Sample sample, String lastPlan) {
    rates.at(sample);
    long now = runtime.nanos().getAsLong();
    if (now - lastLine < NANOS_BETWEEN_LINES) {
      return;
    }
    lastLine = now;
    StringBuilder line = new StringBuilder(gauge.toString());
    line.append(
        String.format(Locale.ROOT, " | %,.0f audit events/s |", rates.auditEventsPerSecond()));
    for (Map.Entry<StorageType, Sample.Tier> tier : sample.tiers().entrySet()) {
      line.append(
          String.format(
              Locale.ROOT,
              " %s %.0f/%.0f %% full, %.0f %% of reads |",
              tier.getKey(),
              100 * tier.getValue().occupancy(),
              100 * tier.getValue().upperWatermark(),
              100 * rates.readShare(tier.getKey())));
    }
    line.append(
        String.format(
            Locale.ROOT,
            " moves: %d planned, %d running, %d verified, %d failed",
            sample.movesPlanned(),
            sample.movesRunning(),
            sample.movesVerified(),
            sample.movesFailed()));
    out.println(line);
    out.flush();
  }

  @Override
  public synchronized void conclude(String text) {
    out.println();
    out.println(text);
    out.flush();
  }

  @Override
  public void close() {
    out.flush();
  }
}
