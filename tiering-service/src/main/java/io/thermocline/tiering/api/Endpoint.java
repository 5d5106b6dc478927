// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.undertow.io.Receiver;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries one route: who asks, what for, the answer or what was wrong. */
final class Endpoint implements HttpHandler {

  private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);

  private static final String REQUEST_ID = "X-Request-Id";
  private static final int MOST_ID = 200;

  private final Route route;
  private final RequestReader reader;
  private final Guards guards;
  private final Replies replies;

  Endpoint(Route route, Guards guards, Replies replies) {
    this.route = route;
    this.reader = new RequestReader(route);
    this.guards = guards;
    this.replies = replies;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) {
    exchange.putAttachment(RequestCount.ROUTE, route.method() + " " + route.path());
    try {
      Answers.check(exchange);
      Caller caller = caller(exchange);
      if (route.body() == null) {
        answer(exchange, caller, new byte[0]);
      } else {
        receive(exchange, caller);
      }
    } catch (ApiException e) {
      Answers.send(exchange, Reply.of(e));
    } catch (RuntimeException e) {
      Answers.send(exchange, Reply.of(failed(e)));
    }
  }

  private Caller caller(HttpServerExchange exchange) throws ApiException {
    if (route.needs().isEmpty()) {
      return new Caller("", Role.VIEWER);
    }
    return guards.admit(exchange, route.needs().get());
  }

  /** Without a thread that waits: who sends slowly holds none. */
  private void receive(HttpServerExchange exchange, Caller caller) throws ApiException {
    if (exchange.getRequestContentLength() > ApiServer.MOST_BODY) {
      throw tooLarge();
    }
    Receiver receiver = exchange.getRequestReceiver();
    receiver.setMaxBufferSize(ApiServer.MOST_BODY);
    Runnable inTime = guards.deadline(exchange);
    receiver.receiveFullBytes(
        (received, bytes) -> {
          inTime.run();
          received.dispatch(guards.threads(), each -> answer(each, caller, bytes));
        },
        (failed, problem) -> {
          inTime.run();
          if (problem instanceof Receiver.RequestToLargeException) {
            Answers.send(failed, Reply.of(tooLarge()));
          } else {
            failed.endExchange();
          }
        });
  }

  private static ApiException tooLarge() {
    return new ApiException(
        ErrorCode.BODY_TOO_LARGE,
        "the body is larger than " + ApiServer.MOST_BODY + " bytes",
        "body",
        "send less at once");
  }

  private void answer(HttpServerExchange exchange, Caller caller, byte[] body) {
    Reply reply;
    try {
      reply = standby(exchange);
      if (reply == null) {
        reply = reply(exchange, reader.read(exchange, caller, body), body);
      }
    } catch (ApiException e) {
      reply = Reply.of(e);
    } catch (UnrecordedException e) {
      reply = Reply.of(unrecorded(e));
    } catch (IOException e) {
      LOG.warn("{} {}: HDFS can't be asked: {}", route.method(), route.path(), e.toString());
      LOG.debug("{} {}", route.method(), route.path(), e);
      reply =
          Reply.of(
              new ApiException(
                  ErrorCode.HDFS_UNAVAILABLE,
                  String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
                  route.path(),
                  "look at the NameNode, then try again"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reply = Reply.of(ApiServer.busy("the service is stopping"));
    } catch (RuntimeException | StackOverflowError e) {
      reply = Reply.of(failed(e));
    }
    Answers.send(exchange, reply);
  }

  private static ApiException unrecorded(UnrecordedException e) {
    return new ApiException(
        ErrorCode.JOURNAL_UNAVAILABLE,
        e.getMessage(),
        "journal.directory",
        "nothing was changed; make room there, then ask again");
  }

  private ApiException failed(Throwable e) {
    return e.getCause() instanceof UnrecordedException unrecorded
        ? unrecorded(unrecorded)
        : failed(e, route.path());
  }

  /** What nobody thought of. */
  static ApiException failed(Throwable e, String what) {
    LOG.error("{} failed", what, e);
    return new ApiException(
        ErrorCode.INTERNAL, "the service failed: " + e, what, "its log says more; report it");
  }

  /** Whether nothing is changed: hints say so in the query. */
  private static boolean isDry(HttpServerExchange exchange, Change change) {
    Deque<String> asked = exchange.getQueryParameters().get("dryRun");
    return change == null ? asked != null && asked.contains("true") : !change.isMeant();
  }

  private Reply reply(HttpServerExchange exchange, Request request, byte[] body)
      throws ApiException, IOException, InterruptedException {
    if (!route.isChange()) {
      return Reply.of(route.handler().answer(request));
    }
    Change change = request.body(Object.class) instanceof Change meant ? meant : null;
    LOG.info(
        "{} {} by {}{}",
        route.method(),
        exchange.getRequestPath(),
        request.caller().name(),
        isDry(exchange, change) ? " (dry run)" : change == null ? "" : ": " + change.why());
    Optional<String> id =
        Optional.ofNullable(change == null ? null : change.requestId())
            .or(() -> Optional.ofNullable(exchange.getRequestHeaders().getFirst(REQUEST_ID)));
    if (id.isEmpty() || (change != null && !change.isMeant())) {
      return Reply.of(route.handler().answer(request));
    }
    if (id.get().length() > MOST_ID) {
      throw new ApiException(
          ErrorCode.BAD_FIELD,
          "the request id has " + id.get().length() + " characters",
          REQUEST_ID,
          "give one of at most " + MOST_ID);
    }
    String asked =
        request.caller().name()
            + ' '
            + route.method()
            + ' '
            + exchange.getRequestURI()
            + '?'
            + exchange.getQueryString()
            + '\n';
    return replies.once(
        id.get(), digest(asked, body), () -> Reply.of(route.handler().answer(request)));
  }

  /** Null where this instance acts, or one that stands by can answer, too. */
  private Reply standby(HttpServerExchange exchange) throws ApiException {
    if (!route.needsActive()) {
      return null;
    }
    Activity.Standing now = guards.activity().now();
    if (now.acts()) {
      return null;
    }
    String query = exchange.getQueryString().isEmpty() ? "" : "?" + exchange.getQueryString();
    // As it was asked for, which need be no URI by the rules.
    String path =
        exchange.isHostIncludedInRequestURI()
            ? rawPath(exchange.getRequestURI())
            : exchange.getRequestURI();
    Optional<String> there =
        now.active().map(uri -> uri.getScheme() + "://" + uri.getRawAuthority() + path + query);
    ApiException standby =
        new ApiException(
            ErrorCode.STANDBY,
            "this instance is on standby",
            exchange.getRequestURI(),
            there
                .map(uri -> "send it to " + uri)
                .orElse("no instance is active now: try again, or look why none is"));
    return there.isEmpty()
        ? Reply.of(standby)
        : new Reply(ApiServer.TEMPORARY_REDIRECT, standby.error(), there);
  }

  private static String rawPath(String absolute) throws ApiException {
    try {
      return new URI(absolute).getRawPath();
    } catch (URISyntaxException e) {
      throw new ApiException(
          ErrorCode.BAD_PARAMETER,
          "the request line has no URI: " + e.getMessage(),
          "the request line",
          "escape its characters as URIs have them");
    }
  }

  private static String digest(String asked, byte[] body) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(asked.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
