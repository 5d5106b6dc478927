// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import io.thermocline.hints.client.Connections;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.client.Tickets;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections that show the Kerberos ticket of a user of Hadoop. Who acts in another's name
 * shows their own, and says in whose name they ask. Without a ticket, as in a task that has
 * tokens alone, they show nothing: what the service makes of that is its answer. Safe for any
 * thread.
 */
final class TicketConnections implements Connections {
  private static final Logger LOG = LoggerFactory.getLogger(TicketConnections.class);

  private final Connections plain;
  private final UserGroupInformation user;
  private final UserGroupInformation actor;

  TicketConnections(Connections plain, UserGroupInformation user) {
    this.plain = plain;
    this.user = user;
    this.actor = user.getRealUser() == null ? user : user.getRealUser();
  }

  @Override
  public HttpURLConnection open(URL url) throws IOException {
    HttpURLConnection connection = plain.open(inWhoseName(url));
    try {
      String ticket = ticket(url.getHost());
      connection.setRequestProperty("Authorization", ticket);
    } catch (IOException | RuntimeException e) {
      LOG.debug("asking {} without a ticket", url.getHost(), e);
    }
    return connection;
  }

  private String ticket(String host) throws IOException {
    try {
      // Nothing where the login is of no keytab.
      actor.checkTGTAndReloginFromKeytab();
      return actor.doAs((PrivilegedExceptionAction<String>) () -> Tickets.authorization(host));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  private URL inWhoseName(URL url) throws IOException {
    if (actor == user) {
      return url;
    }
    String query = (url.getQuery() == null ? "?" : "&") + "doAs=";
    return new URL(url + query + ServiceClient.escaped(user.getShortUserName()));
  }
}
