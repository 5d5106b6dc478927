// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.attributes;

import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.NodeAttributesException;
import java.time.Instant;
import java.util.Locale;
import java.util.SortedMap;

/** A node-attributes text: the hand-written lines as they are, then one line for each polled host. */
public final class PolledText {

  private PolledText() {}

  /**
   * What a hand-written line gives to a host by its full name isn't given again; a polled line goes
   * before a pattern.
   *
   * @throws NodeAttributesException if a NameNode would reject it, as for a host name that is none
   */
  public static String of(
      HandWritten byHand, SortedMap<String, HostReading> hosts, Instant polledAt)
      throws NodeAttributesException {
    StringBuilder text = new StringBuilder(byHand.text());
    if (!byHand.text().isEmpty() && !byHand.text().endsWith("\n")) {
      text.append('\n');
    }
    text.append("# Polled at ").append(polledAt).append(" by 'thermocline attributes'.\n");
    hosts.forEach((host, reading) -> text.append(line(byHand, host, reading)));
    NodeAttributes.parse(text.toString());
    return text.toString();
  }

  private static String line(HandWritten byHand, String host, HostReading reading) {
    StringBuilder words = new StringBuilder();
    if (!Double.isNaN(reading.freeMemory()) && !byHand.gives(host, "free-memory")) {
      words.append(" free-memory=").append((long) reading.freeMemory()).append('B');
    }
    if (!Double.isNaN(reading.cpu()) && !byHand.gives(host, "cpu")) {
      double percent = 100 * Math.min(1, reading.cpu());
      words.append(String.format(Locale.ROOT, " cpu=%.2f%%", percent));
    }
    if (!Double.isNaN(reading.writeMillis()) && !byHand.gives(host, "latency")) {
      words.append(String.format(Locale.ROOT, " latency=%.3fms", reading.writeMillis()));
    }
    return words.isEmpty() ? "" : host + words + "\n";
  }
}
