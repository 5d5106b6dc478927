// SPDX-License-Identifier: Apache-2.0
/** Which replica readers take, so which storage type serves a read, and what DataNodes count of it. Pure. */
package io.thermocline.tiering.readorder;
