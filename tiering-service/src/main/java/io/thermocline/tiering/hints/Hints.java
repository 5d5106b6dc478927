// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;

/** Copies of hints that differ in one thing, and what one asks for. */
public final class Hints {

  private Hints() {}

  /** Whether a hint asks for something that a client's file system hasn't done by itself. */
  public static boolean isOperation(Hint hint) {
    return switch (hint.operation()) {
      case MIGRATE, REPLICATE, PREFETCH -> true;
      case REDIRECT -> hint.scope() != Scope.FILE || hint.source() != Source.FILE_SYSTEM;
      case ADVISE, PIN -> false;
    };
  }

  /** How hot a hint says that data will be, also where it only says it by what it asks for. */
  public static Temperature temperature(Hint hint) {
    if (hint.temperature() != Temperature.UNKNOWN) {
      return hint.temperature();
    }
    if (hint.operation() == Operation.PREFETCH || hint.operation() == Operation.REPLICATE) {
      return Temperature.HOT;
    }
    return switch (hint.requirement()) {
      case LOW_LATENCY -> Temperature.HOT;
      case THROUGHPUT -> Temperature.WARM;
      case CHEAP -> Temperature.COLD;
      case NONE -> hint.pattern().temperature();
    };
  }

  /** The same until another time, in milliseconds since 1970. */
  public static Hint until(Hint hint, long expiryMillis) {
    return copy(hint, hint.target(), expiryMillis);
  }

  /** The same of another path; of a stream just the same. */
  public static Hint at(Hint hint, String path) {
    return hint.scope() == Scope.STREAM ? hint : copy(hint, path, hint.leaseExpiryMillis());
  }

  private static Hint copy(Hint hint, String target, long expiryMillis) {
    Hint.Builder copy =
        Hint.on(hint.scope(), hint.operation(), target)
            .pattern(hint.pattern())
            .requirement(hint.requirement())
            .temperature(hint.temperature())
            .owner(hint.owner())
            .source(hint.source())
            .startMillis(hint.startMillis())
            .leaseExpiryMillis(expiryMillis);
    return (hint.scope() == Scope.STREAM ? copy : copy.stream(hint.stream())).build();
  }
}
