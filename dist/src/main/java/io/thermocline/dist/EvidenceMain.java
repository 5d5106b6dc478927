// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Looks whether measured figures are of the code as it is. */
@Command(
    name = "thermocline evidence",
    mixinStandardHelpOptions = true,
    description = {
      "Checks the pages of docs/evidence before a release. A page whose figures depend on the machine names the date,"
          + " the commit, the command and the code that was measured. Exit code 1 where that code has changed since,"
          + " or where a page names nothing and doesn't say that its figures are the same on every machine."
    })
public final class EvidenceMain implements Callable<Integer> {

  private static final Pattern MEASURED =
      Pattern.compile(
          "Measured on (\\d{4}-\\d{2}-\\d{2}), commit ([0-9a-f]{8,40}), with `bin/thermocline [^`]+`, of"
              + " ((?:`[^`]+`(?:, )?)+)\\.");

  private static final Pattern BEGUN = Pattern.compile("Measured on \\d");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  @Spec private CommandSpec spec;

  private final Path root = Path.of(System.getProperty("thermocline.home", "."));

  public static void main(String[] args) {
    System.exit(CommandLines.of(new EvidenceMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    List<String> wrong = new ArrayList<>();
    int figures = 0;
    try (Stream<Path> pages = Files.list(root.resolve("docs/evidence"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).sorted().toList()) {
        figures += check(page, wrong);
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    wrong.forEach(out::println);
    out.printf("%d measurements, %d of older code or unclear%n", figures, wrong.size());
    out.flush();
    return wrong.isEmpty() ? 0 : 1;
  }

  private int check(Path page, List<String> wrong) throws IOException {
    String text = Files.readString(page).replaceAll("\\s+", " ");
    String name = page.getFileName().toString();
    int measurements = 0;
    Matcher measured = MEASURED.matcher(text);
    while (measured.find()) {
      measurements++;
      since(measured.group(1), measured.group(2), measured.group(3))
          .ifPresent(what -> wrong.add(name + ": " + what));
    }
    if (BEGUN.matcher(text).results().count() != measurements) {
      wrong.add(
          name
              + ": a line isn't 'Measured on DATE, commit HASH, with `bin/thermocline ...`, of `PATH`, `PATH`.'");
    }
    if (measurements == 0 && !text.contains("the same on every machine")) {
      wrong.add(name + ": neither measured at a commit, nor the same on every machine");
    }
    return measurements;
  }

  private Optional<String> since(String date, String commit, String code) throws IOException {
    List<String> paths = CODE.matcher(code).results().map(path -> path.group(1)).toList();
    for (String path : paths) {
      if (!Files.exists(root.resolve(path))) {
        return Optional.of("there is no " + path);
      }
    }
    List<String> line = new ArrayList<>(List.of("log", "--format=%h", commit + "..HEAD", "--"));
    line.addAll(paths);
    Optional<String> log = git(line);
    if (log.isEmpty()) {
      return Optional.of("there is no commit " + commit);
    }
    long changes = log.get().lines().count();
    return changes == 0
        ? Optional.empty()
        : Optional.of(
            "measured on "
                + date
                + " at "
                + commit
                + "; commits since then to "
                + String.join(", ", paths)
                + ": "
                + changes);
  }

  /** What it prints, or nothing where it fails. */
  private Optional<String> git(List<String> arguments) throws IOException {
    List<String> line = new ArrayList<>(List.of("git", "-C", root.toString()));
    line.addAll(arguments);
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      return process.waitFor() == 0 ? Optional.of(out) : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
