// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

/** The published results of one paper beside ours. */
interface PaperSection {
  String title();

  void run(PaperReport report);
}
