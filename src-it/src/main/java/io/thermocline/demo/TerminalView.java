// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.demo.report.Sample;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.process.ServiceRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Display;

/** A few lines at the bottom of a terminal, redrawn in place. Thread-safe. */
final class TerminalView implements View {

  private static final int BAR = 30;
  private static final long NANOS_BETWEEN_DRAWS = 200_000_000L;

  private final Terminal terminal;
  private final Display display;
  private final ServiceRuntime runtime = ServiceRuntime.system();
  private final Gauge gauge = new Gauge(runtime);
  private final Rates rates = new Rates();

  /** The first phase says what is replayed, and stays. */
  private String heading = "";

  private String phase = "";
  private String plan = "";
  private Sample latest;
  private long drawnAt;

  TerminalView(Terminal terminal) {
    this.terminal = terminal;
    this.display = new Display(terminal, false);
  }

  @Override
  public synchronized void phase(String what) {
    if (heading.isEmpty()) {
      heading = what;
    } else {
      phase = what;
    }
    draw();
  }

  @Override
  public synchronized void progress(String what, long done, long total) {
    gauge.at(what, done, total);
    if (runtime.nanos().getAsLong() - drawnAt > NANOS_BETWEEN_DRAWS || done == total) {
      draw();
    }
  }

  @Override
  public synchronized void sample(Sample sample, String lastPlan) {
    rates.at(sample);
    latest = sample;
    plan = lastPlan;
    draw();
  }

  private void draw() {
    drawnAt = runtime.nanos().getAsLong();
    Size size = size();
    int columns = size.getColumns();
    display.resize(size.getRows(), columns);
    List<AttributedString> lines = new ArrayList<>();
    lines.add(new AttributedString(heading));
    lines.add(new AttributedString(phase, AttributedStyle.BOLD));
    if (!gauge.isIdle()) {
      lines.add(bar(gauge.fraction(), 0, 0, "  " + gauge));
    }
    if (latest != null) {
      addSample(lines);
    }
    lines.replaceAll(line -> line.columnSubSequence(0, columns - 1));
    // The cursor waits below, where what else is printed belongs.
    lines.add(AttributedString.EMPTY);
    display.update(lines, size.cursorPos(lines.size() - 1, 0));
  }

  /** Some terminals don't say how large they are. */
  private Size size() {
    Size size = terminal.getSize();
    return size.getRows() > 0 && size.getColumns() > 0 ? size : new Size(80, 24);
  }

  private void addSample(List<AttributedString> lines) {
    lines.add(
        plain("audit events  %,d, %,.0f/s", latest.auditEvents(), rates.auditEventsPerSecond()));
    List<StorageType> fastestFirst = new ArrayList<>(latest.tiers().keySet());
    java.util.Collections.reverse(fastestFirst);
    for (StorageType type : fastestFirst) {
      Sample.Tier tier = latest.tiers().get(type);
      String numbers =
          String.format(
              Locale.ROOT,
              " %-8s %3.0f %% full, watermarks %.0f/%.0f %%, serves %3.0f %% of reads",
              type,
              100 * tier.occupancy(),
              100 * tier.lowerWatermark(),
              100 * tier.upperWatermark(),
              100 * rates.readShare(type));
      lines.add(bar(tier.occupancy(), tier.lowerWatermark(), tier.upperWatermark(), numbers));
    }
    lines.add(
        plain(
            "moves  %,d planned  %,d running  %,d verified  %,d failed",
            latest.movesPlanned(),
            latest.movesRunning(),
            latest.movesVerified(),
            latest.movesFailed()));
    lines.add(plain("last plan  %s", plan));
  }

  /** A bar with marks at the two watermarks, where there are any. */
  private static AttributedString bar(double fraction, double lower, double upper, String text) {
    AttributedStringBuilder line = new AttributedStringBuilder();
    int filled = (int) Math.round(Math.min(1, fraction) * BAR);
    for (int i = 0; i < BAR; i++) {
      boolean mark =
          i == (int) Math.round(lower * BAR) - 1 || i == (int) Math.round(upper * BAR) - 1;
      line.styled(
          i < filled
              ? AttributedStyle.DEFAULT.foreground(AttributedStyle.CYAN)
              : AttributedStyle.DEFAULT.faint(),
          mark ? "|" : i < filled ? "█" : "░");
    }
    return line.append(text).toAttributedString();
  }

  private static AttributedString plain(String format, Object... values) {
    return new AttributedString(String.format(Locale.ROOT, format, values));
  }

  @Override
  public synchronized void conclude(String text) {
    draw();
    terminal.writer().println();
    terminal.writer().println(text);
    terminal.flush();
  }

  /** Leaves the terminal open: JLine would close the process's standard output with it. */
  @Override
  public synchronized void close() {
    draw();
    terminal.flush();
  }
}
