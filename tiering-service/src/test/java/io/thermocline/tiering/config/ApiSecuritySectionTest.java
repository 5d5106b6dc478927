// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Roles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiSecuritySectionTest {

  private static final String TLS = "  tls: {keyStore: /k.p12, passwordFile: /k.password}\n";

  @TempDir Path directory;

  @Test
  void readsWhoMayAsk() throws Exception {
    ServiceConfig.Api api =
        read(
            """
              listen: 0.0.0.0:8480
              tokens: /etc/tokens
              kerberos: {principal: HTTP/h@R, keytab: /k.keytab}
              roles:
                viewer: {groups: [staff]}
                administrator: {users: [hdfs, ann]}
              tls: {keyStore: /k.p12, passwordFile: /k.password}
              session: 1h
              rateLimits: {caller: 5, anonymous: 7, connections: 9}
            """);

    assertEquals(
        new ServiceConfig.Security(
            Path.of("/etc/tokens"),
            new ServiceConfig.Keytab("HTTP/h@R", Path.of("/k.keytab")),
            Map.of(
                Role.VIEWER, new Roles.Members(Set.of(), Set.of("staff")),
                Role.ADMINISTRATOR, new Roles.Members(Set.of("hdfs", "ann"), Set.of())),
            new ServiceConfig.KeyStore(Path.of("/k.p12"), Path.of("/k.password")),
            Duration.ofHours(1),
            new ServiceConfig.Rates(5, 7, 9)),
        api.security());
    assertEquals("0.0.0.0", api.host());
  }

  @Test
  void listensOnItsOwnHostAloneWithoutAuthentication() {
    refused("  listen: 0.0.0.0:8480\n" + TLS, "api.listen", "without authentication");
  }

  @Test
  void showsNoTokenToOthersOnTheWay() {
    refused("  listen: 0.0.0.0:8480\n  tokens: /t\n", "api.listen", "expected api.tls beside it");
  }

  @Test
  void wantsToKnowWhatTicketsOpen() {
    refused("  kerberos: {principal: HTTP/h@R, keytab: /k}\n", "api.roles", "whose tickets");
  }

  @Test
  void answersSomeRequestsASecondAtLeast() {
    refused("  rateLimits: {caller: 0}\n", "api.rateLimits.caller", "0");
    refused("  rateLimits: {connections: 1001}\n", "api.rateLimits.connections", "1001");
  }

  @Test
  void namesARoleThatThereIsNone() {
    refused("  tokens: /t\n  roles: {root: {users: [ann]}}\n", "api.roles.root");
  }

  /** What stands behind # in the example can be taken as it is. */
  @Test
  void takesTheExampleAsItStands() throws Exception {
    String text =
        Files.readString(
            Path.of(
                System.getProperty("project.root", ".."),
                "tiering-service/src/test/conf/every-key.yaml"));
    String section = text.substring(text.indexOf("\napi:\n") + "\napi:\n".length());
    String open =
        section.replaceAll("(?m)^  # +(?=(tokens|kerberos|roles|tls|session|rates):)", "  ");
    open = open.replaceAll("(?m)^  #   (?=(viewer|operator|administrator):)", "    ");

    ServiceConfig.Security security = read(open).security();

    assertEquals("HTTP/host.example.org@EXAMPLE.ORG", security.kerberos().principal());
    assertEquals(Set.of(Role.values()), security.roles().keySet());
    assertEquals(Path.of("/etc/thermocline/tokens"), security.tokens());
    assertEquals(Path.of("/etc/thermocline/server.p12"), security.tls().file());
    assertEquals(read("").security().session(), security.session());
    assertEquals(read("").security().rates(), security.rates());
  }

  private void refused(String section, String... words) {
    ConfigException refused = assertThrows(ConfigException.class, () -> read(section));
    for (String word : words) {
      assertTrue(refused.getMessage().contains(word), refused::getMessage);
    }
  }

  private ServiceConfig.Api read(String section) throws ConfigException, IOException {
    Path file = directory.resolve("thermocline.yaml");
    Files.write(
        file,
        List.of(
            "hdfs: {configuration: /etc/hadoop/conf}",
            "observe: {auditLogs: [/var/log/hdfs-audit.log]}",
            "manage: {paths: [/warehouse]}",
            "journal: {directory: /var/lib/thermocline}",
            "api:",
            section));
    return ServiceConfigFile.read(file).api();
  }
}
