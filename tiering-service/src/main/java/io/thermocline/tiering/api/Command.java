// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/**
 * The body of every request that changes something. Nothing is changed unless it says so.
 *
 * @param dryRun null: true
 * @param requestId null: that of the header X-Request-Id, or none
 */
public record Command(
    @JsonPropertyDescription("false: do it; otherwise it is only said what would be done")
        Boolean dryRun,
    @JsonPropertyDescription("recorded with what is done; required unless it is a dry run")
        String why,
    @JsonPropertyDescription("the same id again gets the same answer, and nothing is done twice")
        String requestId)
    implements Change {}
