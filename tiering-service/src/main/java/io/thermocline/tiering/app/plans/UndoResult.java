// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import java.util.List;
import java.util.Map;

/**
 * What came of taking a plan back, or would come of it.
 *
 * @param plan that is taken back
 * @param number of the plan that takes it back, under which its moves are in the journal; 0: nothing was done
 * @param paths that are as they were
 * @param moves of replicas back to where they were
 * @param refused paths that are left as they are, or of which not all went back, with the reason of each
 */
public record UndoResult(
    long plan, long number, List<String> paths, int moves, Map<String, String> refused) {}
