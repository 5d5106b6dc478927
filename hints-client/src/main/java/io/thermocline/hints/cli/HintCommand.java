// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.client.HintAnswer;
import io.thermocline.hints.client.ServiceException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.Path;

/** {@code -hint}: says something about a file, a directory or a stream. */
final class HintCommand implements Command {
  private static final List<String> VALUED =
      Arrays.asList(
          "-path",
          "-stream",
          "-lease",
          "-at",
          "-by",
          "-op",
          "-pattern",
          "-temperature",
          "-requirement",
          "-tag");

  @Override
  public String name() {
    return "-hint";
  }

  @Override
  public String usage() {
    return "-path <path> | -stream <tag>  -lease <duration> [-at <time>] [-by <time>] [-op <operation>] [-pattern <pattern>]"
        + " [-temperature <cold|warm|hot>] [-requirement <requirement>] [-tag <stream>] [-dryRun]";
  }

  @Override
  public String help() {
    return "Tells the tiering service what to expect of a file, of all files in a directory or in a"
        + " stream, for as long as the lease. The same again, before it ends, renews it.\n"
        + "operation: advise (default), redirect, migrate, replicate, prefetch, pin\n"
        + "pattern: write-intensive, read-intensive, random-write, sequential, archival, backup,"
        + " write-once-scan-once, temporary\n"
        + "requirement: low-latency, throughput, cheap\n"
        + "-at: when the hint begins, for example 05:30 or 2026-11-25T05:30; now by default. The lease counts from"
        + " now in any case\n"
        + "-by: when the files must be there. Without -at the hint begins earlier by the time that their bytes take"
        + " at 50 MB/s, and five minutes\n"
        + "-tag: the stream that the files belong to\n"
        + "-dryRun: only says whether the service would accept the hint";
  }

  @Override
  public void run(List<String> given, Site site, PrintStream out) throws IOException {
    Arguments arguments = Arguments.of(given, VALUED, Collections.singletonList("-dryRun"), 0);
    long now = site.nowMillis();
    long expiry = now + arguments.duration("-lease");
    long start = start(arguments, site, now, expiry);
    Hint.Builder about =
        about(arguments, site)
            .startMillis(start)
            .pattern(arguments.constant("-pattern", AccessPattern.UNKNOWN))
            .temperature(arguments.constant("-temperature", Temperature.UNKNOWN))
            .requirement(arguments.constant("-requirement", Requirement.NONE))
            .stream(arguments.value("-tag"))
            .owner(site.user())
            .source(Source.USER)
            .leaseExpiryMillis(expiry);
    Hint hint;
    try {
      hint = about.build();
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage());
    }
    boolean dryRun = arguments.has("-dryRun");
    HintAnswer answer = site.service().give(Collections.singletonList(hint), now, dryRun).get(0);
    if (!answer.isTaken()) {
      throw new ServiceException(answer.error(), answer.message());
    }
    out.println(
        dryRun
            ? "The hint would be taken."
            : "The hint is taken"
                + (answer.id() == null ? "" : " as " + answer.id())
                + (start == 0 ? "" : " and begins at " + Instant.ofEpochMilli(start))
                + (answer.task() == null
                    ? "."
                    : "; task " + answer.task() + " says what comes of it."));
  }

  /** When the hint begins, in milliseconds since 1970; 0: at once. */
  private static long start(Arguments arguments, Site site, long now, long expiry)
      throws IOException {
    ZoneId zone = ZoneId.systemDefault();
    long at = arguments.has("-at") ? HintTimes.parse("-at", arguments.value("-at"), now, zone) : 0;
    long by = arguments.has("-by") ? HintTimes.parse("-by", arguments.value("-by"), now, zone) : 0;
    HintTimes.check(at, by, expiry);
    if (at > 0 || by == 0) {
      return at;
    }
    if (arguments.has("-stream")) {
      throw new UsageException("-by needs -path, whose bytes tell when to begin: give -at");
    }
    long bytes = site.hdfs().getContentSummary(new Path(arguments.path())).getLength();
    long start = HintTimes.startFor(by, bytes, now);
    return start > now ? start : 0;
  }

  private static Hint.Builder about(Arguments arguments, Site site) throws IOException {
    Operation operation = arguments.constant("-op", Operation.ADVISE);
    if (arguments.has("-stream") == arguments.has("-path")) {
      throw new UsageException("one of -path and -stream is needed");
    }
    if (arguments.has("-stream")) {
      return Hint.onStream(operation, arguments.value("-stream"));
    }
    String path = arguments.path();
    try {
      return site.hdfs().getFileStatus(new Path(path)).isDirectory()
          ? Hint.onDirectory(operation, path)
          : Hint.onFile(operation, path);
    } catch (FileNotFoundException e) {
      throw new FileNotFoundException("NO_SUCH_FILE: " + path + " does not exist");
    }
  }
}
