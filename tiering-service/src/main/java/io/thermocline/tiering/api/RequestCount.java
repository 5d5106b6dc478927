// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.undertow.util.AttachmentKey;

/** Is told of requests that were answered. Thread-safe. */
@FunctionalInterface
public interface RequestCount {

  /** What is no route of the interface: pages, metrics, what there isn't. */
  String OTHER = "other";

  /** Which route a request is of. */
  AttachmentKey<String> ROUTE = AttachmentKey.create(String.class);

  /**
   * @param route method and path with its parameters' names, or {@link #OTHER}
   * @param status of HTTP
   * @param nanos from the request's first line to the answer's end
   */
  void answered(String route, int status, long nanos);
}
