// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import java.util.List;

/**
 * Requests in the order of time, and what they are to be replayed on (section 3.5).
 *
 * @param scmBytes size of the pool of storage class memory
 * @param ssdBytes size of the pool of solid state drives
 * @param epochSeconds how often placement is decided
 */
record BlockTrace(
    String name, List<BlockRequest> requests, long scmBytes, long ssdBytes, double epochSeconds) {}
