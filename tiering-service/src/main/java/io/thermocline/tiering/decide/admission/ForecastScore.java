// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

/**
 * What learning has brought so far; older reads count for less.
 *
 * @param learnedF1 of forecasting at each read, from what files alike were seen to do, whether the file is
 *     read again within half an hour: the harmonic mean of precision and recall at the best cut, 0 to 1
 * @param thresholdF1 the same from the number of reads alone
 * @param learnedHits that a tier filled by what was learned would have had
 * @param thresholdHits that a tier filled by the number of reads would have had
 * @param isLearnedInForce whether worth comes from what was learned
 */
public record ForecastScore(
    double learnedF1,
    double thresholdF1,
    double learnedHits,
    double thresholdHits,
    boolean isLearnedInForce) {}
