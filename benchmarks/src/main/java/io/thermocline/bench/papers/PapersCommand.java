// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import io.thermocline.bench.FlatJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench papers}: what the placement papers published, and the same from our code. */
@Command(
    name = "papers",
    description =
        "The published placement results of the papers beside ours. What can't be reproduced from"
            + " the published inputs is said, with the reason.",
    mixinStandardHelpOptions = true)
public final class PapersCommand implements Callable<Integer> {
  /** Whose figures follow from their inputs: the same on every machine. */
  static final List<PaperSection> PAPERS =
      List.of(new SuoraPaper(), new AttributedPaper(), new ChoicePaper());

  private static final String HEAD =
      """
      # The placement papers, reproduced

      Written by `bin/thermocline bench papers --write docs/evidence`; a test compares this page with what \
      the command computes. Figures are the same on every machine. They have the papers' own \
      parameters, which differ from the placement policy's defaults. Times and measured memory are in \
      what the command prints.

      """;

  @Option(
      names = "--quick",
      description = "Smaller rings and fewer look-ups where time is measured.")
  private boolean quick;

  @Option(
      names = "--write",
      paramLabel = "DIR",
      description = "Write papers.md there: all but what depends on the machine.")
  private Path directory;

  @Override
  public Integer call() throws IOException {
    PaperReport report = run(PAPERS);
    String page = page(report);
    System.out.println(page);
    if (directory != null) {
      Files.createDirectories(directory);
      Files.writeString(directory.resolve("papers.md"), page);
    }
    PaperReport measured = run(List.of(new LookupTimes(quick)));
    System.out.print(measured.markdown());
    Map<String, Object> fields = new TreeMap<>(report.fields());
    fields.putAll(measured.fields());
    fields.put("benchmark", "papers");
    fields.put("quick", quick);
    fields.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(fields));
    return 0;
  }

  /** What is the same on every machine, as a page. */
  static String page(PaperReport report) {
    return HEAD + report.markdown().stripTrailing() + "\n";
  }

  static PaperReport run(List<PaperSection> sections) {
    PaperReport report = new PaperReport();
    for (PaperSection section : sections) {
      report.section(section.title());
      section.run(report);
    }
    return report;
  }
}
