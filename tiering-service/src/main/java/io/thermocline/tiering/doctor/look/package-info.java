// SPDX-License-Identifier: Apache-2.0
/**
 * Gathers the facts that checks look at: this host, HDFS, its servers' pages. Changes nothing.
 */
package io.thermocline.tiering.doctor.look;
