// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.hints.Operation;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.config.HintOperations;
import io.thermocline.tiering.decide.HintedDirectories;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out with each plan by which hints on directories NameNodes are to place new files. One thread looks; any may ask. */
final class HintedPlacement {

  private static final Logger LOG = LoggerFactory.getLogger(HintedPlacement.class);

  private final HintOperations.Redirect settings;
  private final HdfsReader reader;
  private final RulesInForce rules;
  private final Map<StorageType, TierLimits> limits;
  private volatile HintedDirectories found = HintedDirectories.NONE;

  HintedPlacement(
      HintOperations.Redirect settings,
      HdfsReader reader,
      RulesInForce rules,
      Map<StorageType, TierLimits> limits) {
    this.settings = settings;
    this.reader = reader;
    this.rules = rules;
    this.limits = limits;
  }

  /** As of the last plan. */
  HintedDirectories found() {
    return found;
  }

  /**
   * Looks at HDFS.
   *
   * @param policyNames by id
   * @param chosen files of which somebody chose the policy that they have
   */
  void look(
      HintsInForce hints,
      Situation situation,
      Map<Integer, String> policyNames,
      List<FileView> files,
      Predicate<FileView> chosen)
      throws IOException {
    List<GivenHint> given = hints.onDirectories(Operation.REDIRECT);
    if (given.isEmpty()) {
      found = HintedDirectories.NONE;
      return;
    }
    Map<String, HintedDirectories.Seen> seen = new HashMap<>();
    for (GivenHint hint : given.subList(0, Math.min(given.size(), HintedDirectories.MOST))) {
      Optional<HdfsReader.Place> place = reader.place(hint.path());
      if (place.isPresent()) {
        seen.put(
            hint.path(),
            new HintedDirectories.Seen(
                policyNames.getOrDefault(place.get().policy(), ""),
                place.get().isDirectory(),
                place.get().isCoded()));
      }
    }
    Set<String> directories =
        files.stream()
            .filter(chosen)
            .map(file -> file.path().substring(0, Math.max(1, file.path().lastIndexOf('/'))))
            .collect(Collectors.toSet());
    HintedDirectories now =
        HintedDirectories.of(
            hints,
            new HintedDirectories.Facts(
                settings.policies(),
                path -> Optional.ofNullable(seen.get(path)),
                rules.book()::against,
                situation.caps(),
                situation.cluster(),
                limits,
                directories));
    if (!now.equals(found)) {
      now.hints().stream().map(HintedDirectories.One::words).forEach(LOG::info);
    }
    found = now;
  }
}
