// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.hints.client.Tickets;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import org.apache.hadoop.security.UserGroupInformation;

/** Requests to a service that knows who asks by Kerberos tickets, each with a ticket of its user. */
final class SecureRest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final SecureSetting setting;

  /** Who is asked. */
  private String service;

  SecureRest(SecureSetting setting) {
    this.setting = setting;
    this.service = setting.service();
  }

  /** Another one is asked from now on. */
  void ask(String other) {
    service = other;
  }

  static String ticketOf(UserGroupInformation user) throws Exception {
    return user.doAs((PrivilegedExceptionAction<String>) () -> Tickets.authorization("localhost"));
  }

  HttpResponse<String> get(String user, String path) throws Exception {
    return send(ticketOf(setting.user(user)), "GET", path, null);
  }

  HttpResponse<String> post(String user, String path, String body) throws Exception {
    return send(ticketOf(setting.user(user)), "POST", path, body);
  }

  HttpResponse<String> send(String authorization, String method, String path, String body)
      throws Exception {
    return sendTo(authorization, method, service + "/api/v1" + path, body);
  }

  HttpResponse<String> sendTo(String authorization, String method, String address, String body)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address))
            .timeout(Duration.ofSeconds(60))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return setting.http().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  boolean leads(String address) {
    return state(address).path("active").asBoolean();
  }

  /** Nothing where nobody answers. */
  private JsonNode state(String address) {
    try {
      String ticketNow = ticketOf(setting.user("vera"));
      return JSON.readTree(sendTo(ticketNow, "GET", address + "/api/v1/state", null).body());
    } catch (Exception e) {
      return JSON.createObjectNode();
    }
  }
}
