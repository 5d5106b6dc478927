// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What the demo was asked for.
 *
 * @param trace a trace to replay instead of the generated workload
 * @param scale of data and cluster together; 1 is 230 MB of files
 * @param accesses how many reads to replay; of a trace, the first rows
 * @param clients that read at the same time
 * @param configuration directory with the files that an administrator would copy
 */
record DemoOptions(
    Optional<Path> trace, double scale, int accesses, int clients, long seed, Path configuration) {}
