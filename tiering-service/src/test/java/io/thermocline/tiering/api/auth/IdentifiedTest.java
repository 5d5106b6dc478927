// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.Handler;
import io.thermocline.tiering.api.Mount;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.Route;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivilegedExceptionAction;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens, tickets of a real key distribution center, and sessions, over HTTP. */
@Timeout(120)
class IdentifiedTest {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String TOKEN = Tokens.draw(RANDOM);
  private static final String BRIEF = Tokens.draw(RANDOM);

  @TempDir static Path directory;

  private static MiniKdc kdc;
  private static Path keytab;
  private static Path tokens;
  private static ApiServer.Parts parts;
  private static ApiServer server;

  /** Who was seen. */
  public record Seen(String name, Role role) {}

  @BeforeAll
  static void start() throws Exception {
    Properties settings = MiniKdc.createConf();
    kdc = new MiniKdc(settings, directory.toFile());
    kdc.start();
    keytab = directory.resolve("keytab");
    kdc.createPrincipal(keytab.toFile(), "HTTP/localhost", "ann", "eve");
    Configuration secure = new Configuration(false);
    secure.set("hadoop.security.authentication", "kerberos");
    UserGroupInformation.setConfiguration(secure);

    tokens =
        Files.write(
            directory.resolve("tokens"),
            List.of(
                Tokens.line("robot", Role.VIEWER, TOKEN),
                Tokens.line("brief", Role.VIEWER, BRIEF)));
    Roles roles =
        new Roles(
            Map.of(Role.OPERATOR, new Roles.Members(Set.of("ann"), Set.of())), user -> List.of());
    Sessions sessions = new Sessions(Clock.systemUTC(), RANDOM, Duration.ofHours(1));
    Identified identified =
        new Identified(
            Optional.of(new TokenFile(tokens)),
            Optional.of(Spnego.of("HTTP/localhost@" + kdc.getRealm(), keytab)),
            roles,
            sessions,
            (user, other, from) -> {
              if (!user.equals("eve") || !other.equals("ann")) {
                throw new AuthorizationException("no");
              }
            });
    parts =
        new ApiServer.Parts(
            List.of(IdentifiedTest::routes),
            List.of(new Mount("/session", Optional.of(Role.VIEWER), new SignIn(sessions))),
            identified,
            Activity.HERE);
    server = ApiServer.start(new ApiServer.Listen("localhost", 0, null), parts, Thread::new);
  }

  @AfterAll
  static void stop() {
    server.close();
    kdc.stop();
    UserGroupInformation.reset();
    System.clearProperty("java.security.krb5.conf");
  }

  @Test
  void asksForOneOfTheWaysOfWhoShowsNothing() throws Exception {
    HttpResponse<String> refused = get("/api/v1/who", Map.of());

    assertEquals(401, refused.statusCode());
    assertEquals(List.of("Negotiate", "Bearer"), refused.headers().allValues("WWW-Authenticate"));
    assertTrue(refused.body().contains("UNAUTHENTICATED"), refused::body);
    assertTrue(refused.body().contains("kinit"), refused::body);
  }

  @Test
  void takesATokenForWhatItsRoleMay() throws Exception {
    Map<String, String> bearer = Map.of("Authorization", "Bearer " + TOKEN);

    assertTrue(get("/api/v1/who", bearer).body().contains("robot"));
    HttpResponse<String> refused = get("/api/v1/staff", bearer);
    assertEquals(403, refused.statusCode());
    assertTrue(
        refused.body().contains("robot's role VIEWER can't do this, it needs OPERATOR"),
        refused::body);
  }

  @Test
  void takesNoOtherTokenAndDoesNotRepeatIt() throws Exception {
    for (String wrong : List.of("Bearer " + TOKEN + "x", "Bearer", "Basic " + TOKEN)) {
      HttpResponse<String> refused = get("/api/v1/who", Map.of("Authorization", wrong));
      assertEquals(401, refused.statusCode(), wrong);
      assertFalse(refused.body().contains(TOKEN), refused::body);
    }
  }

  @Test
  void takesATicketOfWhoHasARole() throws Exception {
    HttpResponse<String> answer = asUser("ann", server, "/api/v1/staff");

    assertEquals(200, answer.statusCode());
    assertEquals("{\"name\":\"ann\",\"role\":\"OPERATOR\"}", answer.body().replaceAll("\\s", ""));
    assertTrue(
        answer.headers().firstValue("WWW-Authenticate").orElse("").startsWith("Negotiate "),
        "the server shows who it is, too");
  }

  @Test
  void refusesATicketOfWhoHasNone() throws Exception {
    HttpResponse<String> refused = asUser("eve", server, "/api/v1/who");

    assertEquals(403, refused.statusCode());
    assertTrue(refused.body().contains("eve has no role here"), refused::body);
  }

