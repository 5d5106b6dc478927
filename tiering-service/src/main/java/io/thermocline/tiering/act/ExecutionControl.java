// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether anything may be begun in HDFS, and who said so. What acts asks here before each move, action and group, and before each
 * hint that it removes; not before each call of the NameNode of what it has begun. Thread-safe.
 *
 * <pre>
 *              pause               stop(FINISH)                 nothing is under way
 *   RUNNING  --------->  PAUSED  --------------->  STOPPING  -------------------------->  STOPPED
 *      ^     <---------     |                         | stop(ABANDON)                        |
 *      |       resume       +--------------------> ABANDONING ------------------------------>|
 *      |                                                                                     |
 *      +-------------------------------------- resume ---------------------------------------+
 * </pre>
 *
 * <p>These states are people's, and recorded before they hold, so that a restart comes back to them. Beside them, the
 * service holds itself back while it must not act ({@link #hold}), and for good when it ends ({@link #end}); neither is
 * recorded.
 */
public final class ExecutionControl {

  /** What may be begun, and what becomes of what was begun. */
  public enum State {
    RUNNING,
    /** Nothing is begun; what is under way is finished, and the rest of the plan waits. */
    PAUSED,
    /** Nothing is begun any more; what is under way is finished, and the rest of the plan is cancelled. */
    STOPPING,
    /** The same, but what is under way is not waited for: HDFS settles it. */
    ABANDONING,
    /** Nothing is under way, and nothing is begun until somebody resumes. */
    STOPPED
  }

  /** What becomes of what is under way. */
  public enum Stop {
    FINISH,
    ABANDON
  }

  /** What holds now, by whom, why, and since when. */
  public record Current(State state, String who, String why, Instant since) {}

  /** Keeps each change before it holds. */
  @FunctionalInterface
  public interface Record {
    /**
     * @throws IOException where it can't be kept; the change doesn't happen then
     */
    void steered(Current next) throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(ExecutionControl.class);

  private static final long GUARD_MILLIS = 200;

  private final Clock clock;
  private final Record kept;
  private final Map<String, String> holds = new TreeMap<>();
  private final ExtraCopies beside = new ExtraCopies();
  private final PlanWatch watch = new PlanWatch();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private Current current;
  private final Map<String, Supplier<String>> guards = new LinkedHashMap<>();
  private final Map<String, Supplier<String>> notices = new LinkedHashMap<>();
  private Stop ending;
  private boolean underWay;

  /** Who cancelled the plan that is being carried out, and why; empty where nobody did. */
  private String cancelled = "";

  /**
   * @param last what held when the service was there last; what was stopping then has stopped since
   */
  public ExecutionControl(Current last, Clock clock, Record kept) {
    State state = last.state();
    this.current = isStopping(state) ? with(State.STOPPED, last) : last;
    this.clock = clock;
    this.kept = kept;
  }

  /** One that nobody has steered, and that forgets. */
  public static ExecutionControl running(Clock clock) {
    return new ExecutionControl(unsteered(clock.instant()), clock, next -> {});
  }

  /** What holds before anybody has said anything. */
  public static Current unsteered(Instant since) {
    return new Current(State.RUNNING, "", "", since);
  }

  public synchronized Current current() {
    return current;
  }

  /**
   * Begins nothing from now on. Does nothing where it is paused already.
   *
   * @throws IllegalStateException where it is stopping or has stopped
   * @throws IOException where this can't be recorded; then it isn't so
   */
  public void pause(String who, String why) throws IOException {
    change("pause", State.PAUSED, List.of(State.RUNNING), who, why);
  }

  /**
   * Goes on after a pause or a stop. Does nothing where it is running.
   *
   * @throws IllegalStateException where it is stopping: nothing may be begun before it has stopped
   * @throws IOException where this can't be recorded; then it isn't so
   */
  public void resume(String who, String why) throws IOException {
    change("resume", State.RUNNING, List.of(State.PAUSED, State.STOPPED), who, why);
  }

  /**
   * Ends the plan under way, and begins no other until somebody resumes.
   *
   * @throws IllegalStateException where it has stopped, or is abandoning what it should finish
   * @throws IOException where this can't be recorded; then it isn't so
   */
  public void stop(Stop how, String who, String why) throws IOException {
    if (how == Stop.FINISH) {
      change("stop", State.STOPPING, List.of(State.RUNNING, State.PAUSED), who, why);
    } else {
      change(
          "stop", State.ABANDONING, List.of(State.RUNNING, State.PAUSED, State.STOPPING), who, why);
    }
    stopWhereIdle();
  }

  private void change(String what, State next, List<State> from, String who, String why)
      throws IOException {
    synchronized (this) {
      if (current.state() == next) {
        return;
      }
      if (!from.contains(current.state())) {
        throw new IllegalStateException(
            "can't " + what + ": it is " + current.state() + " since " + current.since());
      }
      Current changed = new Current(next, who, why, clock.instant());
      kept.steered(changed);
      current = changed;
      if (isStopping(next)) {
        watch.progressed();
      }
      watch.held(isHeldBack());
      notifyAll();
    }
    tell();
  }

  /**
   * To be asked before a plan is carried out, and followed by {@link #endPlan} where the answer is yes.
   *
   * @return whether it may be
   */
  public synchronized boolean beginPlan() {
    underWay = mayBegin();
    return underWay;
  }

  /** Nothing of the plan is under way any more. */
  public void endPlan() {
    synchronized (this) {
      underWay = false;
    }
    stopWhereIdle();
  }

  /**
   * Begins nothing more of the plan that is being carried out, until this is called with nothing: what is under way comes to
   * its end.
   *
   * @param words who cancelled it, and why; empty: the plan is at its end
   */
  public void cancelPlan(String words) {
    synchronized (this) {
      if (cancelled.equals(words)) {
        return;
      }
      cancelled = words;
      watch.progressed();
      notifyAll();
    }
    tell();
  }

  private void stopWhereIdle() {
    synchronized (this) {
      if (underWay || !isStopping(current.state())) {
        return;
      }
      Current stopped = with(State.STOPPED, current);
      try {
        kept.steered(stopped);
      } catch (IOException e) {
        // It has stopped all the same, and what is recorded as stopping comes back as stopped.
        LOG.warn("it has stopped, which isn't recorded", e);
        String unrecorded = "that it has stopped isn't recorded: " + e.getMessage();
        stopped =
            new Current(
                State.STOPPED,
                stopped.who(),
                stopped.why().isEmpty() ? unrecorded : stopped.why() + "; " + unrecorded,
                stopped.since());
      }
      current = stopped;
    }
    tell();
  }

  /** Begins nothing until {@link #release} of the same name. */
  public void hold(String name, String why) {
    synchronized (this) {
      holds.put(name, why);
      watch.held(isHeldBack());
    }
    tell();
  }

  /** Ends {@link #hold}; nothing where there is none. */
  public void release(String name) {
    synchronized (this) {
      if (holds.remove(name) != null) {
        watch.held(isHeldBack());
      }
      notifyAll();
    }
    tell();
  }

  /**
   * Asked each time before something is begun, by whoever begins it; so it holds also in a process that was frozen
   * and whose other threads haven't noticed yet. Of several, the first that objects gives the reason.
   *
   * @param name as of {@link #hold}
   * @param objection why nothing may be begun, in words; empty where something may
   */
  public synchronized void guard(String name, Supplier<String> objection) {
    guards.put(name, objection);
  }

  /**
   * Shown where nothing else is in the way, and keeps nothing from being begun.
   *
   * @param name as of {@link #hold}
   * @param words empty where there is nothing to show
   */
  public synchronized void notice(String name, Supplier<String> words) {
    notices.put(name, words);
  }

  /** The first guard that objects, with its words; null where none does. */
  private Map.Entry<String, String> objection() {
    return first(guards);
  }

  private static Map.Entry<String, String> first(Map<String, Supplier<String>> all) {
    for (Map.Entry<String, Supplier<String>> each : all.entrySet()) {
      String words = each.getValue().get();
      if (!words.isEmpty()) {
        return Map.entry(each.getKey(), words);
      }
    }
    return null;
  }

  /** Begins nothing any more: the service ends. */
  public void end(Stop how) {
    synchronized (this) {
      ending = ending == Stop.ABANDON ? Stop.ABANDON : how;
      notifyAll();
    }
    tell();
  }

  /** What actions and groups have under way. */
  public ExtraCopies beside() {
    return beside;
  }

  /** How what is under way goes on. */
  public PlanWatch watch() {
    return watch;
  }

  /** Whether something may be begun at this moment. */
  public synchronized boolean mayBegin() {
    return ending == null
        && current.state() == State.RUNNING
        && cancelled.isEmpty()
        && holds.isEmpty()
        && objection() == null;
  }

  /** Whether nothing may be begun for now. */
  private boolean isHeldBack() {
    return !mayBegin() && !isEnding();
  }

  /**
   * Waits while paused or held.
   *
   * @return whether something may be begun; false where nothing of this plan will be any more
   */
  public synchronized boolean awaitTurn() throws InterruptedException {
    while (!mayBegin()) {
      if (isEnding()) {
        return false;
      }
      // Nobody says when a guard changes its mind.
      wait(GUARD_MILLIS);
    }
    return true;
  }

  /** Whether what isn't begun will not be. */
  public synchronized boolean isEnding() {
    return ending != null
        || isStopping(current.state())
        || current.state() == State.STOPPED
        || !cancelled.isEmpty();
  }

  /** Whether what is under way isn't waited for. */
  public synchronized boolean isAbandoning() {
    return ending == Stop.ABANDON || current.state() == State.ABANDONING;
  }

  /**
   * What keeps anything from being begun, by name; empty where something may. Beside the names of {@link #hold} and {@link
   * #guard} there are people, who paused or stopped it, ending, and stalled, where what is under way makes no progress.
   */
  public synchronized Set<String> heldBy() {
    Set<String> by = new TreeSet<>(holds.keySet());
    if (ending != null) {
      by.add("ending");
    }
    if (current.state() != State.RUNNING || !cancelled.isEmpty()) {
      by.add("people");
    }
    Map.Entry<String, String> objection = by.isEmpty() ? objection() : null;
    if (objection != null) {
      by.add(objection.getKey());
    }
    if (by.isEmpty() && !watch.obstacle().isEmpty()) {
      by.add("stalled");
    }
    Map.Entry<String, String> notice = by.isEmpty() ? first(notices) : null;
    if (notice != null) {
      by.add(notice.getKey());
    }
    return by;
  }

  /** Why nothing may be begun, in words; empty where it may. */
  public synchronized String reason() {
    if (ending != null) {
      return "the service is stopping";
    }
    if (!cancelled.isEmpty()) {
      return cancelled;
    }
    if (current.state() != State.RUNNING) {
      return switch (current.state()) {
            case PAUSED -> "paused";
            case STOPPED -> "stopped";
            default -> "stopping";
          }
          + (current.who().isEmpty() ? "" : " by " + current.who())
          + (current.why().isEmpty() ? "" : ": " + current.why());
    }
    if (!holds.isEmpty()) {
      return String.join("; ", holds.values());
    }
    Map.Entry<String, String> objection = objection();
    return objection == null ? "" : objection.getValue();
  }

  /** Why nothing may be begun, that what is under way makes no progress, or a notice, in words; empty where all goes on. */
  public synchronized String obstacle() {
    String reason = reason();
    String stalled = reason.isEmpty() ? watch.obstacle() : reason;
    Map.Entry<String, String> notice = stalled.isEmpty() ? first(notices) : null;
    return notice == null ? stalled : notice.getValue();
  }

  /** Told after each change, by the thread that made it. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  private void tell() {
    listeners.forEach(Runnable::run);
  }

  private static boolean isStopping(State state) {
    return state == State.STOPPING || state == State.ABANDONING;
  }

  private static Current with(State state, Current of) {
    return new Current(state, of.who(), of.why(), of.since());
  }
}
