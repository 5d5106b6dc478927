// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import io.thermocline.tiering.heat.SavedState;
import io.thermocline.tiering.heat.StateSource;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathKey;
import java.util.Map;

/**
 * A {@link AdmissionModel} that is fed with accesses. These tell no lengths: reads wait until a plan has seen their
 * files. Memory is bounded. Thread-safe: one thread hands in accesses, one plans, and either may save.
 */
public final class LearnedAdmission {

  /*
   * The model is a function of the reads in their order and of the files' lengths, not of when a plan came by. So
   * a state that was saved, with what waits, and the accesses after it give the model that an uninterrupted run
   * gives, bit for bit, as heat does. But a read that turns out to be of a scan is taken back only while it waits.
   * What was moved comes from the journal, which tells it once: by the time of its last entry, which is saved too.
   *
   * A file that is renamed begins anew, and so does one of another length.
   */

  /** Of more files, the one that wasn't read for longest is forgotten. */
  public static final int MOST_FILES = 1 << 20;

  /** 16 bytes each. Reads that come faster between two plans push out the oldest. */
  private static final int MOST_WAITING = 1 << 22;

  /** Learned at once, before the thread that hands in accesses may go on. */
  private static final int AT_ONCE = 4_096;

  /** Share of the tier's size by which it may change unheeded. */
  private static final double TOLERANCE = 0.02;

  private final long nameservice;
  private final int mostFiles;

  /** Null until a plan has told how large the fast tier is. */
  private AdmissionModel model;

  private WaitingReads waiting = new WaitingReads(MOST_WAITING);
  private long toldMillis = Long.MIN_VALUE;

  /**
   * @param nameservice whose files it follows
   * @param mostFiles that are followed, up to {@link #MOST_FILES}
   */
  public LearnedAdmission(String nameservice, int mostFiles) {
    this.nameservice = PathKey.nameservice(nameservice);
    this.mostFiles = Math.min(MOST_FILES, mostFiles);
  }

  /**
   * The lengths that a plan is asked for; the planning thread's.
   *
   * @param upTo number of the first read that came later
   * @param lengths in bytes, by key
   */
  public record Asked(long nameservice, long upTo, Map<Long, Long> lengths) {

    /** There is such a file. */
    public void tell(String path, long length) {
      if (!lengths.isEmpty()) {
        lengths.replace(PathKey.of(nameservice, path), length);
      }
    }
  }

  /** Notes reads, and takes back those of scans. What happened in another nameservice is none of its business. */
  public synchronized void accept(Access access) {
    if (access.nameservice() == nameservice || access.nameservice() == 0) {
      // Those who share a file read it once together.
      if (access.kind() == Access.Kind.READ && !access.isPart()) {
        waiting.add(access.key(), access.timeMillis());
      } else if (access.kind() == Access.Kind.WITHDRAW) {
        waiting.withdraw(access.key(), access.timeMillis());
      }
    }
  }

  /** What a plan is to find out. */
  public synchronized Asked ask() {
    return new Asked(nameservice, waiting.end(), waiting.unknown());
  }

  /**
   * Learns from the reads that waited. Those of files that no plan has seen are forgotten.
   *
   * @param fastBytes of the fast tier; 0 where there is none, and nothing to learn for
   */
  public void learn(Asked asked, long fastBytes) {
    synchronized (this) {
      if (fastBytes < 1) {
        waiting.drop(asked.upTo());
        return;
      }
      if (model == null) {
        model = new AdmissionModel(fastBytes, mostFiles);
      } else if (Math.abs(fastBytes - model.capacity()) > TOLERANCE * model.capacity()) {
        model.resize(fastBytes);
      }
    }
    boolean more = true;
    while (more) {
      synchronized (this) {
        more = waiting.take(asked.upTo(), AT_ONCE, asked.lengths(), model);
      }
    }
  }

  /** Whether what the journal says of a time isn't known yet; asked in the order of the times. */
  public synchronized boolean isNews(long millis) {
    return millis > toldMillis;
  }

  /** All that the journal has up to a time is known now. */
  public synchronized void told(long millis) {
    toldMillis = Math.max(toldMillis, millis);
  }

  /** A file was sent to the fast tier. */
  public synchronized void moved(String path) {
    if (model != null) {
      model.moved(PathKey.of(nameservice, path));
    }
  }

  /** A file had to leave the fast tier for others. */
  public synchronized void displaced(String path, long nowMillis) {
    if (model != null) {
      AdmissionEstimate estimate =
          model.estimate(PathKey.of(nameservice, path), seconds(nowMillis));
      if (estimate.basis() == AdmissionEstimate.Basis.LEARNED) {
        model.displaced(estimate.density());
      }
    }
  }

  /** What a file is worth now. */
  public synchronized AdmissionEstimate estimate(String path, long nowMillis) {
    return model == null
        ? AdmissionEstimate.NONE
        : model.estimate(PathKey.of(nameservice, path), seconds(nowMillis));
  }

  /** What learning has brought; none of anything where there is no fast tier. */
  public synchronized ForecastScore score() {
    return model == null ? new ForecastScore(0, 0, 0, 0, false) : model.score();
  }

  /** How many files are followed. */
  public synchronized int followed() {
    return model == null ? 0 : model.followed();
  }

  /** Reads that were forgotten because too many came between two plans. */
  public synchronized long forgotten() {
    return waiting.forgotten();
  }

  private double seconds(long nowMillis) {
    return Math.max(nowMillis, waiting.latest()) / 1e3;
  }

  // --- saving ---

  /**
   * The state, to be written before the next access is handed in: what a plan learns meanwhile only goes from
   * waiting into the model, which is the same state.
   */
  public SavedState freeze() {
    return sink -> {
      synchronized (this) {
        sink.number(toldMillis);
        waiting.writeTo(sink);
        sink.number(model == null ? 0 : 1);
        if (model != null) {
          model.writeTo(sink);
        }
      }
    };
  }

  /** Goes on from a state, all of it or, where that fails, from nothing of it. */
  public synchronized void restore(StateSource source) {
    long told = source.number();
    WaitingReads restored = WaitingReads.restore(source, MOST_WAITING);
    model = source.number() == 0 ? null : AdmissionModel.restore(source, mostFiles);
    waiting = restored;
    toldMillis = told;
  }
}