  @Test
  void letsAUserAskInTheNameOfAnotherWhereHdfsWould() throws Exception {
    HttpResponse<String> answer = asUser("eve", server, "/api/v1/staff?doAs=ann");

    assertEquals(200, answer.statusCode());
    assertEquals("{\"name\":\"ann\",\"role\":\"OPERATOR\"}", answer.body().replaceAll("\\s", ""));
    HttpResponse<String> refused = asUser("ann", server, "/api/v1/who?doAs=eve");
    assertEquals(403, refused.statusCode());
    assertTrue(refused.body().contains("ann may not ask in the name of eve"), refused::body);
    Map<String, String> bearer = Map.of("Authorization", "Bearer " + TOKEN);
    assertEquals(400, get("/api/v1/who?doAs=ann", bearer).statusCode(), "not with a token");
  }

  @Test
  void refusesATicketThatWasShownBefore() throws Exception {
    Map<String, String> ticket = ticket("ann");

    assertEquals(200, send(server, "GET", "/api/v1/who", ticket).statusCode());
    assertEquals(401, send(server, "GET", "/api/v1/who", ticket).statusCode());
  }

  @Test
  void refusesWhatIsNoTicket() throws Exception {
    List<String> broken =
        List.of(
            "",
            "AAAA",
            "not base 64",
            "YBsGBisGAQUFAqARMA+yDTALBgkqhkiG94YBAgI=",
            "YIIBAgYGKwYBBQU=");
    for (String token : broken) {
      HttpResponse<String> refused =
          get("/api/v1/who", Map.of("Authorization", "Negotiate " + token));
      assertEquals(401, refused.statusCode(), token);
      assertTrue(refused.body().contains("UNAUTHENTICATED"), refused::body);
    }
  }

  @Test
  void refusesMoreCookiesThanAnybodyHas() throws Exception {
    String cookies =
        IntStream.range(0, 300).mapToObj(i -> "c" + i + "=1").collect(Collectors.joining("; "));
    assertEquals(401, get("/api/v1/who", Map.of("Cookie", cookies)).statusCode());
  }

  /** As after the keytab was made anew, or by a server of another name. */
  @Test
  void refusesATicketForOtherKeys() throws Exception {
    Path others = directory.resolve("others");
    try (ApiServer other = serverWithKeytabOf(others)) {
      assertEquals(401, asUser("ann", other, "/api/v1/who").statusCode());
    }
  }

  @Test
  void givesABrowserASessionThatCanBeEnded() throws Exception {
    HttpResponse<String> signedIn =
        send("POST", "/session", Map.of("Authorization", "Bearer " + TOKEN));
    assertEquals(204, signedIn.statusCode());
    String cookie = signedIn.headers().firstValue("Set-Cookie").orElseThrow();
    assertEquals(Set.of("path=/", "httponly", "samesite=strict", "max-age=3600"), keptBy(cookie));
    Map<String, String> session = cookie(signedIn);
    assertTrue(get("/api/v1/who", session).body().contains("robot"));

    Map<String, String> elsewhere =
        Map.of("Cookie", session.get("Cookie"), "Origin", "https://example.org");
    assertEquals(403, get("/api/v1/who", elsewhere).statusCode());
    Map<String, String> here =
        Map.of("Cookie", session.get("Cookie"), "Origin", server.address().toString());
    assertEquals(200, get("/api/v1/who", here).statusCode());

    assertEquals(204, send("DELETE", "/session", session).statusCode());
    HttpResponse<String> ended = get("/api/v1/who", session);
    assertEquals(401, ended.statusCode());
    assertTrue(ended.body().contains("a session that has ended"), ended::body);
    assertEquals(401, send("POST", "/session", Map.of()).statusCode());
  }

