// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.api;

import io.thermocline.hints.client.Tickets;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import org.apache.hadoop.minikdc.MiniKdc;

/** A KDC, the service's keys, and somebody who shows a new ticket with each request. */
final class Realm implements AutoCloseable {

  static final String USER = "vera";

  private final MiniKdc kdc;
  private final Path keytab;
  private final Subject user;

  Realm(Path directory) throws Exception {
    kdc = new MiniKdc(MiniKdc.createConf(), Files.createDirectories(directory).toFile());
    kdc.start();
    keytab = directory.resolve("keytab");
    kdc.createPrincipal(keytab.toFile(), "HTTP/localhost", USER);
    LoginContext login =
        new LoginContext("", new Subject(), null, login(USER + "@" + kdc.getRealm()));
    login.login();
    user = login.getSubject();
  }

  private Configuration login(String principal) {
    return new Configuration() {
      @Override
      public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
        return new AppConfigurationEntry[] {
          new AppConfigurationEntry(
              "com.sun.security.auth.module.Krb5LoginModule",
              AppConfigurationEntry.LoginModuleControlFlag.REQUIRED,
              Map.of(
                  "principal",
                  principal,
                  "keyTab",
                  keytab.toString(),
                  "useKeyTab",
                  "true",
                  "doNotPrompt",
                  "true"))
        };
      }
    };
  }

  /** The service's. */
  String principal() {
    return "HTTP/localhost@" + kdc.getRealm();
  }

  Path keytab() {
    return keytab;
  }

  File settings() {
    return kdc.getKrb5conf();
  }

  /** Value of the header Authorization; good for one request. */
  String header() throws IOException {
    try {
      return Subject.doAs(
          user, (PrivilegedExceptionAction<String>) () -> Tickets.authorization("localhost"));
    } catch (PrivilegedActionException e) {
      throw new IOException("no ticket", e.getException());
    }
  }

  @Override
  public void close() {
    kdc.stop();
  }
}
