// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One path and method: what it takes, what it answers, what can go wrong. The server checks
 * requests against it and the OpenAPI document is made of it, so that neither says anything else
 * than the other.
 *
 * @param path below {@link ApiServer#ROOT}, parameters in braces
 * @param needs the least role; empty: whoever asks is answered
 * @param body a record, which may be a {@link Change}, or a node of Jackson's; null where a
 *     request has none
 * @param answer type of the answer, or of its items; a record
 * @param errors what can go wrong beside what {@link #allErrors} adds
 */
public record Route(
    Method method,
    String path,
    String summary,
    Optional<Role> needs,
    List<Param> params,
    Class<?> body,
    Shape shape,
    Class<?> answer,
    Set<ErrorCode> errors,
    Handler handler) {

  /** Of HTTP. */
  public enum Method {
    GET,
    POST,
    DELETE
  }

  /** How many the answer is. */
  public enum Shape {
    ONE,
    /** One record for each part of what was sent. */
    LIST,
    PAGE
  }

  public Route {
    params = List.copyOf(params);
    errors = Set.copyOf(errors);
  }

  /** One that asks. */
  public static Builder get(String path, String summary) {
    return new Builder(Method.GET, path, summary, null);
  }

  /** One that changes something, for an operator. */
  public static Builder post(String path, String summary, Class<?> body) {
    return new Builder(Method.POST, path, summary, body);
  }

  /** One that takes something away, for whom it belongs to. */
  public static Builder delete(String path, String summary) {
    return new Builder(Method.DELETE, path, summary, null);
  }

  /** Whether HDFS, the service or a record is changed. */
  boolean isChange() {
    return method != Method.GET;
  }

  /** Whether only the instance that acts can answer it: where one stands by, it sends there. */
  boolean needsActive() {
    return isChange() || errors.contains(ErrorCode.STANDBY);
  }

  /** What can go wrong with this route, all of it. */
  Set<ErrorCode> allErrors() {
    EnumSet<ErrorCode> all =
        EnumSet.of(
            ErrorCode.UNKNOWN_PARAMETER,
            ErrorCode.UNAUTHENTICATED,
            ErrorCode.FORBIDDEN,
            ErrorCode.NOT_ACCEPTABLE,
            ErrorCode.BODY_TOO_LARGE,
            ErrorCode.TOO_MANY_REQUESTS,
            ErrorCode.INTERNAL,
            ErrorCode.BUSY);
    all.addAll(errors);
    if (!params.isEmpty()) {
      all.add(ErrorCode.BAD_PARAMETER);
    }
    if (params.stream().anyMatch(param -> param.need() == Param.Need.REQUIRED)) {
      all.add(ErrorCode.MISSING_PARAMETER);
    }
    if (isChange()) {
      all.addAll(
          EnumSet.of(
              ErrorCode.MALFORMED_JSON,
              ErrorCode.UNKNOWN_FIELD,
              ErrorCode.MISSING_FIELD,
              ErrorCode.BAD_FIELD,
              ErrorCode.UNSUPPORTED_MEDIA_TYPE,
              ErrorCode.REQUEST_ID_REUSED,
              ErrorCode.JOURNAL_UNAVAILABLE,
              ErrorCode.STANDBY));
    }
    return all;
  }

  /** Puts a route together. */
  public static final class Builder {
    private final Method method;
    private final String path;
    private final String summary;
    private final Class<?> body;
    private final List<Param> params = new ArrayList<>();
    private final Set<ErrorCode> errors = EnumSet.noneOf(ErrorCode.class);
    private Optional<Role> needs;

    private Builder(Method method, String path, String summary, Class<?> body) {
      this.method = method;
      this.path = path;
      this.summary = summary;
      this.body = body;
      this.needs = Optional.of(body == null ? Role.VIEWER : Role.OPERATOR);
    }

    public Builder takes(Param param) {
      params.add(param);
      return this;
    }

    public Builder needs(Role role) {
      needs = Optional.of(role);
      return this;
    }

    /** Answers whoever asks, as probes of a load balancer. */
    public Builder open() {
      needs = Optional.empty();
      return this;
    }

    public Builder fails(ErrorCode... codes) {
      errors.addAll(List.of(codes));
      return this;
    }

    /** With one record. */
    public Route answers(Class<?> answer, Handler handler) {
      return route(Shape.ONE, answer, handler);
    }

    /** With as many records as the body has parts. */
    public Route answersList(Class<?> item, Handler handler) {
      return route(Shape.LIST, item, handler);
    }

    /** With a {@link Page} of records. */
    public Route answersPage(Class<?> item, Handler handler) {
      params.addAll(Param.PAGING);
      return route(Shape.PAGE, item, handler);
    }

    private Route route(Shape shape, Class<?> answer, Handler handler) {
      return new Route(method, path, summary, needs, params, body, shape, answer, errors, handler);
    }
  }
}
