// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import io.thermocline.hints.wire.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code -tiering}: how the service is, and whether it goes on. */
final class ExecutionControlCommand implements Command {

  @Override
  public String name() {
    return "-tiering";
  }

  @Override
  public String usage() {
    return "status [-json] | pause [-why <reason>] | resume [-why <reason>]";
  }

  @Override
  public String help() {
    return "Shows the state of the tiering service, pauses its moves, or resumes them. The reason is recorded.";
  }

  @Override
  public void run(List<String> given, Site site, PrintStream out) throws IOException {
    Arguments arguments =
        Arguments.of(
            given, Collections.singletonList("-why"), Collections.singletonList("-json"), 1);
    String what = arguments.words().isEmpty() ? "" : arguments.words().get(0);
    switch (what) {
      case "status":
        Object state = site.service().get("/state");
        if (arguments.has("-json")) {
          out.println(Json.write(state));
        } else {
          Text.print(state, out);
        }
        return;
      case "pause":
      case "resume":
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("dryRun", false);
        body.put(
            "why", arguments.has("-why") ? arguments.value("-why") : what + " by command line");
        Object answer = site.service().post("/control/" + what, body);
        out.println(Text.field(answer, "what"));
        return;
      default:
        throw new UsageException("one of status, pause and resume is needed");
    }
  }
}
