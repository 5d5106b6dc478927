// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

/** Copies that actions and groups have had made, beside those of moves. Thread-safe. */
public final class ExtraCopies {

  private int running;
  private boolean wereAny;

  /** So many run from now on; said by the thread that carries plans out. */
  public synchronized void running(int copies) {
    running = copies;
    wereAny |= copies > 0;
  }

  /** Whether any ran since this was asked last, by the one who asks. */
  synchronized boolean wereAny() {
    boolean any = wereAny;
    wereAny = running > 0;
    return any;
  }
}
