// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

/**
 * Why a request to the service, or one hint of it, was not taken. The names are the codes in
 * answers: they stay, and new ones may come. A client needs not know all of them: {@link #of}
 * tells by the status.
 */
public enum HintError {
  BAD_PARAMETER(400, false),
  MISSING_PARAMETER(400, false),
  /** The service is older than its client. */
  UNKNOWN_PARAMETER(400, false),
  MALFORMED_JSON(400, false),
  /** Of a hint: such as one without a lease. */
  MISSING_FIELD(400, false),
  /** Of a hint: malformed, too long, or an operation that the service doesn't know. */
  BAD_FIELD(400, false),
  UNAUTHENTICATED(401, false),
  /** The caller may not say this about that path, or touch another's hint. */
  FORBIDDEN(403, false),
  NO_SUCH_FILE(404, false),
  /** No hint has that id, or its lease has ended. */
  NO_SUCH_HINT(404, false),
  /** The service is older than its client, or the address is another server's. */
  NO_SUCH_RESOURCE(404, false),
  /** More in one request than it may have, or more in force than the owner may hold. */
  TOO_MANY_HINTS(409, false),
  /** The service is set up so that nothing would come of the operation. */
  OPERATION_OFF(409, false),
  BODY_TOO_LARGE(413, false),
  INTERNAL(500, true),
  HDFS_UNAVAILABLE(502, true),
  BUSY(503, true),
  JOURNAL_UNAVAILABLE(503, true),
  NOT_READY(503, true),
  /** This instance doesn't act now; the other one does. */
  STANDBY(503, true),
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

  /** Whether the same request may succeed later, or at another instance. */
  public boolean isRetriable() {
    return retriable;
  }

  /**
   * The error of a code in an answer.
   *
   * @param code may be null, or one that this version doesn't know
   * @param status of the answer, or 0 for the error of one hint in it
   */
  public static HintError of(String code, int status) {
    for (HintError error : values()) {
      if (error.name().equals(code)) {
        return error;
      }
    }
    switch (status) {
      case 401:
        return UNAUTHENTICATED;
      case 403:
        return FORBIDDEN;
      case 404:
        return NO_SUCH_RESOURCE;
      case 413:
        return BODY_TOO_LARGE;
      case 429:
      case 503:
        return BUSY;
      default:
        return status >= 500 ? INTERNAL : BAD_FIELD;
    }
  }
}
