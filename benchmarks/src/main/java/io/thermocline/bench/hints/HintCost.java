// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import io.thermocline.placement.model.DirectoryHints;
import io.thermocline.tiering.app.hints.NextPaths;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintEnd;
import io.thermocline.tiering.hints.HintLog;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.HintSettings;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.hints.StaticHints;
import io.thermocline.tiering.hints.Verdict;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** What hints cost one core, with 10,000 of them in force: for each access of the log, and for each file of a plan. */
final class HintCost {

  private static final int HINTS = 10_000;
  private static final int FILES = 200_000;
  private static final int SCAN_PER_PLAN = 1000;

  /** In milliseconds since 1970; a time that can be written. */
  private static final long NEVER = 253_000_000_000_000L;

  private static final long NAMESERVICE = PathKey.nameservice("ns");

  private final LongSupplier nanos;
  private final HintRegistry registry =
      new HintRegistry(HintSettings.DEFAULT, NAMESERVICE, new Unwritten());

  /**
   * @param nanos of processor time that this thread had
   */
  HintCost(LongSupplier nanos) {
    this.nanos = nanos;
    for (int i = 0; i < HINTS; i++) {
      registry.give(
          new GivenHint(
              Hint.onDirectory(Operation.ADVISE, directory(i))
                  .temperature(Temperature.HOT)
                  .owner("etl")
                  .leaseExpiryMillis(Long.MAX_VALUE)
                  .build(),
              i + 1,
              directory(i),
              0),
          0);
    }
  }

  private static String directory(int i) {
    return "/warehouse/db" + i % 100 + "/table" + i;
  }

  private static String path(int i) {
    return directory(i % (2 * HINTS)) + "/dt=2026-11-20/part-" + i + ".parquet";
  }

  /** Nanoseconds for a read that the log tells of. */
  double nanosOfAccess() {
    Read[] reads = new Read[FILES];
    for (int i = 0; i < FILES; i++) {
      reads[i] = new Read(PathHashes.of(NAMESERVICE, path(i)));
    }
    return best(i -> registry.accept(reads[i]));
  }

  /** Nanoseconds for a file of a plan: what its name says, and what hints do. */
  double nanosOfFile() {
    StaticHints names = new StaticHints(StaticHints.Level.LEVEL2, StaticHints.TABLE_2_2, 10 << 20);
    HintsInForce inForce = registry.inForce(1);
    String[] paths = new String[FILES];
    for (int i = 0; i < FILES; i++) {
      paths[i] = path(i);
    }
    long[] found = new long[1];
    double best =
        best(
            i -> {
              found[0] += names.isWanted(names.of(paths[i], 1 << 20)) ? 1 : 0;
              found[0] += inForce.of(paths[i]).isPresent() ? 1 : 0;
            });
    if (found[0] == 0) {
      throw new IllegalStateException("no file was hinted");
    }
    return best;
  }

  /**
   * Nanoseconds for a file of a plan, by which it is found whose attributes are looked at: {@code
   * scanPerPlan} of them as it is by default, of all from the beginning, in no order.
   *
   * @param files of the plan
   */
  double nanosOfScan(int files) {
    List<FileView> listed = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      listed.add(new FileView(path(i), 1 << 20, 3, 0, List.of(), "etl", null));
    }
    Collections.shuffle(listed, new Random(1));
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long start = nanos.getAsLong();
      if (NextPaths.of(listed, "", SCAN_PER_PLAN).size() != SCAN_PER_PLAN) {
        throw new IllegalStateException("fewer than " + SCAN_PER_PLAN + " paths");
      }
      best = Math.min(best, (double) (nanos.getAsLong() - start) / files);
    }
    return best;
  }

  /** Nanoseconds that a plan needs to put what is in force in order, once. */
  double nanosOfInForce() {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 50; round++) {
      long start = nanos.getAsLong();
      registry.inForce(1);
      best = Math.min(best, (double) nanos.getAsLong() - start);
    }
    return best;
  }

  /**
   * Nanoseconds by which a NameNode finds whether a new block's directory is hinted.
   *
   * @param lines of the file of hints on directories
   * @param offset 0 for files below the hinted directories, so many for those below others beside
   */
  double nanosOfNewBlock(int lines, int offset) {
    List<DirectoryHints.Line> hinted = new ArrayList<>();
    for (int i = 0; i < lines; i++) {
      hinted.add(DirectoryHints.Line.hint(directory(i), "ONE_SSD", NEVER));
    }
    DirectoryHints hints = DirectoryHints.parse(DirectoryHints.text(NEVER, hinted));
    String[] paths = new String[FILES];
    for (int i = 0; i < FILES; i++) {
      paths[i] = directory(offset + i % HINTS) + "/dt=2026-11-20/part-" + i + ".parquet";
    }
    int[] found = new int[1];
    double best = best(i -> found[0] += hints.of(paths[i], i) == null ? 0 : 1);
    if ((found[0] > 0) != (lines > offset)) {
      throw new IllegalStateException(found[0] + " of " + lines + " lines from " + offset);
    }
    return best;
  }

  /** Of five times. */
  private double best(IntConsumer each) {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long start = nanos.getAsLong();
      for (int i = 0; i < FILES; i++) {
        each.accept(i);
      }
      best = Math.min(best, (double) (nanos.getAsLong() - start) / FILES);
    }
    return best;
  }

  private record Read(PathHashes hashes) implements Access {
    @Override
    public Kind kind() {
      return Kind.READ;
    }

    @Override
    public long timeMillis() {
      return 1;
    }

    @Override
    public long key() {
      return hashes.key();
    }

    @Override
    public String path() {
      throw new IllegalStateException("a read's path isn't asked for");
    }

    @Override
    public String newPath() {
      return null;
    }

    @Override
    public PathHashes newHashes() {
      return null;
    }
  }

  private static final class Unwritten implements HintLog {
    @Override
    public void given(GivenHint hint) {
      // Disks are not what is measured.
    }

    @Override
    public void read(String id, long reads) {
      // As above.
    }

    @Override
    public void ended(GivenHint hint, HintEnd end, Verdict verdict) {
      // As above.
    }

    @Override
    public void tagged(String path, String stream) {
      // As above.
    }
  }
}
