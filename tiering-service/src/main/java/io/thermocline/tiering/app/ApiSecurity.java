// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.api.Authenticator;
import io.thermocline.tiering.api.Localhost;
import io.thermocline.tiering.api.Mount;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Identified;
import io.thermocline.tiering.api.auth.Limited;
import io.thermocline.tiering.api.auth.RateLimit;
import io.thermocline.tiering.api.auth.Roles;
import io.thermocline.tiering.api.auth.Sessions;
import io.thermocline.tiering.api.auth.SignIn;
import io.thermocline.tiering.api.auth.Spnego;
import io.thermocline.tiering.api.auth.Tls;
import io.thermocline.tiering.api.auth.TokenFile;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.process.Login;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.HadoopKerberosName;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.DefaultImpersonationProvider;
import org.apache.hadoop.security.authorize.ImpersonationProvider;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * What the configuration says of callers, put together.
 *
 * @param tls null: none
 */
record ApiSecurity(Authenticator authenticator, List<Mount> mounts, SSLContext tls) {

  /**
   * @param hadoop for its rules from principals to users, and for users' groups
   * @throws IOException where a file that it names can't be used
   */
  static ApiSecurity of(ServiceConfig.Security config, Configuration hadoop, ServiceRuntime runtime)
      throws IOException {
    SSLContext tls =
        config.tls() == null ? null : Tls.of(config.tls().file(), config.tls().password());
    if (!config.isOn()) {
      return new ApiSecurity(limited(new Localhost(), config.rates(), runtime), List.of(), tls);
    }
    Optional<TokenFile> tokens = Optional.empty();
    if (config.tokens() != null) {
      tokens = Optional.of(new TokenFile(config.tokens()));
    }
    Optional<Spnego> spnego = Optional.empty();
    if (config.kerberos() != null) {
      HadoopKerberosName.setConfiguration(hadoop);
      spnego = Optional.of(Spnego.of(Login.principal(config.kerberos()), config.kerberos().file()));
    }
    Sessions sessions = new Sessions(runtime.clock(), new SecureRandom(), config.session());
    Roles roles =
        new Roles(
            config.roles(),
            user -> List.of(UserGroupInformation.createRemoteUser(user).getGroupNames()));
    return new ApiSecurity(
        limited(
            new Identified(tokens, spnego, roles, sessions, proxies(hadoop)),
            config.rates(),
            runtime),
        List.of(new Mount("/session", Optional.of(Role.VIEWER), new SignIn(sessions))),
        tls);
  }

  /**
   * As HDFS decides it, by {@code hadoop.proxyuser.*} of its configuration; asked of our own, since Hadoop's ProxyUsers are those of
   * the whole process.
   */
  private static Identified.Proxies proxies(Configuration hadoop) {
    ImpersonationProvider provider =
        ReflectionUtils.newInstance(
            hadoop.getClass(
                CommonConfigurationKeysPublic.HADOOP_SECURITY_IMPERSONATION_PROVIDER_CLASS,
                DefaultImpersonationProvider.class,
                ImpersonationProvider.class),
            hadoop);
    provider.init(ProxyUsers.CONF_HADOOP_PROXYUSER);
    return (user, other, from) ->
        provider.authorize(
            UserGroupInformation.createProxyUser(
                other, UserGroupInformation.createRemoteUser(user)),
            from.getHostAddress());
  }

  private static Authenticator limited(
      Authenticator authenticator, ServiceConfig.Rates rates, ServiceRuntime runtime) {
    return new Limited(
        authenticator,
        new RateLimit(rates.caller(), runtime.nanos()),
        new RateLimit(rates.stranger(), runtime.nanos()));
  }
}
