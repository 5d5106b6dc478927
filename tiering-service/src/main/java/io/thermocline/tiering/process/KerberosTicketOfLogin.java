// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.security.UserGroupInformation;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.Oid;

/** The ticket of Hadoop's login. To be used by threads that run as that user. */
public final class KerberosTicketOfLogin implements LoginWatch.Ticket {

  private static final String KERBEROS = "1.2.840.113554.1.2.2";

  private final UserGroupInformation user;

  public KerberosTicketOfLogin(UserGroupInformation user) {
    this.user = user;
  }

  @Override
  public void renew() throws IOException {
    user.checkTGTAndReloginFromKeytab();
  }

  @Override
  public Duration remaining() {
    try {
      GSSCredential credential =
          GSSManager.getInstance()
              .createCredential(
                  null,
                  GSSCredential.DEFAULT_LIFETIME,
                  new Oid(KERBEROS),
                  GSSCredential.INITIATE_ONLY);
      try {
        return Duration.ofSeconds(credential.getRemainingLifetime());
      } finally {
        credential.dispose();
      }
    } catch (GSSException e) {
      // It finds none that is valid.
      return Duration.ZERO;
    }
  }
}
