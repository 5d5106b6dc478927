// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.hints.client.Tickets;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.Localhost;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a service over REST: of several instances the first that can be reached and isn't unavailable (503). */
final class ServiceClient {

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** A plan that is made now is answered when it is made: on a large cluster after minutes. */
  private static final Duration ANSWER = Duration.ofMinutes(10);

  private static final int GOOD = 300;
  private static final String AUTHORIZATION = "Authorization";

  /** The one that is named, and the one that it sends to. */
  private static final int HOSTS = 2;

  private static final Logger LOG = LoggerFactory.getLogger(ServiceClient.class);

  private final List<URI> services;
  private final Map<String, String> headers;
  private final HttpClient http;

  /**
   * @param services at least one
   * @param token null: none
   */
  ServiceClient(List<URI> services, String user, String token) {
    this.services = List.copyOf(services);
    this.headers =
        token == null ? Map.of(Localhost.USER, user) : Map.of(AUTHORIZATION, "Bearer " + token);
    // A service on standby sends changes on to the one that is active.
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(CONNECT)
            .build();
  }

  JsonNode get(String path, Map<String, String> query) throws CliException, InterruptedException {
    String text =
        query.entrySet().stream()
            .map(each -> each.getKey() + "=" + encoded(each.getValue()))
            .sorted()
            .collect(Collectors.joining("&"));
    return send(path + (text.isEmpty() ? "" : "?" + text), HttpRequest.Builder::GET);
  }

  JsonNode post(String path, JsonNode body) throws CliException, InterruptedException {
    return send(
        path,
        request ->
            request
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
  }

  private JsonNode send(String path, UnaryOperator<HttpRequest.Builder> asked)
      throws CliException, InterruptedException {
    CliException last = null;
    for (URI service : services) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(service.resolve(ApiServer.ROOT + path)).timeout(ANSWER);
      headers.forEach(request::header);
      try {
        return send(service, asked.apply(request));
      } catch (Unavailable e) {
        last = e.why;
      }
    }
    throw last;
  }

  /** The next instance may be asked: this one did nothing. */
  private static final class Unavailable extends Exception {
    private static final long serialVersionUID = 1L;
    private final CliException why;

    Unavailable(CliException why) {
      super(why);
      this.why = why;
    }
  }

  private JsonNode send(URI service, HttpRequest.Builder request)
      throws CliException, Unavailable, InterruptedException {
    HttpResponse<String> response;
    try {
      response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      // A ticket is for one host: a service on standby sends to another one, which asks for its
      // own.
      for (int i = 0; i < HOSTS && asksForTicket(response); i++) {
        URI asking = response.uri();
        Optional<String> ticket = ticket(asking.getHost());
        if (ticket.isEmpty()) {
          break;
        }
        request.uri(asking).setHeader(AUTHORIZATION, ticket.get());
        response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      }
    } catch (IOException e) {
      CliException none =
          new CliException(
              CliException.NOT_REACHABLE,
              "no service answers at "
                  + service
                  + " ("
                  + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage())
                  + "): start it, or name another one with --service or THERMOCLINE_SERVICE");
      // One that was connected to may have done what it was asked for, and died then.
      if (e instanceof ConnectException || e instanceof HttpConnectTimeoutException) {
        throw new Unavailable(none);
      }
      throw none;
    }
    JsonNode answer;
    try {
      answer = Json.MAPPER.readTree(response.body());
    } catch (JsonProcessingException e) {
      throw new CliException(
          CliException.NOT_REACHABLE,
          "what answers at "
              + service
              + " is no Thermocline service: name another one with --service");
    }
    if (response.statusCode() >= GOOD) {
      CliException refused =
          new CliException(
              CliException.exitCodeOf(response.statusCode()),
              answer.path("code").asText()
                  + ": "
                  + answer.path("message").asText()
                  + "; "
                  + answer.path("whatToDo").asText());
      if (response.statusCode() == HttpURLConnection.HTTP_UNAVAILABLE) {
        throw new Unavailable(refused);
      }
      throw refused;
    }
    return answer;
  }

  private boolean asksForTicket(HttpResponse<String> response) {
    return !headers.containsKey(AUTHORIZATION)
        && response.statusCode() == HttpURLConnection.HTTP_UNAUTHORIZED
        && response.headers().allValues("WWW-Authenticate").contains("Negotiate");
  }

  /** Of who ran kinit; without one the service's answer says what is missing. */
  private static Optional<String> ticket(String host) {
    try {
      return Optional.of(Tickets.ofCache(host));
    } catch (IOException e) {
      LOG.debug("no ticket", e);
      return Optional.empty();
    }
  }

  /** As it may stand in a path or a query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
