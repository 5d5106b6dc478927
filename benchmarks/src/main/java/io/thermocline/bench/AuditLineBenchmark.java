// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.tiering.app.Seams;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One line of a NameNode's audit log, from its text to its place in the hotness table, and what one
 * writes first for that in the same run. Lines name paths by a Zipf law, with the commands of a
 * cluster at work; their order is kept, so that caches and branches see what they see in production.
 *
 * <p>{@code bin/thermocline bench audit}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AuditLineBenchmark {

  /** A power of two. */
  private static final int LINES = 1 << 18;

  /** What is compared. */
  public enum Counter {
    AUDIT(() -> new HeatCounter(Seams.system().clock())),
    PEER(RegexCounter::new);

    private final Supplier<LineCounter> maker;

    Counter(Supplier<LineCounter> maker) {
      this.maker = maker;
    }
  }

  @Param({"AUDIT", "PEER"})
  public Counter counter;

  @Param("100000")
  public int distinctPaths;

  @Param("1")
  public long seed;

  private String[] lines;
  private int next;
  private LineCounter counting;

  @Setup
  public void start() {
    List<String> generated = new AuditLines(distinctPaths, seed).next(LINES);
    lines = generated.toArray(String[]::new);
    counting = counter.maker.get();
    generated.forEach(counting::accept);
    // A counter that skipped lines would be fast.
    long opens =
        generated.stream()
            .filter(line -> line.contains("allowed=true\t") && line.contains("\tcmd=open\t"))
            .count();
    if (counting.reads() != opens) {
      throw new IllegalStateException(counter + ": " + counting.reads() + " reads of " + opens);
    }
  }

  @Benchmark
  public void line() {
    counting.accept(lines[next]);
    next = next + 1 & LINES - 1;
  }
}