  @Test
  void givesItOverTlsAloneWhereThereIsTls() throws Exception {
    Path password = Files.writeString(directory.resolve("password"), "changeit");
    Path store = directory.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass:file",
                password.toString(),
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.out").toFile())
            .start();
    assertEquals(0, keytool.waitFor(), () -> "see " + directory.resolve("keytool.out"));
    KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("mykey"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext client = SSLContext.getInstance("TLS");
    client.init(null, trust.getTrustManagers(), null);

    try (ApiServer protectedServer =
        ApiServer.start(
            new ApiServer.Listen("localhost", 0, Tls.of(store, password)), parts, Thread::new)) {
      URI session = URI.create(protectedServer.address() + "/session");
      assertEquals("https", session.getScheme());
      HttpClient http = HttpClient.newBuilder().sslContext(client).build();
      HttpResponse<String> begun =
          http.send(
              HttpRequest.newBuilder(session)
                  .header("Authorization", "Bearer " + TOKEN)
                  .POST(HttpRequest.BodyPublishers.noBody())
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(
          Set.of("path=/", "httponly", "samesite=strict", "secure", "max-age=3600"),
          keptBy(begun.headers().firstValue("Set-Cookie").orElseThrow()));
      HttpResponse<String> ended =
          http.send(
              HttpRequest.newBuilder(session)
                  .header("Cookie", cookie(begun).get("Cookie"))
                  .DELETE()
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      String over = ended.headers().firstValue("Set-Cookie").orElseThrow();
      assertEquals(Set.of("path=/", "httponly", "samesite=strict", "secure"), keptBy(over));
      assertTrue(over.contains("1970"), over);
    }
  }

  /** What a cookie says of how it is to be kept, but for the date that its age comes to. */
  private static Set<String> keptBy(String cookie) {
    return Arrays.stream(cookie.toLowerCase(Locale.ROOT).split("; *"))
        .skip(1)
        .filter(each -> !each.startsWith("expires="))
        .collect(Collectors.toSet());
  }

  @Test
  void endsASessionWithItsTokenAndOneThatWasBegunWithItToo() throws Exception {
    HttpResponse<String> signedIn =
        send("POST", "/session", Map.of("Authorization", "Bearer " + BRIEF));
    Map<String, String> first = cookie(signedIn);
    // A page that signs in while its session goes on.
    Map<String, String> session = cookie(send("POST", "/session", first));
    assertTrue(get("/api/v1/who", session).body().contains("brief"));
    assertEquals(401, get("/api/v1/who", first).statusCode(), "another came in its place");

    Files.writeString(tokens, Tokens.line("robot", Role.VIEWER, TOKEN) + "\n");
    HttpResponse<String> ended = get("/api/v1/who", session);
    assertEquals(401, ended.statusCode());
    assertTrue(ended.body().contains("a session that has ended"), ended::body);
    assertEquals(401, send("POST", "/session", session).statusCode());
  }

  private static Map<String, String> cookie(HttpResponse<String> answer) {
    String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
    return Map.of("Cookie", cookie.replaceFirst(";.*", ""));
  }

  @Test
  void saysWhatIsWrongWithAKeytab() throws IOException {
    assertThrows(IOException.class, () -> Spnego.of("HTTP/localhost", directory.resolve("none")));
  }

  private static List<Route> routes() {
    Handler seen = request -> new Seen(request.caller().name(), request.caller().role());
    return List.of(
        Route.get("/who", "Who asks.").answers(Seen.class, seen),
        Route.get("/staff", "Who asks, of operators.")
            .needs(Role.OPERATOR)
            .answers(Seen.class, seen));
  }

  private static ApiServer serverWithKeytabOf(Path others) throws Exception {
    // The same name with other keys.
    File file = others.toFile();
    MiniKdc second =
        new MiniKdc(MiniKdc.createConf(), Files.createTempDirectory(directory, "kdc").toFile());
    String settings = System.getProperty("java.security.krb5.conf");
    second.start();
    second.createPrincipal(file, "HTTP/localhost");
    second.stop();
    System.setProperty("java.security.krb5.conf", settings);
    Identified identified =
        new Identified(
            Optional.empty(),
            Optional.of(Spnego.of("HTTP/localhost@" + kdc.getRealm(), others)),
            new Roles(
                Map.of(Role.VIEWER, new Roles.Members(Set.of("ann"), Set.of())), user -> List.of()),
            new Sessions(Clock.systemUTC(), RANDOM, Duration.ofHours(1)),
            (user, name, from) -> {});
    return ApiServer.start(
        new ApiServer.Listen("localhost", 0, null),
        new ApiServer.Parts(List.of(IdentifiedTest::routes), List.of(), identified, Activity.HERE),
        Thread::new);
  }

  private static HttpResponse<String> get(String path, Map<String, String> headers)
      throws Exception {
    return send("GET", path, headers);
  }

  private static HttpResponse<String> send(String method, String path, Map<String, String> headers)
      throws Exception {
    return send(server, method, path, headers);
  }

  private static HttpResponse<String> send(
      ApiServer asked, String method, String path, Map<String, String> headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(asked.address() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    headers.forEach(request::header);
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> asUser(String user, ApiServer asked, String path)
      throws Exception {
    return send(asked, "GET", path, ticket(user));
  }

  /** The header of a request with a ticket for this host. */
  private static Map<String, String> ticket(String user) throws Exception {
    UserGroupInformation signedIn =
        UserGroupInformation.loginUserFromKeytabAndReturnUGI(
            user + "@" + kdc.getRealm(), keytab.toString());
    byte[] token =
        signedIn.doAs(
            (PrivilegedExceptionAction<byte[]>)
                () -> {
                  GSSManager manager = GSSManager.getInstance();
                  GSSContext context =
                      manager.createContext(
                          manager.createName("HTTP@localhost", GSSName.NT_HOSTBASED_SERVICE),
                          new Oid("1.3.6.1.5.5.2"),
                          null,
                          GSSContext.DEFAULT_LIFETIME);
                  context.requestMutualAuth(true);
                  try {
                    return context.initSecContext(new byte[0], 0, 0);
                  } finally {
                    context.dispose();
                  }
                });
    return Map.of("Authorization", "Negotiate " + Base64.getEncoder().encodeToString(token));
  }
}
