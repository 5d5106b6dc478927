// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

/** Why a hint holds no more. */
public enum HintEnd {
  /** Its lease is over. */
  EXPIRED,
  /** Its owner was asked whether it still holds, as the data wasn't read, and didn't answer. */
  UNANSWERED,
  /** It was taken back. */
  REMOVED,
  /** Another one of the same kind was given for the same data, or it was renewed. */
  REPLACED,
  /** What it was about was deleted or made anew. */
  GONE,
  /** It goes on under another id, as what it is about was renamed. */
  MOVED
}
