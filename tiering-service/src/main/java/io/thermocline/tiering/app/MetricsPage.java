// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.api.Mount;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.metrics.Metrics;
import io.undertow.util.Headers;
import java.util.Optional;

/** What Prometheus asks for. */
final class MetricsPage {

  private MetricsPage() {}

  static Mount of(Metrics metrics) {
    return new Mount(
        "/metrics",
        Optional.of(Role.VIEWER),
        exchange -> {
          exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, Metrics.CONTENT_TYPE);
          exchange.getResponseSender().send(metrics.text());
        });
  }
}
