// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import io.thermocline.hints.client.Connections;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.placement.model.RegularFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/** The tiering service as Hadoop's configuration names it. */
public final class ConfiguredService {
  /** Addresses of its instances, separated by commas. */
  public static final String ADDRESSES = "thermocline.hints.service";

  static final String TIMEOUT = "thermocline.hints.timeout";
  static final String TOKEN_FILE = "thermocline.hints.token.file";

  private ConfiguredService() {}

  /**
   * A client of it. Proves who asks by the token of that file, or where Kerberos is on by a
   * ticket.
   *
   * @param addresses where the configuration has none
   * @param user who asks, where the service believes a name
   * @param timeoutMillis where the configuration has none
   * @throws IOException if the file with the token can't be read
   * @throws IllegalArgumentException if an address is none
   */
  public static ServiceClient of(
      Configuration conf, String addresses, String user, int timeoutMillis) throws IOException {
    int timeout = (int) conf.getTimeDuration(TIMEOUT, (long) timeoutMillis, TimeUnit.MILLISECONDS);
    Connections connections = Connections.plain(user, timeout);
    String file = conf.getTrimmed(TOKEN_FILE, "");
    if (!file.isEmpty()) {
      byte[] token = RegularFiles.bytes(Paths.get(file));
      connections = connections.bearing(new String(token, StandardCharsets.UTF_8).trim());
    } else if (UserGroupInformation.isSecurityEnabled()) {
      connections = new TicketConnections(connections, UserGroupInformation.getCurrentUser());
    }
    return ServiceClient.of(conf.getTrimmed(ADDRESSES, addresses), connections);
  }
}
