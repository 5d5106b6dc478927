// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

/**
 * What a check found.
 *
 * @param where host, file or setting
 * @param what is the matter
 * @param why it matters; empty where that is plain
 * @param fix in words that can be pasted; empty where there is nothing to do
 */
public record Finding(Severity severity, String where, String what, String why, String fix) {

  static Finding unseen(String where, String why) {
    return new Finding(Severity.NOTE, where, "could not look: " + why, "", "");
  }
}
