// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

/** The jars of a Hadoop version can't be had on this machine: no Maven, or no network and not fetched before. */
public final class UnresolvedHadoopException extends Exception {

  private static final long serialVersionUID = 1;

  UnresolvedHadoopException(String message) {
    super(message);
  }
}
