// SPDX-License-Identifier: Apache-2.0
/**
 * What needs HDFS's superuser as a process of its own: what it may be asked, its own checks of each
 * request, and both ends of the socket.
 */
package io.thermocline.tiering.act.mover;
