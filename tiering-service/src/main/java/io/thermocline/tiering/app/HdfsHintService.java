// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.wire.HintFormatException;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.tiering.act.HintAttributes;
import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.HintService;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.app.cycle.PlanningRound;
import io.thermocline.tiering.app.hints.HintTasks;
import io.thermocline.tiering.app.hints.HintTracker;
import io.thermocline.tiering.cluster.AttributeReader;
import io.thermocline.tiering.config.HintOperations;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintEnd;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.Hints;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.hints.OwnerReliability;
import io.thermocline.tiering.hints.QueueLength;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hints that come by REST: checked against HDFS as the caller, and written to the file or directory they are about as the
 * caller, so that one that came by REST is the same as one that was set with HDFS's own tools.
 */
final class HdfsHintService implements HintService {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsHintService.class);

  private final HintTracker tracker;
  private final AttributeReader reader;
  private final HintAttributes attributes;
  private final Clock clock;
  private final Runnable hurry;
  private final QueueLength queue;
  private final Map<Operation, String> off;
  private final boolean goesByPatterns;

  /** Null until plans are made. */
  private volatile HintTasks tasks;

  /** Up to when hints that began were noticed; for the thread that ticks. */
  private long noticedMillis;

  /**
   * @param hurry has the next plan made at once
   */
  HdfsHintService(
      HintTracker tracker, HintTracker.Hands hands, ServiceConfig config, Runnable hurry) {
    this.tracker = tracker;
    this.reader = hands.reader();
    this.attributes = hands.attributes();
    this.clock = hands.clock();
    this.noticedMillis = clock.millis();
    this.hurry = hurry;
    this.queue = new QueueLength(config.hints().operations().redirect().above());
    this.off = HintOperations.off(config);
    this.goesByPatterns = config.decide().chew().isPresent();
  }

  /** Has a plan made where a hint that asks for something begins to hold. */
  void tick() {
    long now = clock.millis();
    if (registry().hasBegun(noticedMillis, now)) {
      hurry.run();
    }
    noticedMillis = now;
  }

  /** Has what is taken from now on followed. */
  void follow(HintTasks followed) {
    tasks = followed;
  }

  /** Takes what a plan was made of. */
  void saw(PlanningRound.Outcome outcome, HintsInForce hints, long beganMillis) {
    if (tasks != null) {
      tasks.saw(
          outcome.real(),
          outcome.decisions(),
          hints,
          outcome.situation().current().raised()::containsKey,
          beganMillis);
    }
  }

  QueueLength queueLength() {
    return queue;
  }

  @Override
  public QueueLength.Now queue() {
    return queue.now();
  }

  /** Hints that weren't taken since the start, by REST or from attributes. */
  long refused() {
    return tracker.refused();
  }

  @Override
  public HintRegistry registry() {
    return tracker.registry();
  }

  @Override
  public List<Refused> refused(String owner) {
    return tracker.refused(owner);
  }

  @Override
  public long nowMillis() {
    return clock.millis();
  }

  @Override
  public Visit visit(Caller caller) throws IOException {
    return new Checked(caller, attributes.as(caller.name()));
  }

  private final class Checked implements Visit {
    private final Caller caller;
    private final HintAttributes.Caller hdfs;

    /** Why HDFS can't be asked: the hints that are left needn't wait for that, each as long. */
    private ApiException down;

    Checked(Caller caller, HintAttributes.Caller hdfs) {
      this.caller = caller;
      this.hdfs = hdfs;
    }

    @Override
    public GivenHint check(Hint hint) throws ApiException {
      try {
        return checked(hint);
      } catch (ApiException e) {
        tracker.refusedOne();
        throw e;
      } catch (IOException e) {
        tracker.refusedOne();
        throw refused(e, hint.target());
      }
    }

    /** What HDFS has against one path is nothing against the others of a request. */
    private ApiException refused(IOException e, String path) {
      HdfsRefusal refusal = HdfsRefusal.of(e, caller.name(), path);
      if (refusal.isOfAll()) {
        LOG.warn("{}: HDFS can't be asked", path, e);
        down = refusal.answer();
      }
      return refusal.answer();
    }

    private GivenHint checked(Hint hint) throws ApiException, IOException {
      requireOwn(hint.owner());
      if (hint.source() == Source.SERVICE) {
        throw bad("source is SERVICE", "source", "that is what the service itself notes");
      }
      requireUse(hint);
      requireReliability(hint);
      long now = clock.millis();
      Duration longest = registry().settings().maxLease();
      if (hint.leaseExpiryMillis() - now > longest.toMillis()) {
        throw bad("the lease is longer than " + longest, "leaseMillis", "renew it in time instead");
      }
      GivenHint given =
          hint.scope() == Scope.STREAM
              ? GivenHint.onStream(hint, now)
              : new GivenHint(hint, inode(hint).id(), hint.target(), now);
      requireFree(given);
      Optional<HintRegistry.Full> full = registry().full(given);
      if (full.isPresent()) {
        throw tooMany(full.get());
      }
      return given;
    }

    /** A path has one hint of each operation: a second owner's would silently take the place of the first one's. */
    private void requireFree(GivenHint given) throws ApiException {
      Optional<HintRegistry.Used> there = registry().hint(given.id());
      if (given.inode() != 0
          && there.isPresent()
          && there.get().hint().hint().isInForce(clock.millis())
          && !there.get().hint().hint().owner().equals(given.hint().owner())) {
        Hint other = there.get().hint().hint();
        throw new ApiException(
            ErrorCode.TOO_MANY_HINTS,
            given.path() + " has a " + other.operation() + " hint of " + other.owner(),
            "owner",
            "wait until it ends at "
                + Instant.ofEpochMilli(other.leaseExpiryMillis())
                + ", or ask "
                + other.owner()
                + " to remove "
                + given.id());
      }
    }

    /** Plans do nothing for operations of owners who aren't believed. */
    private void requireReliability(Hint hint) throws ApiException {
      OwnerReliability reliability = registry().reliability(hint.owner());
      if (Hints.isOperation(hint) && reliability.weight() < HotFile.LEAST_BELIEF) {
        throw new ApiException(
            ErrorCode.OPERATION_OFF,
            "nothing would come of "
                + hint.operation()
                + " here: its owner is believed "
                + reliability
                + ", and an operation needs "
                + HotFile.LEAST_BELIEF,
            "owner",
            "give ADVISE hints that come true first");
      }
    }

    private void requireUse(Hint hint) throws ApiException {
      Operation operation = hint.operation();
      Temperature temperature = Hints.temperature(hint);
      if (off.containsKey(operation)) {
        throw off(operation.toString(), off.get(operation));
      }
      if (operation == Operation.MIGRATE && temperature == Temperature.UNKNOWN) {
        throw bad(
            "nothing says where MIGRATE should go",
            "temperature",
            "send a temperature, or a requirement or pattern that has one");
      }
      if (operation == Operation.MIGRATE && temperature != Temperature.COLD && goesByPatterns) {
        throw off(
            "a MIGRATE of what isn't cold",
            "decide.strategy: chew goes by patterns, thresholds takes it");
      }
      boolean isUp = operation == Operation.PREFETCH || operation == Operation.REPLICATE;
      if (isUp && temperature == Temperature.COLD) {
        throw bad(
            "nothing would come of " + operation + " of what is COLD",
            "temperature",
            "send HOT, WARM or none");
      }
    }

    private AttributeReader.Inode inode(Hint hint) throws ApiException, IOException {
      String path = hint.target();
      if (!tracker.isManaged(path)) {
        throw bad(path + " is not managed", "target", "name a path below manage.paths");
      }
      if (down != null) {
        throw down;
      }
      AttributeReader.Inode inode =
          reader
              .inode(path)
              .orElseThrow(
                  () ->
                      new ApiException(
                          ErrorCode.NO_SUCH_FILE,
                          "nothing is at " + path,
                          "target",
                          "give the hint when it is there, or hint the directory"));
      if (inode.isDirectory() != (hint.scope() == Scope.DIRECTORY)) {
        throw bad(
            path + " is " + (inode.isDirectory() ? "a directory" : "a file"),
            "scope",
            "expected " + (inode.isDirectory() ? Scope.DIRECTORY : Scope.FILE));
      }
      if (!hdfs.mayHint(path)) {
        throw forbidden(caller.name() + " may not write " + path);
      }
      try {
        HintWire.encode(hint);
      } catch (HintFormatException e) {
        throw bad(e.getMessage(), "target", "shorten it");
      }
      return inode;
    }

    @Override
    public OptionalLong take(GivenHint checked) throws ApiException {
      try {
        if (checked.inode() != 0) {
          hdfs.set(checked.path(), attribute(checked), text(checked));
        }
      } catch (IOException e) {
        tracker.refusedOne();
        throw refused(e, checked.path());
      }
      Optional<HintRegistry.Full> full;
      try {
        full = registry().give(checked, clock.millis());
      } catch (UncheckedIOException e) {
        takeBack(checked);
        throw unrecorded(e);
      }
      if (full.isPresent()) {
        takeBack(checked);
        tracker.refusedOne();
        throw tooMany(full.get());
      }
      Operation operation = checked.hint().operation();
      if (operation == Operation.MIGRATE
          || operation == Operation.PREFETCH
          || operation == Operation.REDIRECT && checked.hint().scope() == Scope.DIRECTORY) {
        hurry.run();
      }
      try {
        return tasks == null ? OptionalLong.empty() : tasks.follow(checked, caller.name());
      } catch (IOException e) {
        LOG.warn("hint {} is taken, and no task follows it", checked.id(), e);
        return OptionalLong.empty();
      }
    }

    /**
     * Others of the same owner were taken since it was checked, or it can't be recorded: what stood there stands there
     * again.
     */
    private void takeBack(GivenHint refused) {
      if (refused.inode() == 0) {
        return;
      }
      Optional<HintRegistry.Used> before = registry().hint(refused.id());
      try {
        if (before.isPresent()) {
          hdfs.set(refused.path(), attribute(refused), text(before.get().hint()));
        } else {
          hdfs.remove(refused.path(), attribute(refused));
        }
      } catch (IOException e) {
        LOG.warn("{} of {} stays, and isn't taken", attribute(refused), refused.path(), e);
      }
    }

    @Override
    public void remove(GivenHint hint) throws ApiException {
      requireOwn(hint.hint().owner());
      try {
        if (hint.inode() != 0) {
          hdfs.remove(hint.path(), attribute(hint));
        }
        registry().end(hint.id(), HintEnd.REMOVED, clock.millis());
      } catch (IOException e) {
        throw refused(e, hint.path());
      } catch (UncheckedIOException e) {
        throw unrecorded(e);
      }
    }

    private void requireOwn(String owner) throws ApiException {
      if (!owner.equals(caller.name()) && caller.role() != Role.ADMINISTRATOR) {
        throw forbidden(caller.name() + " is not " + owner);
      }
    }

    @Override
    public void close() {
      try {
        hdfs.close();
      } catch (IOException e) {
        // What was taken is taken.
        LOG.warn("calls as {} can't be closed", caller.name(), e);
      }
    }
  }

  private static String attribute(GivenHint hint) {
    return HintWire.attributeOf(hint.hint().operation());
  }

  private static byte[] text(GivenHint hint) {
    return HintWire.encode(hint.hint()).getBytes(StandardCharsets.UTF_8);
  }

  private static ApiException unrecorded(UncheckedIOException e) {
    return new ApiException(
        ErrorCode.JOURNAL_UNAVAILABLE,
        e.getMessage(),
        "journal.directory",
        "make room there, then ask again");
  }

  private static ApiException tooMany(HintRegistry.Full full) {
    return new ApiException(
        ErrorCode.TOO_MANY_HINTS,
        full.reason(),
        "owner",
        "take some back, hint a directory in place of its files, or " + full.remedy());
  }

  private static ApiException off(String what, String whatToDo) {
    return new ApiException(
        ErrorCode.OPERATION_OFF, "nothing would come of " + what + " here", "op", whatToDo);
  }

  private static ApiException bad(String message, String where, String whatToDo) {
    return new ApiException(ErrorCode.BAD_FIELD, message, where, whatToDo);
  }

  private static ApiException forbidden(String message) {
    return new ApiException(
        ErrorCode.FORBIDDEN,
        message,
        "owner",
        "hints are given by those who may write the path, in their own name, or by administrators");
  }
}
