// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.thermocline.hints.wire.OneLine;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line of JSON for every change to HDFS, with what became of it, and in shadow mode for every one that would have been
 * made: time, who, operation, path, what, why, dryRun, outcome. They go to the logger io.thermocline.audit. Thread-safe.
 */
public final class AuditTrail {

  private static final Logger AUDIT = LoggerFactory.getLogger("io.thermocline.audit");
  private static final int MOST_REASONS = 100_000;
  private static final JsonFactory JSON = new JsonFactory();

  private final String who;
  private final Clock clock;
  private final Map<String, String> reasons = new ConcurrentHashMap<>();

  /** Why all is done at present; empty where each path has its own reason. */
  private volatile String common = "";

  /**
   * @param who acts: the user whose rights count
   */
  public AuditTrail(String who, Clock clock) {
    this.who = who;
    this.clock = clock;
  }

  /** The user whose rights count. */
  public String who() {
    return who;
  }

  /** From now on changes may be made for this plan; for earlier ones too, where they had to wait. */
  public void begin(Plan plan) {
    if (reasons.size() > MOST_REASONS) {
      reasons.clear();
    }
    for (Plan.FileMoves file : plan.files()) {
      reasons.put(file.policyPath(), "its files agree: " + file.decision().reason());
      reasons.put(file.path(), file.decision().reason());
    }
    plan.actions().forEach(action -> reasons.put(action.path(), action.decision().reason()));
  }

  /** Why what is done to a path next is done, where no plan says it. */
  public void because(String path, String reason) {
    reasons.put(path, reason);
  }

  /** Why all is done from now on, whichever paths it is about; empty: by the reason of each path. */
  public void becauseOfAll(String reason) {
    common = reason;
  }

  /** What shadow mode would have done. */
  public void imagined(Decision decision) {
    line(
        decision.cause().name(),
        decision.hot().file().path(),
        decision.target().toString(),
        decision.reason(),
        "not done: shadow mode");
  }

  /** A change that is more than a call on one path, or isn't made through {@link #audited}. */
  public void done(String operation, String path, String what, String why) {
    line(operation, path, what, why, "done");
  }

  /**
   * What somebody asked us to do.
   *
   * @param what of the operation at the path, in words
   * @param asker who did
   */
  public void asked(String operation, String path, String what, String asker, String outcome) {
    line(operation, path, what, "asked for by " + asker, outcome);
  }

  /**
   * The same actions, with a line for each change. What returns nothing is a change; what returns something is a look.
   *
   * @param type an interface of actions
   */
  public <T> T audited(Class<T> type, T actions) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(actions, method, arguments)));
  }

  private Object call(Object actions, Method method, Object[] arguments) throws Throwable {
    boolean isChange = method.getReturnType() == void.class;
    try {
      Object result = method.invoke(actions, arguments);
      if (isChange) {
        changed(actions, method.getName(), arguments, "done");
      }
      return result;
    } catch (InvocationTargetException e) {
      if (isChange) {
        changed(actions, method.getName(), arguments, "failed: " + e.getCause());
      }
      throw e.getCause();
    }
  }

  private void changed(Object actions, String operation, Object[] arguments, String outcome) {
    String path = arguments[0] instanceof Move move ? move.path() : arguments[0].toString();
    String what =
        arguments[0] instanceof Move move
            ? words(move, actions instanceof HdfsCalls hdfs ? hdfs::host : UnaryOperator.identity())
            : Arrays.stream(arguments)
                .skip(1)
                .filter(
                    each ->
                        !(each instanceof FileView
                            || each instanceof Consumer
                            || each instanceof HdfsCalls.Own))
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    String all = common;
    line(operation, path, what, all.isEmpty() ? reasons.getOrDefault(path, "") : all, outcome);
  }

  private static String words(Move move, UnaryOperator<String> hosts) {
    return "blk_%d, %d bytes: %s %s to %s %s"
        .formatted(
            move.block().id(),
            move.bytes(),
            hosts.apply(move.source().node()),
            move.source().type(),
            hosts.apply(move.targetNode()),
            move.targetType());
  }

  private void line(String operation, String path, String what, String why, String outcome) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("time", clock.instant().toString());
      json.writeStringField("who", who);
      json.writeStringField("operation", operation);
      json.writeStringField("path", path);
      json.writeStringField("what", what);
      json.writeStringField("why", why);
      json.writeBooleanField("dryRun", outcome.startsWith("not done"));
      json.writeStringField("outcome", outcome);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string can be written to", e);
    }
    AUDIT.info("{}", OneLine.of(line.toString()));
  }
}
