// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.doctor.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Settings of Hadoop that name the product, and have to go before its jars do. Stateless. */
final class RemainingSettings {

  private static final String CODE = "io.thermocline.";

  private RemainingSettings() {}

  /**
   * One line for each.
   *
   * @param user of the service, which may act for others
   */
  static List<String> of(Facts facts, String user) {
    List<String> lines = new ArrayList<>();
    Stream.concat(facts.nameNodes().stream(), facts.dataNodes().stream())
        .forEach(
            server ->
                server
                    .conf()
                    .value()
                    .ifPresentOrElse(
                        conf -> add(lines, server.name(), conf, user),
                        () -> lines.add(server.name() + ": not known: " + server.conf().why())));
    add(lines, "Hadoop's configuration on this host", facts.host().conf(), user);
    return lines;
  }

  private static void add(List<String> to, String where, Map<String, String> conf, String user) {
    new TreeMap<>(conf)
        .forEach(
            (key, value) -> {
              if (value.startsWith(CODE)
                  || key.startsWith("thermocline.")
                  || key.startsWith("hadoop.proxyuser." + user + ".")) {
                to.add(where + ": " + key + "=" + value);
              }
            });
  }
}
