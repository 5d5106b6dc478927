// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginWatchTest {

  private final KerberosTicket ticket = new KerberosTicket();
  private long nanos;
  private long endNanos = Duration.ofHours(10).toNanos();
  private String failure = "";
  private final LoginWatch watch = new LoginWatch("us@REALM", ticket, () -> nanos);

  private final class KerberosTicket implements LoginWatch.Ticket {
    @Override
    public void renew() throws IOException {
      if (!failure.isEmpty()) {
        throw new IOException("login failed", new IOException(failure));
      }
    }

    @Override
    public Duration remaining() {
      // In whole seconds.
      return Duration.ofSeconds(Math.max(0, endNanos - nanos) / 1_000_000_000L);
    }
  }

  @Test
  void saysSoWhereATicketCanNotBeRenewedAndWhereItHasEnded() {
    after(Duration.ofHours(9));
    assertEquals("", watch.warning());
    failure = "Connection refused";
    after(Duration.ZERO);
    assertEquals("", watch.objection());
    assertEquals(
        "the Kerberos ticket of us@REALM ends in 3600 s, and can't be renewed (Connection refused)."
            + " Check that the KDC answers and that the keytab of hdfs.kerberos is valid",
        watch.warning());
    // Hadoop doesn't try again within a minute.
    failure = "";
    after(Duration.ofSeconds(2));
    assertTrue(watch.warning().contains("(Connection refused)"), watch.warning());
    after(Duration.ofHours(1).plusSeconds(5));
    assertTrue(watch.objection().contains(" ended 7 s ago"), watch.objection());
    assertEquals(watch.objection(), watch.warning());
    after(Duration.ofSeconds(10));
    assertTrue(watch.objection().contains(" ended 17 s ago"), watch.objection());
    endNanos = nanos + Duration.ofHours(10).toNanos();
    after(Duration.ofSeconds(1));
    assertEquals("", watch.warning());
  }

  private void after(Duration time) {
    nanos += time.toNanos();
    watch.look();
  }
}
