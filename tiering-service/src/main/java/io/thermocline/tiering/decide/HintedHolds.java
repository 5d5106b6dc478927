// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Temperature;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintsInForce;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * What hints keep where it is, or send to the cheapest type at once. They are advice: where a rule, a pin or the file's
 * own past says anything, that counts and the hint doesn't. Pure.
 */
public final class HintedHolds {

  private HintedHolds() {}

  /** The holds of files, with those of hints where nothing else holds them. */
  public static Function<String, Hold> over(Function<String, Hold> holds, HintsInForce hints) {
    return hints.isEmpty() ? holds : path -> of(path, holds.apply(path), hints);
  }

  private static Hold of(String path, Hold ruled, HintsInForce hints) {
    if (!ruled.reason().isEmpty()) {
      return ruled;
    }
    Optional<GivenHint> pin = believed(path, Operation.PIN, hints);
    if (pin.isPresent()) {
      boolean mayRise = pin.get().hint().requirement() != Requirement.NONE;
      return new Hold(mayRise, false, "pinned by " + words(pin.get()));
    }
    return believed(path, Operation.MIGRATE, hints)
        .filter(hint -> hint.temperature() == Temperature.COLD)
        .map(hint -> ruled.between(null, new Hold.Bound(StorageType.ARCHIVE, words(hint))))
        .orElse(ruled);
  }

  private static Optional<GivenHint> believed(
      String path, Operation operation, HintsInForce hints) {
    return hints
        .of(path, operation)
        .filter(hint -> hints.reliability(hint.hint().owner()) >= HotFile.LEAST_BELIEF);
  }

  private static String words(GivenHint hint) {
    return "the hint "
        + hint.id()
        + " of "
        + hint.hint().owner()
        + " until "
        + Instant.ofEpochMilli(hint.hint().leaseExpiryMillis());
  }
}
