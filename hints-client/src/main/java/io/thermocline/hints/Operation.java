// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

/**
 * What a hint asks for: nothing but to be known, one of the four atomic operations of HintStor (thesis,
 * chapter 2.3.2), or to be left alone.
 */
public enum Operation {
  /** Nothing in particular: expect what the hint says, and do what follows from it. */
  ADVISE,
  /** Write new data somewhere else than it would go, because its usual place is overloaded. */
  REDIRECT,
  /** Move data that exists. */
  MIGRATE,
  /** Keep a further copy of data that exists. */
  REPLICATE,
  /** Load data into a reserved part of a fast tier ahead of its use; dropped when space runs out. */
  PREFETCH,
  /** Keep the data on the tier that meets the requirement, or where it is if none, however cold. */
  PIN
}
