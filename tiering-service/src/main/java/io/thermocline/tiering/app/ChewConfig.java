// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.classify.PatternLibrary;
import io.thermocline.tiering.decide.pools.SplitLimits;

/**
 * What {@link ChewFile} holds.
 *
 * @param smallBelow bytes; shorter files of a directory are one chunk
 */
public record ChewConfig(PatternLibrary library, SplitLimits split, long smallBelow) {}
