// SPDX-License-Identifier: Apache-2.0
/**
 * What an administrator can fall into, one check each: pure functions of facts that were
 * gathered
 * before. docs/reference/doctor.md lists them.
 */
package io.thermocline.tiering.doctor;
