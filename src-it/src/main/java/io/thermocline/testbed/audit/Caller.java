// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

/**
 * Who calls the NameNode.
 *
 * @param ugi as the audit log has it, with the kind of authentication
 * @param context the caller context; null: none
 */
record Caller(String ugi, String address, String context) {

  static Caller of(String user, int host, String context) {
    return new Caller(user + " (auth:SIMPLE)", address(host), context);
  }

  static String address(int host) {
    return "10.0." + host / 250 + "." + (1 + host % 250);
  }
}
