// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.review;

/** What somebody wants of a plan can't be, with what to do instead. */
public final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Why, as the interface names it. */
  public enum Reason {
    NO_SUCH_PLAN,
    PLAN_STALE,
    PLAN_ENDED,
    PLAN_RUNNING,
    PLAN_NOT_APPROVED,
    PLAN_ALREADY_APPROVED,
    SAME_APPROVER,
    SHADOW_MODE
  }

  private final Reason reason;
  private final String whatToDo;

  RefusedException(Reason reason, String message, String whatToDo) {
    super(message);
    this.reason = reason;
    this.whatToDo = whatToDo;
  }

  public Reason reason() {
    return reason;
  }

  public String whatToDo() {
    return whatToDo;
  }
}
