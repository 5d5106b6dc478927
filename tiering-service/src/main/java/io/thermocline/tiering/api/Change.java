// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

/** What every body of a request has that changes something. */
public interface Change {

  /** Null: true. */
  Boolean dryRun();

  /** Null or blank: none is given. */
  String why();

  /** Null: none. */
  String requestId();

  /** Whether it shall be done, not only said. */
  default boolean isMeant() {
    return Boolean.FALSE.equals(dryRun());
  }

  /**
   * @throws ApiException where it is meant and doesn't say why
   */
  default void check() throws ApiException {
    if (isMeant() && (why() == null || why().isBlank())) {
      throw new ApiException(
          ErrorCode.MISSING_FIELD,
          "the body doesn't say why",
          "why",
          "give a reason: it is recorded with what is done");
    }
  }
}
