// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.thermocline.hints.wire.OneLine;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Lines of a log as JSON objects, one each: {@code time} (UTC), {@code level}, {@code logger}, {@code thread},
 * {@code message}, and {@code error} with the stack where there is one. Has a pattern so that it may take the place of
 * {@link PatternLayout}, and doesn't use it. reload4j makes it, from the class path of Hadoop.
 */
public final class JsonLayout extends PatternLayout {

  private static final JsonFactory JSON = new JsonFactory();

  @Override
  public String format(LoggingEvent event) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("time", Instant.ofEpochMilli(event.getTimeStamp()).toString());
      json.writeStringField("level", event.getLevel().toString());
      json.writeStringField("logger", event.getLoggerName());
      json.writeStringField("thread", event.getThreadName());
      json.writeStringField("message", event.getRenderedMessage() + RepeatFilter.suffix(event));
      String[] error = event.getThrowableStrRep();
      if (error != null && RepeatFilter.hasStack(event)) {
        json.writeStringField("error", String.join("\n", error));
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string can be written to", e);
    }
    return OneLine.of(line.toString()) + '\n';
  }

  /** It writes the error itself. */
  @Override
  public boolean ignoresThrowable() {
    return false;
  }
}
