// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.wire.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;

/** What the service knows of a file, one view of it a command. */
final class FileCommand implements Command {
  private final String name;
  private final String help;
  private final BiConsumer<Object, PrintStream> view;

  private FileCommand(String name, String help, BiConsumer<Object, PrintStream> view) {
    this.name = name;
    this.help = help;
    this.view = view;
  }

  static FileCommand heat() {
    return new FileCommand(
        "-heat",
        "Prints how hot a file is, and where its copies are.",
        (file, out) -> {
          out.println("heat: " + Text.field(file, "file.heat") + " block reads, cooled");
          out.println("heat per MB: " + Text.field(file, "file.heatPerMb"));
          out.println("share of all disk time: " + Text.field(file, "readsShare"));
          out.println("rank: " + Text.field(file, "rank") + " of " + Text.field(file, "ranked"));
          out.println("fastest copy: " + Text.field(file, "file.fastest"));
          out.println("bytes of its copies, by type: " + Text.field(file, "copies"));
        });
  }

  static FileCommand explain() {
    return new FileCommand(
        "-explain",
        "Prints why a file is where it is, and what keeps it from elsewhere.",
        (file, out) -> {
          Object lines = Text.field(file, "explanation");
          Text.print(lines, out);
        });
  }

  static FileCommand suggest() {
    return new FileCommand(
        "-suggest",
        "Prints what the next plan does with a file, and why.",
        (file, out) -> {
          Object next = Text.field(file, "next");
          String held = Text.field(file, "held").toString();
          if (!next.equals("-")) {
            out.println(next);
          } else if (held.equals("-") || held.isEmpty()) {
            out.println("It stays where it is, on " + Text.field(file, "file.fastest") + ".");
          } else {
            out.println("It stays where it is: " + held);
          }
          Text.print(Text.field(file, "explanation"), out);
        });
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String usage() {
    return "-path <path> [-json]";
  }

  @Override
  public String help() {
    return help;
  }

  @Override
  public void run(List<String> given, Site site, PrintStream out) throws IOException {
    Arguments arguments =
        Arguments.of(
            given, Collections.singletonList("-path"), Collections.singletonList("-json"), 0);
    Object file = site.service().get("/files?path=" + ServiceClient.escaped(arguments.path()));
    if (arguments.has("-json")) {
      out.println(Json.write(file));
    } else {
      view.accept(file, out);
    }
  }
}
