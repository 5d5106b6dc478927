// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.tiering.act.FailureText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Takes plans back. */
public final class UndoResource implements Resource {

  /** Paths, in a line. */
  private static final int MOST_NAMED = 10;

  /** So many are checked before the answer, which takes a second or two. */
  private static final int MOST_CHECKED = 1_000;

  private static final Param NUMBER = Param.number("number", "the plan's number");

  private final Undoing undoing;
  private final Tasks tasks;
  private final ThreadFactory threads;

  /** A part of what would come of it. */
  public record UndoPreview(
      @JsonPropertyDescription("the plan that is taken back") long plan,
      @JsonPropertyDescription("that would be as they were; limit and offset choose a part")
          List<String> paths,
      @JsonPropertyDescription("how many paths there are in all") int pathsTotal,
      int moves,
      @JsonPropertyDescription(
              "paths that would be left as they are, with the reason of each; limit and offset choose a part")
          Map<String, String> refused,
      @JsonPropertyDescription("how many of these there are in all") int refusedTotal) {}

  /**
   * @param threads one for each plan that is taken back
   */
  public UndoResource(Undoing undoing, Tasks tasks, ThreadFactory threads) {
    this.undoing = undoing;
    this.tasks = tasks;
    this.threads = threads;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/plans/{number}/undo", "What taking a plan back would do, and what not.")
            .takes(NUMBER)
            .fails(
                ErrorCode.NO_SUCH_PLAN,
                ErrorCode.NOT_NOW,
                ErrorCode.NOTHING_TO_UNDO,
                ErrorCode.HDFS_UNAVAILABLE)
            .takes(Param.LIMIT)
            .takes(Param.OFFSET)
            .answers(UndoPreview.class, this::preview),
        Route.post("/plans/{number}/undo", "Takes a plan back.", Command.class)
            .takes(NUMBER)
            .fails(
                ErrorCode.NO_SUCH_PLAN,
                ErrorCode.NOT_NOW,
                ErrorCode.NOTHING_TO_UNDO,
                ErrorCode.HDFS_UNAVAILABLE)
            .answers(Accepted.class, this::undo));
  }

  private UndoPreview preview(Request request)
      throws ApiException, IOException, InterruptedException {
    Undoing.Undone all = preview(request.integer(NUMBER), Integer.MAX_VALUE);
    Map<String, String> refused = new LinkedHashMap<>();
    Page.of(request, List.copyOf(all.refused().entrySet()), Function.identity())
        .items()
        .forEach(one -> refused.put(one.getKey(), one.getValue()));
    return new UndoPreview(
        all.plan(),
        Page.of(request, all.paths(), Function.identity()).items(),
        all.paths().size(),
        all.moves(),
        refused,
        all.refused().size());
  }

  private Undoing.Undone preview(int number, int most)
      throws ApiException, IOException, InterruptedException {
    long last = undoing.lastPlan();
    if (number < 1 || number > last) {
      throw new ApiException(
          ErrorCode.NO_SUCH_PLAN,
          "there is no plan " + number,
          "plan",
          last == 0 ? "no plan was made yet" : "the last plan is " + last);
    }
    Undoing.Undone preview;
    try {
      preview = undoing.preview(number, most);
    } catch (IllegalStateException e) {
      throw new ApiException(
          ErrorCode.NOT_NOW, e.getMessage(), "plan", "see " + ApiServer.ROOT + "/control");
    }
    if (preview.paths().isEmpty() && preview.refused().isEmpty()) {
      throw new ApiException(
          ErrorCode.NOTHING_TO_UNDO,
          "nothing of plan " + number + " is there to be taken back",
          "plan",
          ApiServer.ROOT + "/plans lists those that are known");
    }
    return preview;
  }

  private Accepted undo(Request request) throws ApiException, IOException, InterruptedException {
    int number = request.integer(NUMBER);
    Command command = request.body(Command.class);
    Undoing.Undone preview = preview(number, MOST_CHECKED);
    int paths = preview.paths().size() + preview.refused().size();
    String words = words(preview) + (paths > MOST_CHECKED ? "; checks each path first" : "");
    if (!command.isMeant()) {
      return Accepted.wouldBe("takes back " + words);
    }
    String who = request.caller().name();
    int all = 2 * paths + preview.moves();
    AtomicReference<Supplier<Tasks.Progress>> done =
        new AtomicReference<>(() -> new Tasks.Progress(0, all));
    Tasks.Running task =
        tasks.begin(
            new Tasks.Asked("undo of plan " + number, who, command.why()),
            () -> {
              Tasks.Progress now = done.get().get();
              return new Tasks.Progress(
                  Math.min(now.done(), all), all, now.doneBytes(), now.totalBytes());
            });
    threads.newThread(() -> undo(task, done, all, number, who, command.why())).start();
    return Accepted.by(task.id(), "taking back " + words);
  }

  private void undo(
      Tasks.Running task,
      AtomicReference<Supplier<Tasks.Progress>> done,
      int all,
      int number,
      String who,
      String why) {
    try {
      Undoing.Undone undone = undoing.undo(number, who, why, done::set);
      if (undone.refused().isEmpty()) {
        // Also what needed no look or no move.
        Tasks.Progress last = done.get().get();
        done.set(() -> new Tasks.Progress(all, all, last.doneBytes(), last.totalBytes()));
      }
      task.end(undone.refused().isEmpty() ? Tasks.State.DONE : Tasks.State.FAILED, words(undone));
    } catch (IOException | RuntimeException e) {
      task.end(Tasks.State.FAILED, FailureText.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      task.end(Tasks.State.FAILED, "the service ended");
    }
  }

  private static String words(Undoing.Undone undone) {
    return "plan "
        + undone.plan()
        + ": "
        + Quantities.count(undone.paths().size(), "path")
        + ", "
        + Quantities.count(undone.moves(), "move")
        + refused(undone.refused());
  }

  private static String refused(Map<String, String> refused) {
    if (refused.isEmpty()) {
      return "";
    }
    int more = refused.size() - MOST_NAMED;
    return refused.entrySet().stream()
        .limit(MOST_NAMED)
        .map(one -> one.getKey() + ": " + one.getValue())
        .collect(
            Collectors.joining(
                "; ", "; left as they are: ", more > 0 ? "; and " + more + " more" : ""));
  }
}
