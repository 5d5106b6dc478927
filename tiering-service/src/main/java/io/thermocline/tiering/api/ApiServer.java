// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.undertow.UndertowOptions;
import io.undertow.attribute.ResponseTimeAttribute;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.RoutingHandler;
import io.undertow.server.handlers.PathHandler;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.PathTemplateMatcher;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.xnio.OptionMap;
import org.xnio.Options;

/**
 * The HTTP server of the service. Few threads, whatever comes: those of the network never wait,
 * and of what is below {@link #ROOT} more than {@link #MOST_AT_ONCE} questions at once are answered
 * BUSY; so are, apart from those, more than half as many requests of other methods. Health and
 * control have threads and places of their own: whatever else takes its time, they are answered.
 */
public final class ApiServer implements Closeable {

  /** All routes are below. */
  public static final String ROOT = "/api/v1";

  /** Bytes of a request's body. */
  public static final int MOST_BODY = 4 << 20;

  static final int TEMPORARY_REDIRECT = 307;

  private static final int HANDLER_THREADS = 8;
  private static final int MOST_AT_ONCE = 64;

  private static final int RESERVED_THREADS = 2;
  private static final int MOST_RESERVED_AT_ONCE = 16;

  /** Open at once. */
  public static final int MOST_CONNECTIONS = 1000;

  private static final int MOST_HEADER_BYTES = 64 << 10;

  /** As many as a header can hold: what there are too many of is said by the route. */
  private static final int MOST_PARAMETERS = MOST_HEADER_BYTES / 2;

  private static final Patience PATIENCE = new Patience(10_000, 30_000, 60_000);

  private final Connections connections;
  private final List<ExecutorService> threads;
  private final String scheme;

  /**
   * Where it listens.
   *
   * @param port 0: any that is free
   * @param tls null: none
   * @param mostOfOneAddress connections that one address may have open
   */
  public record Listen(String host, int port, SSLContext tls, int mostOfOneAddress) {

    /** Where one address may have all connections. */
    public Listen(String host, int port, SSLContext tls) {
      this(host, port, tls, MOST_CONNECTIONS);
    }
  }

  /**
   * How long clients may take, in milliseconds.
   *
   * @param header to send a request's header, whole
   * @param body to send its body, whole
   * @param silent to send or take nothing at all
   */
  record Patience(int header, int body, int silent) {}

  /**
   * What it carries.
   *
   * @param replies of requests with an id
   * @param requests is told of each request
   */
  public record Parts(
      List<Resource> resources,
      List<Mount> mounts,
      Authenticator authenticator,
      Activity activity,
      KeptReplies replies,
      RequestCount requests) {

    /** That keeps no answers, and counts nothing. */
    public Parts(
        List<Resource> resources,
        List<Mount> mounts,
        Authenticator authenticator,
        Activity activity) {
      this(
          resources,
          mounts,
          authenticator,
          activity,
          KeptReplies.NONE,
          (route, status, nanos) -> {});
    }
  }

  private final int bodyMillis;
  private volatile HttpHandler root;

  private ApiServer(Listen listen, Parts parts, List<ExecutorService> threads, Patience patience)
      throws IOException {
    this.threads = threads;
    this.scheme = listen.tls() == null ? "http" : "https";
    this.bodyMillis = patience.body();
    this.root = root(parts);
    this.connections =
        new Connections(
            listen,
            sockets(patience),
            protocol(patience),
            exchange -> root.handleRequest(exchange));
  }

  /** Carries these from now on; requests that are being answered go on as they are. */
  public void carry(Parts parts) {
    root = root(parts);
  }

  private HttpHandler root(Parts parts) {
    List<Guards> guards =
        threads.stream()
            .map(each -> new Guards(parts.authenticator(), parts.activity(), each, bodyMillis))
            .toList();
    return root(parts, guards.get(0), guards.get(1));
  }

