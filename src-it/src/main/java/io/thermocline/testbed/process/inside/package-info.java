// SPDX-License-Identifier: Apache-2.0
/**
 * What runs inside the processes of a {@link io.thermocline.testbed.process.ProcessCluster}, beside
 * Hadoop's own classes and on any of its versions: nothing here may use what only one of them has.
 */
package io.thermocline.testbed.process.inside;
