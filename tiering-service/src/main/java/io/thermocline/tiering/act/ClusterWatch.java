// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds back what acts while something else is at work in the cluster, or the calendar says so;
 * and says by how much copies are to give way. To be asked to {@link #look} from time to time,
 * by one thread.
 */
public final class ClusterWatch {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);
  private static final String CALENDAR = "calendar";
  private static final String CLUSTER = "cluster";
  private static final String READERS = "readers";

  /** HDFS makes replicas that are missing. */
  private static final String REPLICATION = "replication";

  /** Keeps nothing from being begun. */
  private static final String REDUNDANCY = "redundancy";

  /** What HDFS can mend falls within that time, also while it works at other blocks first. */
  private static final Duration RECOVERS_WITHIN = Duration.ofMinutes(10);

  /** What holds back while the mover, a process apart, isn't there or does nothing now. */
  static final String MOVER = "mover";

  private static final String UNANSWERED = "HDFS can't be asked what else goes on: ";

  private final Reader reader;
  private volatile Windows windows;
  private final Surroundings.Bounds bounds;
  private final ExecutionControl control;
  private final BackEnd backEnd;
  private final Clock clock;
  private final ForegroundGuard guard;
  private final Duration recoversWithin;
  private final RecoveryWatch recovery;
  private final RecoveryWatch urgent;

  /** That moves go on although blocks have too few replicas, in words; empty where they don't. */
  private volatile String unmended = "";

  private String last = "";
  private String lastWhy = "";

  /** Looks at HDFS. */
  @FunctionalInterface
  public interface Reader {
    Surroundings read() throws IOException, InterruptedException;
  }

  public ClusterWatch(
      Reader reader,
      Windows windows,
      Surroundings.Bounds bounds,
      ExecutionControl control,
      BackEnd backEnd,
      Clock clock) {
    this(reader, windows, bounds, control, backEnd, clock, RECOVERS_WITHIN);
  }

  /**
   * @param recoversWithin how long moves wait for a number of blocks with too few replicas that doesn't fall
   */
  public ClusterWatch(
      Reader reader,
      Windows windows,
      Surroundings.Bounds bounds,
      ExecutionControl control,
      BackEnd backEnd,
      Clock clock,
      Duration recoversWithin) {
    this.reader = reader;
    this.windows = windows;
    this.bounds = bounds;
    this.control = control;
    this.backEnd = backEnd;
    this.clock = clock;
    this.guard = new ForegroundGuard(bounds.readFactor());
    this.recoversWithin = recoversWithin;
    this.recovery = new RecoveryWatch(bounds.lowRedundancy(), recoversWithin);
    this.urgent = new RecoveryWatch(bounds.lowRedundancy(), recoversWithin);
    control.notice(REDUNDANCY, () -> unmended);
  }

  /** Other times from now on. */
  public void windows(Windows next) {
    windows = next;
    keepToCalendar();
  }

  /** One at a time, so that none goes by times that another has replaced. */
  private synchronized void keepToCalendar() {
    hold(CALENDAR, windows.closed(clock.instant()).orElse(""));
  }

  /** Looks once. Where HDFS doesn't answer, that is a reason to hold back too. */
  public void look() throws InterruptedException {
    keepToCalendar();
    String hindrance;
    String recovery = "";
    String mover = "";
    try {
      Surroundings seen = reader.read();
      hindrance = seen.hindrance();
      recovery = recovery(seen.lowRedundancy());
      giveWay(seen);
    } catch (HeldBackException e) {
      hindrance = "";
      mover = e.getMessage();
    } catch (IOException | RuntimeException e) {
      hindrance = UNANSWERED + e;
    }
    // Each NameNode fails in its own words, and each look sees other numbers: that is no news.
    String news =
        (hindrance.startsWith(UNANSWERED) ? UNANSWERED : hindrance + mover)
            + (recovery.isEmpty() ? "" : REPLICATION);
    if (!news.equals(last)) {
      String all =
          hindrance
              + mover
              + (recovery.isEmpty() || hindrance.isEmpty() ? recovery : "; " + recovery);
      LOG.info("{}", all.isEmpty() ? "nothing in the cluster hinders moves" : "held: " + all);
    }
    last = news;
    hold(CLUSTER, hindrance);
    hold(REPLICATION, recovery);
    hold(MOVER, mover);
  }

  /** What HDFS mends is waited for; what it doesn't is only told of. */
  private String recovery(Surroundings.LowRedundancy low) {
    RecoveryWatch.State ofAll = recovery.look(low.blocks(), clock.millis());
    RecoveryWatch.State ofUrgent = urgent.look(low.urgent(), clock.millis());
    boolean isUrgent = ofUrgent == RecoveryWatch.State.RECOVERING;
    boolean wasUnmended = !unmended.isEmpty();
    unmended = ofAll == RecoveryWatch.State.STUCK && !isUrgent ? unmended(low.blocks()) : "";
    if (!unmended.isEmpty() && !wasUnmended) {
      LOG.warn("{}", unmended);
    }
    if (ofAll == RecoveryWatch.State.RECOVERING) {
      return low.blocks() + " blocks have too few replicas" + bound() + waits(recovery);
    }
    return isUrgent
        ? low.urgent() + " blocks have one live replica at most" + bound() + waits(urgent)
        : "";
  }

  private static String waits(RecoveryWatch by) {
    return ": moves wait for HDFS to make more since "
        + second(by.waitsSinceMillis())
        + ", until "
        + second(by.waitsUntilMillis())
        + " if the number doesn't fall";
  }

  private static Instant second(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS);
  }

  private String unmended(long blocks) {
    return "moves go on although "
        + blocks
        + " blocks have too few replicas: their number has not gone down for "
        + recoversWithin.toSeconds()
        + " s"
        + bound();
  }

  private String bound() {
    return " (act.throttle.lowRedundancy: " + bounds.lowRedundancy() + ")";
  }

  private void giveWay(Surroundings seen) {
    Set<String> busy = seen.busy(bounds);
    if (!guard.isOff()) {
      ForegroundGuard.Verdict verdict =
          guard.look(seen.reads(), backEnd.throttle(), control.beside().wereAny());
      busy.addAll(verdict.slowed());
      // Where it is none, the hold keeps new ones from beginning. What was tried before is given up
      // in
      // its turn when all is to end, and needs one.
      backEnd.atMost(Math.max(1, verdict.copies()), verdict.why());
      if (!verdict.why().equals(lastWhy)) {
        LOG.info("{}", verdict.why().isEmpty() ? "readers don't wait for copies" : verdict.why());
      }
      lastWhy = verdict.why();
      hold(READERS, verdict.copies() == 0 ? verdict.why() : "");
    }
    backEnd.without(seen.silent());
    backEnd.giveWay(busy, seen.rpcQueueMillis() > bounds.rpcQueueMillis());
  }

  private void hold(String name, String why) {
    if (why.isEmpty()) {
      control.release(name);
    } else {
      control.hold(name, why);
    }
  }
}
