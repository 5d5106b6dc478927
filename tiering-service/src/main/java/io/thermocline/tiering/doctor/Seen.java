// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import java.util.Optional;

/**
 * What was found, or why nobody could look. Immutable where the value is.
 *
 * @param value empty where nobody could look
 * @param why empty where it was found
 */
public record Seen<T>(Optional<T> value, String why) {

  /** It was found. */
  public static <T> Seen<T> of(T value) {
    return new Seen<>(Optional.of(value), "");
  }

  /** Nobody could look. */
  public static <T> Seen<T> not(String why) {
    return new Seen<>(Optional.empty(), why);
  }
}
