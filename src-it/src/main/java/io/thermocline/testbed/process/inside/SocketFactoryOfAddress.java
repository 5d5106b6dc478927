// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process.inside;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.StandardSocketFactory;

/** Sockets that connect from one of the host's addresses: that of {@link #ADDRESS} in the configuration. */
public final class SocketFactoryOfAddress extends StandardSocketFactory implements Configurable {

  /** An address of this host, without a port. */
  public static final String ADDRESS = "thermocline.testbed.address";

  private Configuration conf;

  @Override
  public void setConf(Configuration of) {
    conf = of;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public Socket createSocket() throws IOException {
    Socket socket = super.createSocket();
    socket.bind(new InetSocketAddress(conf.get(ADDRESS), 0));
    return socket;
  }
}
