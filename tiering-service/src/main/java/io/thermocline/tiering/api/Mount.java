// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.undertow.server.HttpHandler;
import io.undertow.util.AttachmentKey;
import java.util.Optional;

/**
 * Something beside the routes: pages, a stream of events, text for another program.
 *
 * @param prefix of its paths, from the root; "/" is that path alone
 * @param needs the least role; empty: whoever asks is answered
 * @param handler sees the paths without the prefix, and {@link #CALLER} where a role is needed;
 *     runs on a thread that may wait
 */
public record Mount(String prefix, Optional<Role> needs, HttpHandler handler) {

  /** Who asks. */
  public static final AttachmentKey<Caller> CALLER = AttachmentKey.create(Caller.class);
}
