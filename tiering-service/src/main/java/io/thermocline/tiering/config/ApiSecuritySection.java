// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Roles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads who may ask, from section api of thermocline.yaml. */
final class ApiSecuritySection {

  private static final Duration SESSION = Duration.ofHours(8);

  private static final int PER_SECOND = 50;
  private static final int MOST_PER_SECOND = 1_000_000;

  /** Four hosts that open as many as they may leave nothing: three don't. */
  private static final int CONNECTIONS = ApiServer.MOST_CONNECTIONS / 4;

  private static final ServiceConfig.Rates RATES =
      new ServiceConfig.Rates(PER_SECOND, PER_SECOND, CONNECTIONS);

  /** Whoever is on the host. */
  static final ServiceConfig.Security NONE =
      new ServiceConfig.Security(null, null, Map.of(), null, SESSION, RATES);

  private ApiSecuritySection() {}

  static ServiceConfig.Security read(YamlSection api) {
    String tokens = api.text("tokens", "");
    ServiceConfig.Security security =
        new ServiceConfig.Security(
            tokens.isEmpty() ? null : Path.of(tokens),
            api.optionalSection("kerberos").map(login -> keytab(login, "HTTP")).orElse(null),
            roles(api.optionalSection("roles")),
            api.optionalSection("tls").map(ApiSecuritySection::tls).orElse(null),
            api.duration("session", SESSION),
            api.optionalSection("rateLimits").map(ApiSecuritySection::rates).orElse(RATES));
    if (security.kerberos() != null && security.roles().isEmpty()) {
      api.lacks("roles", "whose tickets open what, like roles: {operator: {groups: [hadoop]}}");
    }
    return security;
  }

  /**
   * @param service the principal's first part, for the message
   */
  static ServiceConfig.Keytab keytab(YamlSection section, String service) {
    ServiceConfig.Keytab keytab =
        new ServiceConfig.Keytab(
            section.required("principal", service + "/_HOST@EXAMPLE.ORG"),
            Path.of(section.required("keytab", "/etc/security/keytabs/" + service + ".keytab")));
    section.rejectUnknown();
    return keytab;
  }

  private static ServiceConfig.KeyStore tls(YamlSection section) {
    ServiceConfig.KeyStore store =
        new ServiceConfig.KeyStore(
            Path.of(section.required("keyStore", "/etc/thermocline/server.p12")),
            Path.of(section.required("passwordFile", "/etc/thermocline/server.password")));
    section.rejectUnknown();
    return store;
  }

  private static ServiceConfig.Rates rates(YamlSection section) {
    ServiceConfig.Rates rates =
        new ServiceConfig.Rates(
            section.integer("caller", PER_SECOND, 1, MOST_PER_SECOND),
            section.integer("anonymous", PER_SECOND, 1, MOST_PER_SECOND),
            section.integer("connections", CONNECTIONS, 1, ApiServer.MOST_CONNECTIONS));
    section.rejectUnknown();
    return rates;
  }

  private static Map<Role, Roles.Members> roles(Optional<YamlSection> section) {
    Map<Role, Roles.Members> roles = new EnumMap<>(Role.class);
    section.ifPresent(
        found -> {
          for (Role role : Role.values()) {
            found
                .optionalSection(role.name().toLowerCase(Locale.ROOT))
                .ifPresent(
                    members -> {
                      roles.put(
                          role,
                          new Roles.Members(
                              Set.copyOf(members.texts("users")),
                              Set.copyOf(members.texts("groups"))));
                      members.rejectUnknown();
                    });
          }
          found.rejectUnknown();
        });
    return roles;
  }
}
