// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.demo.report.RunRecord;
import java.util.List;

/**
 * What a run came to.
 *
 * @param problems what must not be: moves not verified, files changed, reads failed; empty when all is
 *     well
 */
record DemoResult(RunRecord record, List<String> problems) {
  DemoResult {
    problems = List.copyOf(problems);
  }
}
