// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.hints.Operation;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.NamespaceView;
import io.thermocline.tiering.config.HintOperations;
import io.thermocline.tiering.decide.HintedDirectories;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.observe.FileView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out with each plan by which hints on directories NameNodes are to place new files. One thread looks; any may ask. */
final class HintedPlacement {

  private static final Logger LOG = LoggerFactory.getLogger(HintedPlacement.class);

  private final HintOperations.Redirect settings;
  private final NamespaceView reader;
  private final RulesInForce rules;
  private final Map<StorageType, TierLimits> limits;

  /** Null before the first plan. */
  private volatile HintedDirectories found;

  HintedPlacement(
      HintOperations.Redirect settings,
      NamespaceView reader,
      RulesInForce rules,
      Map<StorageType, TierLimits> limits) {
    this.settings = settings;
    this.reader = reader;
    this.rules = rules;
    this.limits = limits;
  }

  /** As of the last plan; empty before the first. */
  Optional<HintedDirectories> found() {
    return Optional.ofNullable(found);
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
    for (GivenHint hint : HintedDirectories.first(given)) {
      see(hint.path(), policyNames).ifPresent(there -> seen.put(hint.path(), there));
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
                rules.ruleSet()::against,
                situation.caps(),
                situation.cluster(),
                limits,
                directories));
    if (!now.equals(found)) {
      now.hints().stream().map(HintedDirectories.One::words).forEach(LOG::info);
    }
    found = now;
  }

  private Optional<HintedDirectories.Seen> see(String path, Map<Integer, String> policyNames)
      throws IOException {
    try {
      return reader
          .place(path)
          .map(
              place ->
                  new HintedDirectories.Seen(
                      policyNames.getOrDefault(place.policy(), ""),
                      place.isDirectory(),
                      place.isCoded(),
                      ""));
    } catch (RemoteException
        | AccessControlException
        | FileNotFoundException
        | UnresolvedPathException e) {
      // What HDFS has against one path is nothing against the plan.
      return Optional.of(
          new HintedDirectories.Seen("", false, false, e.getClass().getSimpleName()));
    }
  }
}
