// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import io.thermocline.hints.Hint;
import io.thermocline.hints.wire.HintError;
import io.thermocline.hints.wire.HintJson;
import io.thermocline.hints.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Requests to the tiering service, each waited for: at the instance that answered last, then at
 * the others. Safe for any thread.
 */
public final class ServiceClient {
  /** No answer is longer: a page of a list is a few hundred KB. */
  private static final int MAX_ANSWER_BYTES = 32 << 20;

  private final List<URI> instances;
  private final Connections connections;
  private volatile int current;

  private ServiceClient(List<URI> instances, Connections connections) {
    this.instances = instances;
    this.connections = connections;
  }

  /**
   * A client of a service.
   *
   * @param addresses of its instances, separated by commas: {@code
   *     https://tiering1:8480,https://tiering2:8480}
   * @throws IllegalArgumentException if there is none, or one is no address of HTTP
   */
  public static ServiceClient of(String addresses, Connections connections) {
    List<URI> instances = new ArrayList<>();
    for (String address : addresses.split(",")) {
      if (!address.trim().isEmpty()) {
        instances.add(checked(address.trim()));
      }
    }
    if (instances.isEmpty()) {
      throw new IllegalArgumentException(
          "the tiering service needs an address, such as https://tiering1:8480");
    }
    return new ServiceClient(Collections.unmodifiableList(instances), connections);
  }

  private static URI checked(String address) {
    try {
      URI uri = URI.create(address);
      if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && (uri.getPath().isEmpty() || uri.getPath().equals("/"))
          && uri.getQuery() == null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "'" + address + "' is no address of a tiering service, such as https://tiering1:8480");
  }

  /**
   * Gives hints to the service.
   *
   * @param nowMillis by the clock that the hints' leases were made with
   * @param dryRun only asks whether they would be taken
   * @return what became of each, in order
   * @throws ServiceException if all were refused, or none was heard of
   */
  public List<HintAnswer> give(List<Hint> hints, long nowMillis, boolean dryRun)
      throws ServiceException {
    List<Map<String, Object>> requests = new ArrayList<>();
    for (Hint hint : hints) {
      requests.add(HintJson.request(hint, nowMillis));
    }
    Object answer = request("POST", "/hints?dryRun=" + dryRun, requests);
    if (!(answer instanceof List) || ((List<?>) answer).size() != hints.size()) {
      throw new ServiceException(
          HintError.NOT_UNDERSTOOD,
          "the answer has not one part for each of " + hints.size() + " hints");
    }
    List<HintAnswer> answers = new ArrayList<>();
    for (Object part : (List<?>) answer) {
      answers.add(HintAnswer.of(part));
    }
    return answers;
  }

  /**
   * Asks for a resource.
   *
   * @param resource below {@link HintJson#ROOT}, with its query: {@code /state}
   * @return what {@link Json#parse} makes of the answer; null where it is empty
   */
  public Object get(String resource) throws ServiceException {
    return request("GET", resource, null);
  }

  /** As {@link #get}, sending a body. */
  public Object post(String resource, Object body) throws ServiceException {
    return request("POST", resource, body);
  }

  public Object delete(String resource) throws ServiceException {
    return request("DELETE", resource, null);
  }

  /** A value as a query or a path's part needs it. */
  public static String escaped(String value) {
    try {
      return URLEncoder.encode(value, "UTF-8").replace("+", "%20");
    } catch (IOException e) {
      throw new AssertionError("every Java platform has UTF-8", e);
    }
  }

  private Object request(String method, String resource, Object body) throws ServiceException {
    byte[] bytes = body == null ? null : Json.write(body).getBytes(StandardCharsets.UTF_8);
    if (bytes != null && bytes.length > HintJson.MAX_BODY_BYTES) {
      throw new ServiceException(
          HintError.BODY_TOO_LARGE,
          bytes.length + " bytes, more than " + HintJson.MAX_BODY_BYTES + ": send less at once");
    }
    ServiceException failure = null;
    int first = current;
    for (int i = 0; i < instances.size(); i++) {
      int instance = (first + i) % instances.size();
      try {
        Object answer = ask(instances.get(instance), method, resource, bytes);
        current = instance;
        return answer;
      } catch (ServiceException e) {
        // What an instance said tells more than that another one is down.
        if (failure == null || failure.error() == HintError.SERVICE_DOWN) {
          failure = e;
        }
        if (!e.error().isRetriable()) {
          current = instance;
          throw e;
        }
      }
    }
    throw failure;
  }

  private Object ask(URI instance, String method, String resource, byte[] body)
      throws ServiceException {
    String at = instance.getScheme() + "://" + instance.getAuthority();
    try {
      HttpURLConnection connection = connections.open(url(at + HintJson.ROOT + resource));
      connection.setRequestMethod(method);
      connection.setRequestProperty("Accept", "application/json");
      if (body != null) {
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        connection.setRequestProperty("Content-Type", "application/json");
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body);
        }
      }
      int status = connection.getResponseCode();
      String text = read(status < 400 ? connection.getInputStream() : connection.getErrorStream());
      return Answers.checked(at, status, text);
    } catch (ServiceException e) {
      throw e;
    } catch (IOException e) {
      throw new ServiceException(
          HintError.SERVICE_DOWN, "no answer of the tiering service at " + at + ": " + e, e);
    }
  }

  private static URL url(String address) throws ServiceException {
    try {
      return new URL(address);
    } catch (MalformedURLException e) {
      throw new ServiceException(HintError.BAD_PARAMETER, address + ": " + e.getMessage(), e);
    }
  }

  /** To its end, so that the connection serves again. */
  private static String read(InputStream stream) throws IOException {
    if (stream == null) {
      return "";
    }
    try (InputStream in = stream) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      byte[] part = new byte[8192];
      for (int read = in.read(part); read >= 0; read = in.read(part)) {
        text.write(part, 0, read);
        if (text.size() > MAX_ANSWER_BYTES) {
          throw new ServiceException(
              HintError.NOT_UNDERSTOOD, "an answer of more than " + MAX_ANSWER_BYTES + " bytes");
        }
      }
      return new String(text.toByteArray(), StandardCharsets.UTF_8);
    }
  }
}
