// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.review;

import java.time.Instant;

/** Somebody's word for a plan. */
public record Approval(String who, String why, Instant at) {}
