// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

/**
 * What every error looks like.
 *
 * @param message what was wrong, with the values
 * @param where the parameter, field or thing that it was about
 * @param retriable whether the same request may succeed later
 */
public record ApiError(
    ErrorCode code, String message, String where, String whatToDo, boolean retriable) {}
