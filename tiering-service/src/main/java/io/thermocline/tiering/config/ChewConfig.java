// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.classify.PatternLibrary;
import io.thermocline.tiering.decide.pools.SplitLimits;
import io.thermocline.tiering.decide.pools.VolumeSpeed;
import java.util.Map;

/**
 * What {@link ChewFile} holds.
 *
 * @param window epochs that chunks are placed by
 * @param smallBelow bytes; shorter files of a directory are one chunk
 * @param volumes what one volume of each pool can serve, fastest first
 */
public record ChewConfig(
    PatternLibrary library,
    SplitLimits split,
    int window,
    long smallBelow,
    Map<String, VolumeSpeed> volumes) {}
