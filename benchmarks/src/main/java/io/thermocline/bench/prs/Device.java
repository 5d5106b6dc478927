// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

/** A device of a storage node, in virtual time. */
interface Device {

  /**
   * @param place in bytes on the device
   * @param done when the bytes are there
   */
  void ask(long place, long bytes, boolean write, Runnable done);

  /**
   * About how long a request of so many bytes would take now, in seconds: what is in the queue
   * counts.
   */
  double wouldTake(long bytes);

  /** One that takes no time. */
  static Device instant() {
    return new Device() {
      @Override
      public void ask(long place, long bytes, boolean write, Runnable done) {
        done.run();
      }

      @Override
      public double wouldTake(long bytes) {
        return 0;
      }
    };
  }
}
