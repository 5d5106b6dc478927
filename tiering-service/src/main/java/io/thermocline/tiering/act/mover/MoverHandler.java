// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.AuditTrail;
import io.thermocline.tiering.act.BusyDataNodeException;
import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.JournalMark;
import io.thermocline.tiering.act.MoveCheck;
import io.thermocline.tiering.act.MutexCalls;
import io.thermocline.tiering.act.PolicyMarks;
import io.thermocline.tiering.act.SlowCopyException;
import io.thermocline.tiering.cluster.DataNodeReport;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.Closeable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what a mover is asked, where its own rules, caps and look at HDFS allow it, with a line in the
 * audit log for each change that was asked for. Holds the mutex from the first change on until it is
 * told that none follow. Thread-safe.
 */
public final class MoverHandler implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(MoverHandler.class);

  /**
   * Looks at DataNodes in an hour, apart from operations: who has used those up may look on, and can't use the NameNode up
   * by that either. A service looks some times a minute.
   */
  static final int MOST_LOOKS = 36_000;

  private final Hands hands;
  private final MoverRules rules;
  private final HourlyCap bytes;
  private final HourlyCap operations;
  private final HourlyCap looks;
  private final AuditTrail trail;
  private final String asker;
  private final AtomicLong number = new AtomicLong();

  /** Null while nobody acts. */
  private MutexCalls moves;

  /** What works for it, with a superuser's rights. */
  public record Hands(
      DataNodeReport.Source reports,
      DataNodeStates.Source states,
      Opener moves,
      ActionCalls actions,
      JournalMark mark,
      Fence fence) {}

  /** Keeps a service from acting on when another has begun to, which may ask another mover. */
  @FunctionalInterface
  public interface Fence {
    /**
     * Why a service of this epoch may not act any more; empty where none of a later one has.
     *
     * @throws IOException where that can't be found out
     */
    Optional<String> objection(long epoch) throws IOException;
  }

  /** Takes the mutex. */
  @FunctionalInterface
  public interface Opener {
    /**
     * @param epoch of who asks
     * @throws IOException where another holds it, or we are not superuser
     */
    MutexCalls open(long epoch) throws IOException;
  }

  /**
   * What may be done in an hour.
   *
   * @param bytes that copies take
   */
  public record Caps(long bytes, long operations) {}

  /**
   * @param asker whose requests these are, for the audit log
   */
  public MoverHandler(
      Hands hands,
      MoverRules rules,
      Caps caps,
      AuditTrail trail,
      String asker,
      InstantSource clock) {
    this.hands = hands;
    this.rules = rules;
    this.bytes = new HourlyCap(caps.bytes(), caps.bytes() + " bytes", clock);
    this.operations = new HourlyCap(caps.operations(), caps.operations() + " operations", clock);
    this.looks = new HourlyCap(MOST_LOOKS, MOST_LOOKS + " looks", clock);
    this.trail = trail;
    this.asker = asker;
  }

  /** To what is no request: it counts as one all the same. */
  MoverAnswer misunderstood(String why) {
    return operations.take(1).map(MoverHandler::later).orElseGet(() -> refused(why));
  }

  /**
   * @param progress hears what a copy waits for, where that was asked for
   */
  MoverAnswer answer(MoverRequest.Line line, Consumer<String> progress) {
    MoverRequest request = line.ask();
    try {
      if (request instanceof MoverRequest.CopyWithPhases told) {
        return change(told.copy(), line.epoch(), progress);
      } else if (request instanceof MoverRequest.Change change) {
        return change(change, line.epoch(), phase -> {});
      } else if (!(request instanceof MoverRequest.Release)) {
        Optional<String> spent = looks.take(1);
        return spent.isPresent() ? later(spent.get()) : look(request, line.epoch());
      }
      // Never too often: it does something where a look or a change, which are counted, did before.
      release();
      return MoverAnswer.done(null);
    } catch (IOException | RuntimeException e) {
      return MoverAnswer.not(MoverAnswer.Outcome.FAILED, words(e));
    }
  }

  private MoverAnswer look(MoverRequest request, long epoch) throws IOException {
    if (request instanceof MoverRequest.Limits) {
      return MoverAnswer.done(LineChannel.JSON.valueToTree(MoverLimits.of(trail.who(), rules)));
    }
    if (request instanceof MoverRequest.Mark) {
      return MoverAnswer.done(LineChannel.JSON.valueToTree(hands.mark().read().orElse(null)));
    }
    if (request instanceof MoverRequest.PolicyMark marked) {
      return MoverAnswer.done(
          LineChannel.JSON.valueToTree(
              isAllowed(marked.path())
                  ? acting(epoch).mark(marked.path()).map(Marked::of).orElse(null)
                  : null));
    }
    if (request instanceof MoverRequest.ActionMarks marked) {
      return MoverAnswer.done(
          LineChannel.JSON.valueToTree(
              isAllowed(marked.path()) ? hands.actions().marks(marked.path()) : null));
    }
    if (request instanceof MoverRequest.SetMark set) {
      return mark(set, epoch);
    }
    if (request instanceof MoverRequest.LayoutEdits edits) {
      return layoutEdits(edits, epoch);
    }
    if (!(request instanceof MoverRequest.Nodes nodes)) {
      return MoverAnswer.done(LineChannel.JSON.valueToTree(hands.reports().read()));
    }
    if (nodes.acting()) {
      Optional<MoverAnswer> held = held(epoch);
      if (held.isPresent()) {
        return held.get();
      }
    }
    return MoverAnswer.done(LineChannel.JSON.valueToTree(hands.states().read()));
  }

  /** The service lists what it manages, of which the mover may have set nothing. */
  private boolean isAllowed(String path) {
    return rules.objection(new MoverRequest.Unmark(path)).isEmpty();
  }

  /**
   * A mark on a path.
   *
   * @param atMillis since 1970
   */
  record Marked(String policy, long atMillis) {
    static Marked of(PolicyMarks.Mark mark) {
      return new Marked(mark.policy(), mark.at().toEpochMilli());
    }
  }

  /** By path. */
  record Edits(Map<String, List<HdfsCalls.LayoutEdit>> edits) {}

  /** It counts as an operation: the NameNode begins a new edit log for it. */
  private MoverAnswer layoutEdits(MoverRequest.LayoutEdits asked, long epoch) throws IOException {
    Set<String> allowed =
        asked.paths().stream()
            .filter(path -> rules.objection(new MoverRequest.Unmark(path)).isEmpty())
            .collect(Collectors.toSet());
    Optional<String> spent = operations.take(1);
    return spent.isPresent()
        ? later(spent.get())
        : MoverAnswer.done(
            LineChannel.JSON.valueToTree(
                acting(epoch).layoutEdits(allowed).map(Edits::new).orElse(null)));
  }

  /** Of the service that acts, and as its start. */
  private MoverAnswer mark(MoverRequest.SetMark set, long epoch) throws IOException {
    if (set.reached().epoch() != epoch) {
      return refused("it is of another start than the service that asks");
    }
    Optional<String> objection =
        isActing() ? hands.fence().objection(epoch) : Optional.of("nothing is done for you now");
    if (objection.isPresent()) {
      return later(objection.get());
    }
    hands.mark().write(set.reached());
    trail.asked("mark", JournalMark.ATTRIBUTE, set.reached().toString(), asker, "done");
    return MoverAnswer.done(null);
  }

  private synchronized boolean isActing() {
    return moves != null;
  }

  /** Why nothing may be changed now. */
  private Optional<MoverAnswer> held(long epoch) {
    for (HourlyCap cap : new HourlyCap[] {operations, bytes}) {
      if (!cap.spent().isEmpty()) {
        return Optional.of(later(cap.spent()));
      }
    }
    try {
      checkMutex();
      acting(epoch);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(later(words(e)));
    }
  }

  /**
   * What makes changes for a service of this epoch.
   *
   * @throws NotNowException where none may be made now
   */
  private MutexCalls acting(long epoch) throws NotNowException {
    try {
      Optional<String> objection = hands.fence().objection(epoch);
      if (objection.isPresent()) {
        throw new NotNowException(objection.get());
      }
      return moves(epoch);
    } catch (NotNowException e) {
      throw e;
    } catch (IOException e) {
      throw new NotNowException(words(e));
    }
  }

  private static final class NotNowException extends IOException {
    private static final long serialVersionUID = 1L;

    NotNowException(String why) {
      super(why);
    }
  }

  private MoverAnswer change(MoverRequest.Change change, long epoch, Consumer<String> progress) {
    boolean isKnown = !operations.spent().isEmpty();
    // Also what is refused: it costs a look, and a line in the log.
    Optional<String> spent = operations.take(1);
    MoverAnswer answer =
        spent.map(MoverHandler::later).orElseGet(() -> within(change, epoch, progress));
    if (spent.isEmpty() || !isKnown) {
      trail.asked(
          operation(change),
          change.path(),
          change.toString(),
          asker,
          answer.outcome() == MoverAnswer.Outcome.DONE
              ? "done"
              : answer.outcome() + ": " + answer.message());
    }
    return answer;
  }

  /** As the audit log names it. */
  private static String operation(MoverRequest.Change change) {
    if (change instanceof MoverRequest.PolicyChange) {
      return "policy";
    }
    return change instanceof MoverRequest.FactorChange
        ? "replication"
        : change.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  private MoverAnswer within(MoverRequest.Change change, long epoch, Consumer<String> progress) {
    try {
      Optional<String> objection = rules.objection(change);
      if (objection.isPresent()) {
        return refused(objection.get());
      }
      return carryOut(change, acting(epoch), progress);
    } catch (NotNowException e) {
      return later(words(e));
    } catch (ChangedSinceException e) {
      return MoverAnswer.not(MoverAnswer.Outcome.CHANGED, words(e));
    } catch (BusyDataNodeException e) {
      return MoverAnswer.not(MoverAnswer.Outcome.BUSY, words(e));
    } catch (SlowCopyException e) {
      return MoverAnswer.slow(words(e));
    } catch (IOException | RuntimeException e) {
      return MoverAnswer.not(MoverAnswer.Outcome.FAILED, words(e));
    }
  }

  private MoverAnswer carryOut(
      MoverRequest.Change change, MutexCalls hdfs, Consumer<String> progress) throws IOException {
    if (change instanceof MoverRequest.Copy copy) {
      return copy(copy, hdfs, progress);
    } else if (change instanceof MoverRequest.Policy policy) {
      hdfs.setStoragePolicy(policy.path(), policy.policy());
    } else if (change instanceof MoverRequest.PlannedPolicy policy) {
      hdfs.setStoragePolicy(policy.path(), policy.policy(), policy.planned().file());
    } else if (change instanceof MoverRequest.RestoredPolicy policy) {
      hdfs.setStoragePolicy(policy.path(), policy.policy(), policy.own());
    } else if (change instanceof MoverRequest.Unmark unmark) {
      hdfs.unmark(unmark.path());
    } else if (change instanceof MoverRequest.UnmarkReplication unmark) {
      hands.actions().unmarkReplication(unmark.path());
    } else if (change instanceof MoverRequest.FactorChange factor) {
      return replicate(factor);
    } else if (change instanceof MoverRequest.Cache cache) {
      ActionCalls.Directive[] made = new ActionCalls.Directive[1];
      hands.actions().cache(cache.path(), cache.copies(), directive -> made[0] = directive);
      return MoverAnswer.done(LineChannel.JSON.valueToTree(made[0]));
    } else if (change instanceof MoverRequest.Uncache uncache) {
      hands.actions().uncache(uncache.path(), uncache.directive());
    }
    return MoverAnswer.done(null);
  }

  /** Of the request only names are taken: the block, its length and its replicas are what HDFS shows now. */
  private MoverAnswer copy(MoverRequest.Copy copy, MutexCalls hdfs, Consumer<String> progress)
      throws IOException {
    FileView now = hdfs.file(copy.path()).orElse(null);
    FileView.Block block =
        now == null
            ? null
            : now.blocks().stream()
                .filter(each -> each.id() == copy.block())
                .findFirst()
                .orElse(null);
    if (block == null) {
      return refused("the file has no such block now");
    }
    FileView.Replica source =
        block.replicas().stream()
            .filter(
                replica ->
                    replica.node().equals(copy.source()) && replica.type() == copy.sourceType())
            .findFirst()
            .orElse(new FileView.Replica(copy.source(), "", copy.sourceType()));
    Move move =
        new Move(
            "mover-" + number.incrementAndGet(),
            copy.path(),
            block,
            source,
            copy.target(),
            "",
            copy.targetType());
    Optional<String> objection = MoveCheck.objection(move, now, hdfs::rack);
    if (objection.isPresent()) {
      return refused(objection.get());
    }
    Optional<MoverAnswer> tooMuch = takeBytes(move.bytes());
    if (tooMuch.isPresent()) {
      return tooMuch.get();
    }
    try {
      hdfs.copy(move, progress);
    } catch (BusyDataNodeException e) {
      bytes.giveBack(move.bytes());
      throw e;
    }
    return MoverAnswer.done(null);
  }

  private MoverAnswer replicate(MoverRequest.FactorChange request) throws IOException {
    FileView now = hands.actions().file(request.path()).orElse(null);
    if (now == null) {
      return refused("there is no such file now, closed and not ours to leave alone");
    }
    long more = now.length() * Math.max(0, request.factor() - now.replication());
    Optional<MoverAnswer> tooMuch = takeBytes(more);
    if (tooMuch.isPresent()) {
      return tooMuch.get();
    }
    if (request instanceof MoverRequest.PlannedReplication replication) {
      hands.actions().setReplication(request.path(), request.factor(), replication.planned());
    } else {
      hands.actions().setReplication(request.path(), request.factor());
    }
    return MoverAnswer.done(null);
  }

  /** Why so much may not be copied, now or at all; empty where it may, and is counted. */
  private Optional<MoverAnswer> takeBytes(long amount) {
    if (!bytes.admits(amount)) {
      return Optional.of(
          refused(
              "it would copy "
                  + amount
                  + " bytes, and the mover's cap is "
                  + bytes.what()
                  + " an hour, perHour.bytes"));
    }
    return bytes.take(amount).map(MoverHandler::later);
  }

  private static MoverAnswer refused(String why) {
    return MoverAnswer.not(MoverAnswer.Outcome.REFUSED, why);
  }

  private static MoverAnswer later(String why) {
    return MoverAnswer.not(MoverAnswer.Outcome.LATER, why);
  }

  /** A NameNode's refusal carries its stack trace along. */
  private static String words(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
  }

  private synchronized MutexCalls moves(long epoch) throws IOException {
    if (moves == null) {
      moves = hands.moves().open(epoch);
      LOG.info("acting for {}", asker);
    }
    return moves;
  }

  private synchronized void checkMutex() throws IOException {
    if (moves != null && !moves.hasMutex()) {
      LOG.warn("the mutex is somebody else's by now");
      release();
    }
  }

  private synchronized void release() throws IOException {
    if (moves != null) {
      MutexCalls ended = moves;
      moves = null;
      ended.close();
      LOG.info("no longer acting for {}", asker);
    }
  }

  /** Gives the mutex up. */
  @Override
  public void close() throws IOException {
    release();
  }
}
