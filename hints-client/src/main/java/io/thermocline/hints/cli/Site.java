// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import io.thermocline.hints.client.Connections;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.placement.model.SystemSeam;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** Where a command runs: who asks, HDFS, the service, the time. */
final class Site {
  private static final String SERVICE = "thermocline.hints.service";
  private static final String DEFAULT_SERVICE = "http://localhost:8480";
  private static final String TIMEOUT = "thermocline.hints.timeout";

  private final Configuration conf;
  private final String user;
  private final ServiceClient service;
  private final LongSupplier clock;

  /** By {@code thermocline.hints.service}, or what runs on this host. */
  @SystemSeam
  Site(Configuration conf) throws IOException {
    this.conf = conf;
    this.user = UserGroupInformation.getCurrentUser().getShortUserName();
    int timeout =
        (int) conf.getTimeDuration(TIMEOUT, TimeUnit.SECONDS.toMillis(30), TimeUnit.MILLISECONDS);
    this.service =
        ServiceClient.of(
            conf.getTrimmed(SERVICE, DEFAULT_SERVICE), Connections.plain(user, timeout));
    this.clock = System::currentTimeMillis;
  }

  String user() {
    return user;
  }

  ServiceClient service() {
    return service;
  }

  long nowMillis() {
    return clock.getAsLong();
  }

  FileSystem hdfs() throws IOException {
    return FileSystem.get(conf);
  }
}
