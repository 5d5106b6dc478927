// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

/** The four atomic operations of HintStor (thesis, chapter 2.3.2). */
public enum Operation {
  /** Write new data somewhere else than it would go, because its usual place is overloaded. */
  REDIRECT,
  /** Move data that exists. */
  MIGRATE,
  /** Keep a further copy of data that exists. */
  REPLICATE,
  /** Load data into a reserved part of a fast tier ahead of its use; dropped when space runs out. */
  PREFETCH
}
