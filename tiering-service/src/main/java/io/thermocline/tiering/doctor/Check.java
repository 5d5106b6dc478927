// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One thing that is looked at. Pure.
 *
 * @param id stable: subject and name
 * @param title what should be
 * @param look none where it is as it should be
 */
public record Check(String id, String title, Function<Facts, List<Finding>> look) {

  /** All, by subject. */
  public static List<Check> all() {
    return Stream.of(
            HostChecks.all(),
            LogChecks.all(),
            StorageChecks.all(),
            MoveChecks.all(),
            PluginChecks.all(),
            ClusterChecks.all())
        .flatMap(List::stream)
        .toList();
  }
}
