// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

/**
 * Why a request about hints, or one hint of it, was not taken. The names are the codes in answers: they
 * stay, new ones may come, and a reader takes one that it doesn't know for {@link #INTERNAL} or
 * {@link #INVALID_REQUEST} by the answer's status.
 */
public enum HintError {
  /** The request as a whole can't be read: no JSON, a parameter missing or malformed. */
  INVALID_REQUEST(400, false),
  /** A hint is malformed, or says what the service doesn't know, such as an operation of a later one. */
  INVALID_HINT(400, false),
  LEASE_MISSING(400, false),
  /** Longer than the service allows, or not positive. */
  LEASE_OUT_OF_RANGE(400, false),
  NOT_AUTHENTICATED(401, false),
  /** The caller may not say this about that path, or touch another's hint. */
  NOT_PERMITTED(403, false),
  PATH_NOT_FOUND(404, false),
  /** No hint has that id, or its lease has ended. */
  HINT_NOT_FOUND(404, false),
  /** The service has no such resource: it is older than its client. */
  NOT_SUPPORTED(404, false),
  /** More hints in one request than it may have, or more in force than the owner may hold. */
  TOO_MANY_HINTS(409, false),
  REQUEST_TOO_LARGE(413, false),
  /** Too many requests of this owner for now. */
  RATE_LIMITED(429, true),
  INTERNAL(500, false),
  /** This instance is not the one that takes hints now; the other one may be. */
  NOT_ACTIVE(503, true),
  /** Not ready, or HDFS can't be asked. */
  UNAVAILABLE(503, true),
  /** Given by the client itself: no instance answered. */
  SERVICE_DOWN(0, true),
  /** Given by the client itself: what came is no answer of a service that it knows. */
  NOT_UNDERSTOOD(0, false);

  private final int status;
  private final boolean retriable;

  HintError(int status, boolean retriable) {
    this.status = status;
    this.retriable = retriable;
  }

  /** The HTTP status of an answer that is this error as a whole; 0 where no service gives it. */
  public int status() {
    return status;
  }

  /** Whether the same request may succeed later, or elsewhere. */
  public boolean isRetriable() {
    return retriable;
  }

  /**
   * The error of a code in an answer.
   *
   * @param code may be null, or one that this version doesn't know
   * @param status of the answer, or 0 for a hint's own error
   */
  public static HintError of(String code, int status) {
    for (HintError error : values()) {
      if (error.name().equals(code)) {
        return error;
      }
    }
    for (HintError error : values()) {
      if (error.status == status && status != 0 && status != 404) {
        return error;
      }
    }
    return status == 404 ? NOT_SUPPORTED : status >= 500 ? INTERNAL : INVALID_REQUEST;
  }
}
