// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

/** A segment log holds a line that can't be: it was damaged, or something else wrote to it. */
public final class SegmentLogException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient SegmentLog before;

  SegmentLogException(String message, SegmentLog before) {
    super(message);
    this.before = before;
  }

  /** What the lines before the bad one give. */
  public SegmentLog before() {
    return before;
  }
}
