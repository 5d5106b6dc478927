// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.undertow.server.HttpHandler;

/**
 * Something beside the routes: pages, a stream of events, text for another program.
 *
 * @param prefix of its paths, from the root
 * @param needs the least role
 * @param handler sees the paths without the prefix; runs on a thread that may wait
 */
public record Mount(String prefix, Role needs, HttpHandler handler) {}
