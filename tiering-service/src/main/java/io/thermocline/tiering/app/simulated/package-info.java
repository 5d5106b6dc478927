// SPDX-License-Identifier: Apache-2.0
/** The service's own planning on a virtual cluster and a virtual clock, as a policy of the simulator. */
package io.thermocline.tiering.app.simulated;
