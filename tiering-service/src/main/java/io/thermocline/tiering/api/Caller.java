// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

/**
 * Who asks.
 *
 * @param name as it is recorded with what they have done
 */
public record Caller(String name, Role role) {}
