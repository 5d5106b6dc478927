// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import io.thermocline.hints.wire.OneLine;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.spi.LoggingEvent;
import org.apache.log4j.spi.ThrowableInformation;

/**
 * {@link PatternLayout} with each message on one line: what comes from outside can't begin a line that looks like one of the
 * service's. A stack trace follows on lines of its own, but for its first, which has the error's message, all indented.
 * reload4j makes it, from the class path of Hadoop.
 */
public final class LineLayout extends PatternLayout {

  @Override
  public String format(LoggingEvent event) {
    String line =
        super.format(
            new LoggingEvent(
                event.getFQNOfLoggerClass(),
                event.getLogger(),
                event.getTimeStamp(),
                event.getLevel(),
                OneLine.of(event.getRenderedMessage() + RepeatFilter.suffix(event)),
                event.getThreadName(),
                null,
                event.getNDC(),
                event.getLocationInformation(),
                event.getProperties()));
    ThrowableInformation thrown = event.getThrowableInformation();
    if (thrown == null || !RepeatFilter.hasStack(event)) {
      return line;
    }
    StringBuilder all = new StringBuilder(line);
    for (String each : thrown.getThrowableStrRep()) {
      each.lines().forEach(one -> all.append("    ").append(OneLine.of(one.strip())).append('\n'));
    }
    return all.toString();
  }

  /** It writes the error itself. */
  @Override
  public boolean ignoresThrowable() {
    return false;
  }
}
