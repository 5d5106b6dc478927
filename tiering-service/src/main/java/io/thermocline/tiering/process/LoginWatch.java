// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this process's Kerberos ticket is valid and can be renewed. One thread looks, with the rights of the login, and may
 * wait for the KDC; any may ask.
 */
public final class LoginWatch {

  private static final Logger LOG = LoggerFactory.getLogger(LoginWatch.class);

  private final String principal;
  private final Ticket ticket;
  private final LongSupplier nanos;
  private volatile State state;

  /** The login. */
  public interface Ticket {
    /** Gets a new ticket where the old one is near its end. */
    void renew() throws IOException;

    /** How long the ticket is still valid; zero where it isn't. */
    Duration remaining();
  }

  /**
   * @param failure why it can't be renewed; empty where nobody knows of a reason
   */
  private record State(long endNanos, String failure) {}

  public LoginWatch(String principal, Ticket ticket, LongSupplier nanos) {
    this.principal = principal;
    this.ticket = ticket;
    this.nanos = nanos;
    this.state = new State(nanos.getAsLong() + ticket.remaining().toNanos(), "");
  }

  /** Looks once. */
  public void look() {
    String failure = "";
    try {
      ticket.renew();
    } catch (IOException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      failure = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
    Duration remaining = ticket.remaining();
    long end = nanos.getAsLong() + remaining.toNanos();
    State was = state;
    boolean isRenewed =
        !remaining.isZero() && end - was.endNanos() > Duration.ofSeconds(2).toNanos();
    if (failure.isEmpty() && !isRenewed) {
      // Hadoop tries once a minute, and says nothing in between.
      failure = was.failure();
    }
    // A ticket that has ended has ended when it did.
    state = new State(isRenewed || end < was.endNanos() ? end : was.endNanos(), failure);
    if (isRenewed && !was.failure().isEmpty()) {
      LOG.info("the Kerberos ticket of {} is renewed", principal);
    } else if (was.failure().isEmpty() && !failure.isEmpty()) {
      LOG.warn("{}", warning());
    }
  }

  /** That the ticket has ended; empty where it is valid. */
  public String objection() {
    State now = state;
    long over = nanos.getAsLong() - now.endNanos();
    return over < 0
        ? ""
        : "the Kerberos ticket of "
            + principal
            + " ended "
            + Duration.ofNanos(over).toSeconds()
            + " s ago, and the service gets no new one"
            + reason(now);
  }

  /** That the ticket can't be renewed, or has ended; empty where it can. */
  public String warning() {
    State now = state;
    String over = objection();
    return !over.isEmpty() || now.failure().isEmpty()
        ? over
        : "the Kerberos ticket of "
            + principal
            + " ends in "
            + Duration.ofNanos(now.endNanos() - nanos.getAsLong()).toSeconds()
            + " s, and can't be renewed"
            + reason(now);
  }

  private static String reason(State state) {
    return (state.failure().isEmpty() ? "" : " (" + state.failure() + ")")
        + ". Check that the KDC answers and that the keytab of hdfs.kerberos is valid";
  }
}
