// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

/** The sizes of section 3.5: chunks of 256 MB, parts of 64 MB. */
final class Extents {
  static final long PART = 64L << 20;
  static final int PARTS = 4;
  static final long CHUNK = PARTS * PART;

  private Extents() {}
}
