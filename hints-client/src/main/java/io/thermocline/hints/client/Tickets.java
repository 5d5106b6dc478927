// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import java.io.IOException;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;

/** Shows a service over HTTP who asks, by Kerberos (SPNEGO, RFC 4559). Safe for any thread. */
public final class Tickets {

  private static final String MECHANISM = "1.3.6.1.5.5.2";

  private Tickets() {}

  /**
   * The value of the header Authorization, good for one request.
   *
   * @param host of the service, whose principal is HTTP/host
   * @throws IOException where the subject that this thread runs as has no ticket, or gets none
   *     for that service
   */
  public static String authorization(String host) throws IOException {
    try {
      GSSManager manager = GSSManager.getInstance();
      GSSContext context =
          manager.createContext(
              manager.createName("HTTP@" + host, GSSName.NT_HOSTBASED_SERVICE),
              new Oid(MECHANISM),
              null,
              GSSContext.DEFAULT_LIFETIME);
      try {
        byte[] token = context.initSecContext(new byte[0], 0, 0);
        return "Negotiate " + Base64.getEncoder().encodeToString(token);
      } finally {
        context.dispose();
      }
    } catch (GSSException e) {
      throw new IOException("no Kerberos ticket for HTTP/" + host + ": " + e.getMessage(), e);
    }
  }

  /**
   * The same as who ran kinit.
   *
   * @throws IOException also where nobody did
   */
  public static String ofCache(String host) throws IOException {
    try {
      LoginContext login = new LoginContext("", new Subject(), null, new TicketCache());
      login.login();
      return Subject.doAs(
          login.getSubject(), (PrivilegedExceptionAction<String>) () -> authorization(host));
    } catch (LoginException e) {
      throw new IOException("no Kerberos ticket: " + e.getMessage(), e);
    } catch (PrivilegedActionException e) {
      throw new IOException(e.getException().getMessage(), e.getException());
    }
  }

  private static final class TicketCache extends Configuration {
    @Override
    public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
      Map<String, String> options = new HashMap<>();
      options.put("useTicketCache", "true");
      options.put("doNotPrompt", "true");
      return new AppConfigurationEntry[] {
        new AppConfigurationEntry(
            "com.sun.security.auth.module.Krb5LoginModule",
            LoginModuleControlFlag.REQUIRED,
            options)
      };
    }
  }
}
