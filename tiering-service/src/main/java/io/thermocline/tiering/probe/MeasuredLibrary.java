// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.probe;

import io.thermocline.placement.model.StorageType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of a pattern library with the weights that were measured: conf/chew.yaml, with the patterns as they are there, for
 * the storage types that there are.
 */
public final class MeasuredLibrary {

  /*
   * The example has three pools, from the fastest. Where a cluster has only two besides ARCHIVE, what is for the first two goes to
   * the faster one. ARCHIVE takes what nobody reads.
   */
  private static final String TEMPLATE = "chew.yaml";

  private static final Pattern POOLS = Pattern.compile("pools: \\[([^\\]]*)]");
  private static final Pattern FIT = Pattern.compile("(?m)^  (NVDIMM|SSD): (\\{threshold: .*\\n)");
  private static final String LOW = "      low: {weight: {below: 10},";

  /** From the line of comment before this on, the example is taken over. */
  private static final String REST = "\nweighedOn: SSD";

  private final Probed probed;
  private final ProbeLimits limits;
  private final List<StorageType> roles;

  /**
   * @throws IOException where fewer than two types were measured, of which one isn't ARCHIVE
   */
  public MeasuredLibrary(Probed probed, ProbeLimits limits) throws IOException {
    this.probed = probed;
    this.limits = limits;
    List<StorageType> pools =
        probed.speeds().stream()
            .map(TypeSpeed::type)
            .filter(type -> type != StorageType.ARCHIVE)
            .toList();
    if (probed.speeds().size() < 2) {
      throw new IOException(
          "a pattern library is about two storage types at least, and "
              + probed.speeds().size()
              + " was measured");
    }
    StorageType slowest = pools.get(pools.size() - 1);
    this.roles = List.of(pools.get(0), pools.get(pools.size() > 2 ? 1 : 0), slowest);
  }

  /** The whole file. */
  public String text() throws IOException {
    return header() + weights() + volumes() + rest();
  }

  private String header() {
    StringBuilder text =
        new StringBuilder(
            """
            # Patterns of chunks, the pools that suit them, and the weights of requests: the Pattern-to-Pool library.
            # Written by "thermocline probe", to be read and edited; docs/guides/chew.md explains every key.
            #
            # Measured through HDFS, as one client sees it, with one reader or writer at a time and files of one copy: no more
            # than %d s and %d bytes written for each storage type. A write counts until its block is on the device; no byte
            # was read twice, and DataNodes were asked not to keep them in memory, which they do where they have Hadoop's native
            # library: where they don't, what was read may have come from there, and so be faster than the device.
            #
            # Sizes: 64 MB (powers of 1024). Shares: 50 %%. A key that is not listed here is an error.

            """
                .formatted(limits.time().toSeconds(), limits.bytes()));
    for (TypeSpeed speed : probed.speeds()) {
      text.append(
          line(
              """
              # %s, %s, a file of %d bytes under %s:
              #   written at %.2f MB/s, made anew at %.2f MB/s, read in sequence at %.2f MB/s; %.1f reads of 64 KB a second at random
              """,
              speed.type(),
              speed.at().truncatedTo(ChronoUnit.SECONDS),
              speed.bytes(),
              speed.policy(),
              speed.write() / (1 << 20),
              speed.overwrite() / (1 << 20),
              speed.sequential() / (1 << 20),
              speed.random()));
    }
    probed.unmeasured().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            one ->
                text.append(
                    line(
                        "# %s was not measured, and is no pool here: %s\n",
                        one.getKey(), one.getValue())));
    return text.append('\n').toString();
  }

  private String weights() {
    StringBuilder text =
        new StringBuilder(
            """
            # What a request of 64 KB costs on each pool, relative to its cheapest read there; the fastest pool first. A request's
            # weight is the product of: read or write, sequential or random, and overwrite where it is one; writes once more by
            # wear, which can't be measured but only chosen.
            weights:
            """);
    for (TypeSpeed speed : probed.speeds()) {
      text.append(
          line(
              "  %s: {read: 1, write: %.3f, sequential: 1, random: %.3f, overwrite: %.3f, wear: 1}\n",
              speed.type(),
              Math.max(0.001, speed.writeWeight()),
              speed.randomWeight(),
              speed.overwriteWeight()));
    }
    return text.append('\n').toString();
  }

  private String volumes() {
    StringBuilder text =
        new StringBuilder(
            """
            # What one volume serves to one client: random reads a second, and bytes a second in sequence. A pool has this for
            # each of its volumes; each placed chunk uses up its part (equation 3.5).
            volumes:
            """);
    for (TypeSpeed speed : probed.speeds()) {
      text.append(
          line(
              "  %s: {requests: %.1f, bytes: %d KB}\n",
              speed.type(),
              Math.max(0.1, speed.random()),
              Math.max(1, (long) speed.sequential() >> 10)));
    }
    return text.append('\n').toString();
  }

  private String rest() throws IOException {
    String example;
    try (InputStream in = MeasuredLibrary.class.getResourceAsStream(TEMPLATE)) {
      example = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String text = example.substring(example.lastIndexOf('\n', example.indexOf(REST) - 1) + 1);
    text = text.replace("weighedOn: SSD", "weighedOn: " + roles.get(1));
    boolean isShared = roles.get(0) == roles.get(1);
    text =
        FIT.matcher(text)
            .replaceAll(
                found ->
                    isShared && found.group(1).equals("NVDIMM")
                        ? ""
                        : Matcher.quoteReplacement(
                            "  " + pool(found.group(1)) + ": " + found.group(2)));
    text =
        POOLS
            .matcher(text)
            .replaceAll(
                found ->
                    Arrays.stream(found.group(1).split(", "))
                        .map(this::pool)
                        .distinct()
                        .collect(Collectors.joining(", ", "pools: [", "]")));
    return hasArchive()
        ? text.replace(
            LOW,
            "      idle: {weight: {below: 0.01}, pools: [ARCHIVE]}\n"
                + "      low: {weight: {from: 0.01, below: 10},")
        : text;
  }

  private boolean hasArchive() {
    return probed.speeds().stream().anyMatch(speed -> speed.type() == StorageType.ARCHIVE);
  }

  private String pool(String example) {
    return switch (example) {
      case "NVDIMM" -> roles.get(0).name();
      case "SSD" -> roles.get(1).name();
      default -> roles.get(2).name();
    };
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
