// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.demo.report.Sample;
import java.io.IOException;
import java.io.PrintWriter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** What a person sees of a run while it goes on. Thread-safe. */
interface View extends AutoCloseable {

  /** Something new begins. */
  void phase(String what);

  /**
   * How far it is.
   *
   * @param what the unit: "files written"
   */
  void progress(String what, long done, long total);

  /** The state of cluster and service, once a second. */
  void sample(Sample sample, String lastPlan);

  /** The last words of a run, below what was drawn. */
  void conclude(String text);

  @Override
  void close();

  /** Redrawn in place where the output is a terminal, else plain lines. */
  static View open(PrintWriter out) throws IOException {
    if (System.console() != null && System.getenv("TERM") != null) {
      // Signals are Interruption's: JLine would take Ctrl-C back from it.
      Terminal terminal =
          TerminalBuilder.builder().system(true).dumb(true).nativeSignals(false).build();
      if (!Terminal.TYPE_DUMB.equals(terminal.getType())
          && !Terminal.TYPE_DUMB_COLOR.equals(terminal.getType())) {
        return new TerminalView(terminal);
      }
      terminal.close();
    }
    return new PlainView(out);
  }
}
