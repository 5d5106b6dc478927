// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import io.thermocline.placement.model.RegularFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.Oid;

/**
 * Takes clients' Kerberos tickets over HTTP (RFC 4559). The keys are the keytab's, so nothing expires; a keytab that is
 * replaced is read again.
 */
public final class Spnego {

  private static final String MECHANISM = "1.3.6.1.5.5.2";

  private final Subject subject;
  private final GSSManager manager = GSSManager.getInstance();

  /** What a client's token leads to. */
  public record Accepted(String user, byte[] answer) {}

  private Spnego(Subject subject) {
    this.subject = subject;
  }

  /**
   * @param principal of the service, as {@code HTTP/host@REALM}
   * @throws IOException where the keytab can't be read
   */
  public static Spnego of(String principal, Path keytab) throws IOException {
    if (!Files.isReadable(keytab)) {
      throw new IOException(
          "can't read the keytab " + keytab + " (api.kerberos.keytab) of " + principal);
    }
    RegularFiles.attributes(keytab);
    try {
      LoginContext login = new LoginContext("", new Subject(), null, fromKeytab(principal, keytab));
      login.login();
      return new Spnego(login.getSubject());
    } catch (LoginException e) {
      throw new IOException(
          "can't use the keytab " + keytab + " for " + principal + ": " + e.getMessage(), e);
    }
  }

  /**
   * Whose ticket it is, by the cluster's rules from principals to users (hadoop.security.auth_to_local).
   *
   * @throws IOException where it is none that is good here: expired, of another realm, for another service
   */
  public Accepted accept(byte[] token) throws IOException {
    try {
      return Subject.doAs(subject, (PrivilegedExceptionAction<Accepted>) () -> accepted(token));
    } catch (PrivilegedActionException e) {
      throw new IOException(e.getException().getMessage(), e.getException());
    } catch (RuntimeException e) {
      // The JDK's reader of tokens has them for what is none.
      throw new IOException("no token: " + e, e);
    }
  }

  private Accepted accepted(byte[] token) throws GSSException, IOException {
    GSSCredential own =
        manager.createCredential(
            null, GSSCredential.INDEFINITE_LIFETIME, new Oid(MECHANISM), GSSCredential.ACCEPT_ONLY);
    GSSContext context = manager.createContext(own);
    try {
      byte[] answer = context.acceptSecContext(token, 0, token.length);
      if (!context.isEstablished()) {
        throw new IOException("the client's token asks for more rounds than one");
      }
      String principal = context.getSrcName().toString();
      return new Accepted(new KerberosName(principal).getShortName(), answer);
    } finally {
      context.dispose();
      own.dispose();
    }
  }

  private static Configuration fromKeytab(String principal, Path keytab) {
    return new Configuration() {
      @Override
      public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
        return new AppConfigurationEntry[] {
          new AppConfigurationEntry(
              "com.sun.security.auth.module.Krb5LoginModule",
              LoginModuleControlFlag.REQUIRED,
              Map.of(
                  "principal", principal,
                  "keyTab", keytab.toString(),
                  "useKeyTab", "true",
                  "storeKey", "true",
                  "doNotPrompt", "true",
                  "isInitiator", "false"))
        };
      }
    };
  }
}