  /**
   * Listens from here on.
   *
   * @param factory of the threads that handlers run on
   * @throws IOException where it can't listen there
   */
  public static ApiServer start(Listen listen, Parts parts, ThreadFactory factory)
      throws IOException {
    return start(listen, parts, factory, PATIENCE);
  }

  static ApiServer start(Listen listen, Parts parts, ThreadFactory factory, Patience patience)
      throws IOException {
    List<ExecutorService> threads =
        List.of(
            Executors.newFixedThreadPool(HANDLER_THREADS, factory),
            Executors.newFixedThreadPool(RESERVED_THREADS, factory));
    try {
      return new ApiServer(listen, parts, threads, patience);
    } catch (IOException e) {
      threads.forEach(ExecutorService::shutdownNow);
      throw new IOException(
          "can't listen on "
              + listen.host()
              + ":"
              + listen.port()
              + " (api.listen): "
              + e.getMessage(),
          e);
    }
  }

  private static OptionMap sockets(Patience patience) {
    return OptionMap.builder()
        .set(Options.READ_TIMEOUT, patience.silent())
        .set(Options.WRITE_TIMEOUT, patience.silent())
        .set(Options.CONNECTION_HIGH_WATER, MOST_CONNECTIONS)
        .set(Options.CONNECTION_LOW_WATER, MOST_CONNECTIONS)
        .getMap();
  }

