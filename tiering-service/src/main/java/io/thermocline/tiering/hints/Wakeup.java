// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import io.thermocline.hints.Temperature;
import java.util.Optional;

/**
 * A question to the owner of a hint (the hints wake-up of HintStor, thesis chapter 2.3.2). Renewing the hint answers
 * it, and so does taking it back. Immutable.
 *
 * @param answerByMillis when silence ends the hint, milliseconds since 1970
 */
public record Wakeup(GivenHint hint, Reason reason, long reads, long answerByMillis) {

  /** What made the store ask. */
  public enum Reason {
    /** It was said to be hot, and nobody has read it. */
    UNUSED,
    /** It was said to be cold, and is read. */
    TURNED_HOT,
    /** The lease ends soon. */
    LEASE_ENDS
  }

  /** What its owner should be asked now, if anything. Pure. */
  static Optional<Wakeup> of(GivenHint given, long reads, HintSettings settings, long nowMillis) {
    if (given.isOwn()) {
      return Optional.empty();
    }
    long expiry = given.hint().leaseExpiryMillis();
    Temperature temperature = given.temperature();
    long unusedAfter =
        Math.max(1, Math.min(settings.unusedAfter().toMillis(), given.leaseMillis() / 2));
    // Each time that as much went by unread. Renewing answers what was asked before it, and nothing
    // after.
    long answered = Math.max(0, given.givenMillis() - given.sinceMillis()) / unusedAfter;
    long askedUnused = given.sinceMillis() + (answered + 1) * unusedAfter;
    boolean isUp = temperature == Temperature.HOT || temperature == Temperature.WARM;
    if (isUp && reads == 0 && nowMillis >= askedUnused) {
      long answerBy = Math.min(expiry, askedUnused + settings.answerWithin().toMillis());
      return Optional.of(new Wakeup(given, Reason.UNUSED, reads, answerBy));
    }
    if (temperature == Temperature.COLD && reads > Verdict.COLD_READS) {
      return Optional.of(new Wakeup(given, Reason.TURNED_HOT, reads, expiry));
    }
    long askBefore = Math.min(settings.askBefore().toMillis(), given.leaseMillis() / 4);
    return nowMillis >= expiry - askBefore
        ? Optional.of(new Wakeup(given, Reason.LEASE_ENDS, reads, expiry))
        : Optional.empty();
  }
}
