// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

/** What can go wrong with a request. The names are part of the interface: they don't change. */
public enum ErrorCode {
  BAD_PARAMETER(400, Retry.NO),
  UNKNOWN_PARAMETER(400, Retry.NO),
  MISSING_PARAMETER(400, Retry.NO),
  MALFORMED_JSON(400, Retry.NO),
  UNKNOWN_FIELD(400, Retry.NO),
  MISSING_FIELD(400, Retry.NO),
  BAD_FIELD(400, Retry.NO),
  UNAUTHENTICATED(401, Retry.NO),
  FORBIDDEN(403, Retry.NO),
  NO_SUCH_RESOURCE(404, Retry.NO),
  NO_SUCH_FILE(404, Retry.NO),
  NO_SUCH_GROUP(404, Retry.NO),
  NO_SUCH_HINT(404, Retry.NO),
  NO_SUCH_PLAN(404, Retry.NO),
  NO_SUCH_REPORT(404, Retry.NO),
  NO_SUCH_TASK(404, Retry.NO),
  NO_SUCH_TIER(404, Retry.NO),
  METHOD_NOT_ALLOWED(405, Retry.NO),
  NOT_ACCEPTABLE(406, Retry.NO),
  TOO_MANY_HINTS(409, Retry.NO),
  OPERATION_OFF(409, Retry.NO),
  PLAN_STALE(409, Retry.NO),
  PLAN_ENDED(409, Retry.NO),
  PLAN_NOT_APPROVED(409, Retry.NO),
  PLAN_ALREADY_APPROVED(409, Retry.NO),
  PLAN_RUNNING(409, Retry.YES),
  SAME_APPROVER(409, Retry.NO),
  NOT_NOW(409, Retry.YES),
  NOTHING_TO_UNDO(409, Retry.NO),
  SHADOW_MODE(409, Retry.NO),
  BAD_CONFIGURATION(409, Retry.NO),
  REQUEST_ID_REUSED(409, Retry.NO),
  BODY_TOO_LARGE(413, Retry.NO),
  UNSUPPORTED_MEDIA_TYPE(415, Retry.NO),
  TOO_MANY_REQUESTS(429, Retry.YES),
  INTERNAL(500, Retry.YES),
  HDFS_UNAVAILABLE(502, Retry.YES),
  BUSY(503, Retry.YES),
  JOURNAL_UNAVAILABLE(503, Retry.YES),
  NOT_READY(503, Retry.YES),
  STANDBY(503, Retry.NO);

  /** Whether the same request may succeed later by itself. */
  public enum Retry {
    YES,
    NO
  }

  private final int status;
  private final Retry retry;

  ErrorCode(int status, Retry retry) {
    this.status = status;
    this.retry = retry;
  }

  /** Of HTTP. */
  public int status() {
    return status;
  }

  public boolean isRetriable() {
    return retry == Retry.YES;
  }
}
