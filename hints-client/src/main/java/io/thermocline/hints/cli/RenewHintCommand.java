// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import io.thermocline.hints.client.ServiceClient;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * {@code -renewHint}: a new lease, which is also the answer to the service's question whether it
 * still holds.
 */
final class RenewHintCommand implements Command {

  @Override
  public String name() {
    return "-renewHint";
  }

  @Override
  public String usage() {
    return "-id <id> -lease <duration>";
  }

  @Override
  public String help() {
    return "Gives a hint a new lease, which begins now. This also answers the service if it asks whether the hint"
        + " still holds (-listHints -due).";
  }

  @Override
  public void run(List<String> given, Site site, PrintStream out) throws IOException {
    Arguments arguments =
        Arguments.of(given, Arrays.asList("-id", "-lease"), Collections.emptyList(), 0);
    String id = arguments.required("-id");
    long lease = arguments.duration("-lease");
    Object hint =
        site.service()
            .post(
                "/hints/" + ServiceClient.escaped(id) + "/renew",
                Collections.singletonMap("leaseMillis", lease));
    Object expires = Text.field(hint, "expires");
    out.println(
        "Hint "
            + id
            + " holds"
            + (expires instanceof Long ? " until " + Instant.ofEpochMilli((Long) expires) : "")
            + ".");
  }
}