  private static OptionMap protocol(Patience patience) {
    return OptionMap.builder()
        .set(UndertowOptions.BUFFER_PIPELINED_DATA, true)
        .set(UndertowOptions.REQUEST_PARSE_TIMEOUT, patience.header())
        .set(UndertowOptions.NO_REQUEST_TIMEOUT, patience.silent())
        .set(UndertowOptions.MAX_HEADER_SIZE, MOST_HEADER_BYTES)
        .set(UndertowOptions.MAX_ENTITY_SIZE, 2L * MOST_BODY)
        .set(UndertowOptions.MAX_PARAMETERS, MOST_PARAMETERS)
        .set(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
        .set(UndertowOptions.RECORD_REQUEST_START_TIME, true)
        .getMap();
  }

  /** Routes of resources, with the one of their document. */
  public static List<Route> routes(List<Resource> resources) {
    List<Route> routes = new ArrayList<>();
    resources.forEach(resource -> routes.addAll(resource.routes()));
    JsonNode[] document = new JsonNode[1];
    routes.add(
        Route.get("/openapi.json", "This interface, as an OpenAPI document.")
            .answers(JsonNode.class, request -> document[0]));
    document[0] = OpenApi.of(routes);
    return List.copyOf(routes);
  }

  /** Where it is reached. */
  public URI address() {
    InetSocketAddress bound = connections.address();
    String host = bound.getAddress().isAnyLocalAddress() ? "localhost" : bound.getHostString();
    return URI.create(
        scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + bound.getPort());
  }

  @Override
  public void close() {
    connections.close();
    threads.forEach(ExecutorService::shutdownNow);
  }

  private static boolean isReserved(String path) {
    return path.startsWith(ROOT + "/health/") || path.startsWith(ROOT + "/control");
  }

  private static HttpHandler root(Parts parts, Guards guards, Guards reserved) {
    Replies replies = new Replies(parts.replies());
    RoutingHandler routing = new RoutingHandler(false);
    PathTemplateMatcher<Set<String>> methods = new PathTemplateMatcher<>();
    for (Route route : routes(parts.resources())) {
      String path = ROOT + route.path();
      if (methods.get(path) == null) {
        methods.add(path, new TreeSet<>());
      }
      methods.get(path).add(route.method().name());
      routing.add(
          new HttpString(route.method().name()),
          ROOT + route.path(),
          new Endpoint(route, isReserved(path) ? reserved : guards, replies));
    }
    routing.setFallbackHandler(
        exchange ->
            refuse(
                exchange, ErrorCode.NO_SUCH_RESOURCE, ROOT + "/openapi.json lists what there is"));
    routing.setInvalidMethodHandler(
        exchange -> {
          Set<String> allowed = methods.match(exchange.getRelativePath()).getValue();
          exchange.getResponseHeaders().put(Headers.ALLOW, String.join(", ", allowed));
          refuse(
              exchange,
              ErrorCode.METHOD_NOT_ALLOWED,
              ROOT + "/openapi.json says which methods this resource has");
        });
    HttpHandler resources = withoutQuery(routing);
    HttpHandler usual = atMost(MOST_AT_ONCE, resources, guards);
    HttpHandler apart = atMost(MOST_RESERVED_AT_ONCE, resources, reserved);
    PathHandler paths =
        new PathHandler(
            (HttpHandler)
                exchange ->
                    (isReserved(exchange.getRelativePath()) ? apart : usual)
                        .handleRequest(exchange));
    for (Mount mount : parts.mounts()) {
      if (mount.prefix().equals("/")) {
        paths.addExactPath("/", admitted(mount, guards));
      } else {
        paths.addPrefixPath(mount.prefix(), admitted(mount, guards));
      }
    }
    return counted(paths, parts.requests());
  }

  /** Undertow's templates take a ? in a path, which was %3F, for the begin of the query, and so another path. */
  private static HttpHandler withoutQuery(RoutingHandler routing) {
    return exchange -> {
      if (exchange.getRelativePath().indexOf('?') < 0) {
        routing.handleRequest(exchange);
      } else {
        routing.getFallbackHandler().handleRequest(exchange);
      }
    };
  }

  private static HttpHandler counted(HttpHandler handler, RequestCount requests) {
    ResponseTimeAttribute time = new ResponseTimeAttribute(TimeUnit.NANOSECONDS);
    return exchange -> {
      exchange.addExchangeCompleteListener(
          (ended, next) -> {
            String route = ended.getAttachment(RequestCount.ROUTE);
            requests.answered(
                route == null ? RequestCount.OTHER : route,
                ended.getStatusCode(),
                Long.parseLong(time.readAttribute(ended)));
            next.proceed();
          });
      handler.handleRequest(exchange);
    };
  }

  private static void refuse(HttpServerExchange exchange, ErrorCode code, String whatToDo) {
    String asked = exchange.getRequestMethod() + " " + exchange.getRequestPath();
    Answers.send(
        exchange,
        Reply.of(
            new ApiException(
                code,
                code == ErrorCode.NO_SUCH_RESOURCE
                    ? "there is no " + exchange.getRequestPath()
                    : asked + " can't be asked for",
                exchange.getRequestPath(),
                whatToDo)));
  }

  private static HttpHandler admitted(Mount mount, Guards guards) {
    return exchange ->
        exchange.dispatch(
            guards.threads(),
            (HttpHandler)
                each -> {
                  try {
                    if (mount.needs().isPresent()) {
                      each.putAttachment(Mount.CALLER, guards.admit(each, mount.needs().get()));
                    }
                  } catch (ApiException e) {
                    Answers.send(each, Reply.of(e));
                    return;
                  } catch (RuntimeException e) {
                    Answers.send(each, Reply.of(Endpoint.failed(e, mount.prefix())));
                    return;
                  }
                  mount.handler().handleRequest(each);
                });
  }

  private static HttpHandler atMost(int most, HttpHandler handler, Guards guards) {
    Semaphore asking = new Semaphore(most);
    // Fewer: their bodies may come in slowly, and each may be of MOST_BODY.
    Semaphore changing = new Semaphore(most / 2);
    return exchange -> {
      Semaphore slots = exchange.getRequestMethod().equals(Methods.GET) ? asking : changing;
      if (!slots.tryAcquire()) {
        Answers.send(exchange, Reply.of(busy("as many requests are being answered as can be")));
        return;
      }
      exchange.addExchangeCompleteListener(
          (ended, next) -> {
            slots.release();
            next.proceed();
          });
      exchange.dispatch(guards.threads(), handler);
    };
  }

  static ApiException busy(String message) {
    return new ApiException(ErrorCode.BUSY, message, "the service", "try again a little later");
  }
}
