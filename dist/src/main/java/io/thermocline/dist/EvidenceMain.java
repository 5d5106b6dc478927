// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
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
          + " the commit, the command and the code that was measured, with its digest. Exit code 1 where that code has"
          + " changed since, or where a page names nothing and doesn't say that its figures are the same on every machine."
    })
public final class EvidenceMain implements Callable<Integer> {

  private static final Pattern MEASURED =
      Pattern.compile(
          "Measured on (\\d{4}-\\d{2}-\\d{2}), (?:commit [0-9a-f]{8,40}, code ([0-9a-f]{12})|with an earlier"
              + " version), with `bin/thermocline [^`]+`, of"
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
              + ": a line isn't 'Measured on DATE, commit HASH, code DIGEST, with `bin/thermocline ...`, of `PATH`, `PATH`.'");
    }
    if (measurements == 0 && !text.contains("the same on every machine")) {
      wrong.add(name + ": neither measured at a commit, nor the same on every machine");
    }
    return measurements;
  }

  private Optional<String> since(String date, String digest, String code) throws IOException {
    List<String> paths = CODE.matcher(code).results().map(path -> path.group(1)).toList();
    for (String path : paths) {
      if (!Files.exists(root.resolve(path))) {
        return Optional.of("there is no " + path);
      }
    }
    String now = digest(paths);
    return now.equals(digest)
        ? Optional.empty()
        : Optional.of(
            "measured on "
                + date
                + "; "
                + String.join(", ", paths)
                + " changed since: code "
                + now);
  }

  /**
   * The first twelve digits of what {@code find PATHS -type f | LC_ALL=C sort | xargs sha256sum |
   * sha256sum} prints: unlike the id of a commit it can be compared without a history, and after a
   * rebase.
   */
  private String digest(List<String> paths) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String path : paths) {
      try (Stream<Path> below = Files.walk(root.resolve(path))) {
        below.filter(Files::isRegularFile).forEach(files::add);
      }
    }
    StringBuilder lines = new StringBuilder();
    for (String file :
        files.stream().map(each -> root.relativize(each).toString()).sorted().toList()) {
      lines
          .append(sha256(Files.readAllBytes(root.resolve(file))))
          .append("  ")
          .append(file)
          .append('\n');
    }
    return sha256(lines.toString().getBytes(StandardCharsets.UTF_8)).substring(0, 12);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
