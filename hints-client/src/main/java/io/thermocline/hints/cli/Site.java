// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.fs.ConfiguredService;
import io.thermocline.placement.model.SystemRuntime;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** Where a command runs: who asks, HDFS, the service, the time. */
final class Site {
  private static final String DEFAULT_SERVICE = "http://localhost:8480";
  private static final int TIMEOUT_MILLIS = 30_000;

  private final Configuration conf;
  private final String user;
  private final ServiceClient service;
  private final LongSupplier clock;

  /** By {@code thermocline.hints.service}, or what runs on this host. */
  @SystemRuntime
  Site(Configuration conf) throws IOException {
    this.conf = conf;
    this.user = UserGroupInformation.getCurrentUser().getShortUserName();
    this.service = ConfiguredService.of(conf, DEFAULT_SERVICE, user, TIMEOUT_MILLIS);
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
