// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.log4j.Level;
import org.apache.log4j.spi.Filter;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Bounds the lines of a log, whatever a caller or a NameNode that is away makes the service say. Lines of one logger and
 * level that differ only in numbers repeat each other; so do warnings and errors that differ in paths. Hadoop's clients
 * repeat a line at each attempt, with the call at its end: of lines that begin alike one a minute passes. Of the service's
 * own {@value #MAX_REPEATS} a minute pass, {@value #MAX_WARNINGS} of a warning, and {@value #MAX_LINES} of one logger. The
 * next line that passes says how many didn't ({@link #suffix}). A stack trace is written once while its line repeats; a
 * peer that fails (an IOException) has none.
 * reload4j makes it, from the class path of Hadoop.
 */
public final class RepeatFilter extends Filter {

  /** Of one line within a minute. */
  static final int MAX_REPEATS = 10;

  /** The same of a warning or an error. */
  static final int MAX_WARNINGS = 5;

  /** Of one logger within a minute. */
  static final int MAX_LINES = 60;

  private static final String OWN = "io.thermocline.";
  private static final long WINDOW_MILLIS = TimeUnit.MINUTES.toMillis(1);

  /** Lines that are remembered: the longest silent one is forgotten first. */
  private static final int MAX_KEYS = 1000;

  /** Characters of a line that tell it from others. */
  private static final int MAX_KEY = 100;

  /** The same of a library's. */
  private static final int MAX_KEY_OF_LIBRARY = 40;

  private static final Pattern NUMBERS = Pattern.compile("[0-9]+");
  private static final Pattern PATHS_AND_NUMBERS = Pattern.compile("/\\S+|[0-9]+");

  private static final String DROPPED = "thermocline.dropped";
  private static final String ERROR = "thermocline.error";
  private static final String NO_STACK = "thermocline.no-stack";

  private final Map<String, Window> windows =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Window> eldest) {
          return size() > MAX_KEYS;
        }
      };

  /** What passed since its begin, and what didn't since a line passed. */
  private static final class Window {
    long begin;
    int passed;
    int dropped;

    Window(long now) {
      begin = now;
    }

    boolean isFull(int max, long now) {
      // A clock that was set back begins anew.
      if (now - begin >= WINDOW_MILLIS || now < begin) {
        begin = now;
        passed = 0;
      }
      return passed >= max;
    }
  }

  @Override
  public synchronized int decide(LoggingEvent event) {
    long now = event.getTimeStamp();
    String logger = event.getLoggerName();
    String key = logger + ' ' + event.getLevel() + ' ' + shape(event);
    boolean isNew = !windows.containsKey(key);
    Window line = windows.computeIfAbsent(key, any -> new Window(now));
    Window all = windows.computeIfAbsent(logger, any -> new Window(now));
    if (line.isFull(max(event), now) || all.isFull(MAX_LINES, now)) {
      line.dropped++;
      return DENY;
    }
    line.passed++;
    all.passed++;
    if (line.dropped > 0) {
      event.setProperty(DROPPED, Integer.toString(line.dropped));
      line.dropped = 0;
    }
    if (!isNew) {
      event.setProperty(NO_STACK, "true");
    }
    if (thrown(event) instanceof IOException failure) {
      note(event, failure);
      event.setProperty(NO_STACK, "true");
    }
    return NEUTRAL;
  }

  private static String shape(LoggingEvent event) {
    Pattern variable = isWarning(event) ? PATHS_AND_NUMBERS : NUMBERS;
    String message = variable.matcher(String.valueOf(event.getRenderedMessage())).replaceAll("#");
    int max = isOwn(event) ? MAX_KEY : MAX_KEY_OF_LIBRARY;
    Throwable thrown = thrown(event);
    return message.substring(0, Math.min(message.length(), max))
        + (thrown == null ? "" : thrown.getClass());
  }

  private static int max(LoggingEvent event) {
    if (!isOwn(event)) {
      return 1;
    }
    return isWarning(event) ? MAX_WARNINGS : MAX_REPEATS;
  }

  private static boolean isWarning(LoggingEvent event) {
    return event.getLevel().isGreaterOrEqual(Level.WARN);
  }

  private static boolean isOwn(LoggingEvent event) {
    return event.getLoggerName().startsWith(OWN);
  }

  private static Throwable thrown(LoggingEvent event) {
    return event.getThrowableInformation() == null
        ? null
        : event.getThrowableInformation().getThrowable();
  }

  /** Where a peer fails, the stack tells nothing: the first line of the error does. */
  private static void note(LoggingEvent event, IOException failure) {
    event.setProperty(ERROR, failure.toString().lines().findFirst().orElse(""));
  }

  /** What a layout adds to the message: the error that has no stack, and how many like it didn't pass before it. */
  static String suffix(LoggingEvent event) {
    String error = event.getProperty(ERROR);
    String dropped = event.getProperty(DROPPED);
    return (error == null ? "" : ": " + error)
        + (dropped == null ? "" : " (and " + dropped + " more like this)");
  }

  /** Whether a layout writes the event's stack trace. */
  static boolean hasStack(LoggingEvent event) {
    return event.getProperty(NO_STACK) == null;
  }
}
