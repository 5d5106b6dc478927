// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.Paths;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.PlanSpace;
import io.thermocline.tiering.review.Approval;
import io.thermocline.tiering.review.PlanDetails;
import io.thermocline.tiering.review.PlanState;
import io.thermocline.tiering.review.PlanStore;
import io.thermocline.tiering.review.PlannedFile;
import io.thermocline.tiering.review.RefusedException;
import io.thermocline.tiering.review.StoredPlan;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Plans: what would be done, people's word for it, and that it is done. */
public final class PlanResource implements Resource {

  private static final Param NUMBER = Param.number("number", "the plan's number");
  private static final Param IN =
      Param.optionalHdfsPath("path", "only of this file, or of the files below this directory");
  private static final Param SORT =
      Param.text("sort", "PATH, or BYTES or MOVES with the most first; else in the plan's order");

  private static final Map<String, Comparator<PlannedFile>> ORDERS =
      Map.of(
          "PATH", Comparator.comparing(PlannedFile::path),
          "BYTES", Comparator.comparingLong(PlannedFile::bytes).reversed(),
          "MOVES", Comparator.comparingInt(PlannedFile::moves).reversed());

  /** Of a path, in HDFS. */
  private static final int MOST_CHARACTERS = 8_000;

  /** Groups have words of their own each. */
  private static final int MOST_PARTS = 50;

  /** Directories, in a line. */
  private static final int MOST_NAMED = 3;

  private final PlanStore store;
  private final PlanSteps steps;
  private final Supplier<List<MoveState>> moves;
  private final PlanOrders orders;

  /** A plan with what became of it so far. */
  public record PlanSummary(
      long number,
      PlanState state,
      Instant made,
      @JsonPropertyDescription("when it came into its state") Instant since,
      @JsonPropertyDescription("why it is in its state; may be empty") String note,
      int files,
      int moves,
      @JsonPropertyDescription("of all copies that it asks for; 0 where it isn't known any more")
          long plannedBytes,
      @JsonPropertyDescription("decisions that no move could be found for") int unplaced,
      @JsonPropertyDescription("what it does, the most bytes first") List<PlanPart> parts,
      @JsonPropertyDescription(
              "storage policies that it sets on directories, the most files first, at most 50")
          List<DirectoryPolicy> policies,
      List<Approval> approvals,
      @JsonPropertyDescription("how many more people must approve it") int missingApprovals) {}

  /** What a plan does for one cause. */
  public record PlanPart(
      String cause,
      @JsonPropertyDescription("type of the files' fastest copy; empty where not known any more")
          String from,
      @JsonPropertyDescription("the storage types that each block has then, or the other change")
          String target,
      int files,
      int moves,
      long plannedBytes) {}

  /** A policy that a plan sets on a directory. */
  public record DirectoryPolicy(
      String path,
      String policy,
      @JsonPropertyDescription("in the directory; all of them inherit it, and so do new files")
          int files) {}

  /** A file that a plan finds no place for. */
  public record UnplacedFile(
      String path,
      @JsonPropertyDescription("the storage types that each block is to have") String target,
      @JsonPropertyDescription("why; where no plan can do it on these DataNodes, also since when")
          String reason) {}

  /** How full a storage type is before a plan and after it. */
  public record SpaceChange(
      @JsonPropertyDescription("host and port; empty: the whole cluster") String node,
      StorageType type,
      @JsonPropertyDescription("used when it was made") long beforeBytes,
      @JsonPropertyDescription("used once its moves are made, if nothing else changes")
          long afterBytes,
      long capacityBytes) {}

  /** A move, under way or ended; of the last ones. */
  public record MoveState(
      @JsonPropertyDescription("number of the plan and of the move in it") String id,
      String state,
      String path,
      long block,
      @JsonPropertyDescription("host and port of the DataNode, and storage type") String from,
      String to,
      long copiedBytes,
      @JsonPropertyDescription("when it came into its state") Instant since,
      @JsonPropertyDescription("why it failed or was dropped; may be empty") String detail) {}

  /** How to approve. */
  public record ApproveCommand(
      Boolean dryRun,
      String why,
      String requestId,
      @JsonPropertyDescription("true: carry it out at once where nobody else has to approve it")
          Boolean execute)
      implements Change {}

  /** What to bring where. */
  public record MoveCommand(
      @JsonPropertyDescription("of a file, or of a directory with all files below it") String path,
      @JsonPropertyDescription("for the fastest copy of each file; ARCHIVE: for all copies")
          StorageType type,
      Boolean dryRun,
      String why,
      String requestId)
      implements Change {}

  /** One of the steps of a plan. */
  private interface Step<T> {
    T take() throws RefusedException, ApiException, IOException;
  }

  /**
   * @param moves the last ones, newest first
   */
  public PlanResource(
      PlanStore store, PlanSteps steps, Supplier<List<MoveState>> moves, PlanOrders orders) {
    this.orders = orders;
    this.store = store;
    this.steps = steps;
    this.moves = moves;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/plans", "The last plans, newest first.")
            .answersPage(
                PlanSummary.class, request -> Page.of(request, store.all(), this::summary)),
        Route.post(
                "/plans",
                "Makes a plan now, within the usual limits, and answers when it is made.",
                Command.class)
            .fails(ErrorCode.NOT_NOW, ErrorCode.HDFS_UNAVAILABLE)
            .answers(PlanOrders.Ordered.class, this::planNow),
        Route.get("/plans/{number}", "One of them.")
            .takes(NUMBER)
            .fails(ErrorCode.NO_SUCH_PLAN)
            .answers(PlanSummary.class, request -> summary(plan(request))),
        Route.get("/plans/{number}/files", "What it does with each file, and why.")
            .takes(NUMBER)
            .takes(IN)
            .takes(SORT)
            .fails(ErrorCode.NO_SUCH_PLAN)
            .answersPage(
                PlannedFile.class,
                request -> Page.of(request, files(request), Function.identity())),
        Route.get(
                "/plans/{number}/space",
                "How full storage types and DataNodes are before it and after.")
            .takes(NUMBER)
            .fails(ErrorCode.NO_SUCH_PLAN)
            .answersPage(
                SpaceChange.class,
                request -> Page.of(request, plan(request).details().space(), PlanResource::space)),
        Route.get(
                "/plans/{number}/unplaced",
                "Files that it finds no place for, and why: at most 1,000, and none after a restart.")
            .takes(NUMBER)
            .takes(IN)
            .fails(ErrorCode.NO_SUCH_PLAN)
            .answersPage(
                UnplacedFile.class,
                request ->
                    Page.of(
                        request,
                        in(request, plan(request).details().unplaced(), PlanDetails.Unplaced::path),
                        one -> new UnplacedFile(one.path(), one.target(), one.reason()))),
        Route.get("/moves", "The last moves, newest first.")
            .takes(IN)
            .answersPage(
                MoveState.class,
                request ->
                    Page.of(
                        request, in(request, moves.get(), MoveState::path), Function.identity())),
        Route.post(
                "/moves",
                "Moves a file, or the files below a directory, to a storage type once, by a plan of its own.",
                MoveCommand.class)
            .fails(
                ErrorCode.NO_SUCH_FILE,
                ErrorCode.SHADOW_MODE,
                ErrorCode.NOT_NOW,
                ErrorCode.HDFS_UNAVAILABLE)
            .answers(PlanOrders.Move.class, this::move),
        change("approve", "Approves a plan that waits.", ApproveCommand.class)
            .fails(ErrorCode.PLAN_ALREADY_APPROVED, ErrorCode.SAME_APPROVER, ErrorCode.NOT_NOW)
            .answers(Accepted.class, this::approve),
        change("discard", "Discards a plan.", Command.class).answers(Accepted.class, this::discard),
        Route.post(
                "/plans/{number}/cancel",
                "Cancels a plan: waiting moves are dropped, moves under way finish.",
                Command.class)
            .takes(NUMBER)
            .fails(ErrorCode.NO_SUCH_PLAN, ErrorCode.PLAN_STALE, ErrorCode.PLAN_ENDED)
            .answers(Accepted.class, this::cancel),
        change("execute", "Carries out a plan that is approved.", Command.class)
            .fails(ErrorCode.PLAN_NOT_APPROVED, ErrorCode.NOT_NOW)
            .answers(Accepted.class, this::execute));
  }

  private static Route.Builder change(String step, String summary, Class<?> body) {
    return Route.post("/plans/{number}/" + step, summary, body)
        .takes(NUMBER)
        .fails(
            ErrorCode.NO_SUCH_PLAN,
            ErrorCode.PLAN_STALE,
            ErrorCode.PLAN_ENDED,
            ErrorCode.PLAN_RUNNING,
            ErrorCode.SHADOW_MODE);
  }

  private PlanSummary summary(StoredPlan plan) {
    return new PlanSummary(
        plan.number(),
        plan.state(),
        plan.made(),
        plan.since(),
        plan.note(),
        plan.files().size(),
        plan.moves(),
        plan.bytes(),
        plan.unplaced(),
        parts(plan.files()),
        plan.details().policies().stream()
            .limit(MOST_PARTS)
            .map(one -> new DirectoryPolicy(one.path(), one.policy(), one.files()))
            .toList(),
        plan.approvals(),
        plan.state() == PlanState.WAITING ? store.approvers() - plan.approvals().size() : 0);
  }

  private static List<PlanPart> parts(List<PlannedFile> files) {
    return files.stream()
        .map(
            file ->
                new PlanPart(
                    file.cause(), file.from(), file.target(), 1, file.moves(), file.bytes()))
        .collect(
            Collectors.toMap(
                part -> List.of(part.cause(), part.from(), part.target()),
                Function.identity(),
                (some, more) ->
                    new PlanPart(
                        some.cause(),
                        some.from(),
                        some.target(),
                        some.files() + more.files(),
                        some.moves() + more.moves(),
                        some.plannedBytes() + more.plannedBytes())))
        .values()
        .stream()
        .sorted(
            Comparator.comparingLong(PlanPart::plannedBytes)
                .reversed()
                .thenComparing(PlanPart::toString))
        .limit(MOST_PARTS)
        .toList();
  }

  private List<PlannedFile> files(Request request) throws ApiException, IOException {
    List<PlannedFile> files = in(request, plan(request).files(), PlannedFile::path);
    Optional<String> sort = request.optional(SORT);
    if (sort.isEmpty()) {
      return files;
    }
    Comparator<PlannedFile> order = ORDERS.get(sort.get());
    if (order == null) {
      throw new ApiException(
          ErrorCode.BAD_PARAMETER,
          "sort is '" + sort.get() + "'",
          "sort",
          "expected PATH, BYTES or MOVES");
    }
    return files.stream().sorted(order).toList();
  }

  private static <T> List<T> in(Request request, List<T> all, Function<T, String> path) {
    return request
        .optional(IN)
        .map(
            directory ->
                all.stream()
                    .filter(each -> Paths.isAtOrBelow(path.apply(each), directory))
                    .toList())
        .orElse(all);
  }

  private static SpaceChange space(PlanSpace one) {
    return new SpaceChange(one.node(), one.type(), one.before(), one.after(), one.capacity());
  }

  private StoredPlan plan(Request request) throws ApiException, IOException {
    int number = request.integer(NUMBER);
    return taken(() -> store.get(number));
  }

  private Accepted approve(Request request) throws ApiException, IOException {
    int number = request.integer(NUMBER);
    ApproveCommand command = request.body(ApproveCommand.class);
    String who = request.caller().name();
    if (!command.isMeant()) {
      StoredPlan plan = taken(() -> store.mayApprove(number, who));
      return Accepted.wouldBe(who + " approves " + words(plan));
    }
    StoredPlan plan = taken(() -> store.approve(number, who, command.why()));
    if (plan.state() == PlanState.WAITING) {
      int missing = store.approvers() - plan.approvals().size();
      return Accepted.done(words(plan) + " waits for " + missing + " more to approve it");
    }
    if (!Boolean.TRUE.equals(command.execute())) {
      return Accepted.done(words(plan) + " is approved");
    }
    return begin(plan, who, command.why());
  }

  private Accepted discard(Request request) throws ApiException, IOException {
    int number = request.integer(NUMBER);
    Command command = request.body(Command.class);
    if (!command.isMeant()) {
      StoredPlan plan = taken(() -> store.mayDiscard(number));
      return Accepted.wouldBe("discards " + words(plan));
    }
    String who = request.caller().name();
    StoredPlan plan = taken(() -> store.discard(number, who, command.why()));
    return Accepted.done(words(plan) + " is discarded");
  }

  private PlanOrders.Ordered planNow(Request request)
      throws ApiException, IOException, InterruptedException {
    Command command = request.body(Command.class);
    if (!command.isMeant()) {
      return new PlanOrders.Ordered(true, orders.prospect(), Optional.empty());
    }
    try {
      return orders.planNow(request.caller().name(), command.why());
    } catch (IllegalStateException e) {
      throw new ApiException(
          ErrorCode.NOT_NOW, e.getMessage(), "plan", "see " + ApiServer.ROOT + "/state");
    }
  }

  private PlanOrders.Move move(Request request)
      throws ApiException, IOException, InterruptedException {
    MoveCommand command = request.body(MoveCommand.class);
    if (command.path() == null) {
      throw new ApiException(
          ErrorCode.MISSING_FIELD, "path is missing", "path", "give a file or directory in HDFS");
    }
    String path =
        command.path().length() > 1 ? command.path().replaceAll("/+$", "") : command.path();
    if (!isPath(path)) {
      throw new ApiException(
          ErrorCode.BAD_FIELD,
          "path is '" + command.path() + "'",
          "path",
          "give the absolute path of a file or directory in HDFS, like /warehouse/t");
    }
    if (command.type() == null || !command.type().isMovable()) {
      throw new ApiException(
          command.type() == null ? ErrorCode.MISSING_FIELD : ErrorCode.BAD_FIELD,
          "type is " + (command.type() == null ? "missing" : command.type()),
          "type",
          "give NVDIMM, SSD, DISK or ARCHIVE");
    }
    PlanOrders.Move move;
    try {
      move =
          orders.move(
              path, command.type(), command.isMeant(), request.caller().name(), command.why());
    } catch (IllegalStateException e) {
      throw new ApiException(
          ErrorCode.NOT_NOW, e.getMessage(), "plan", "see " + ApiServer.ROOT + "/state");
    }
    if (move.files() == 0) {
      throw new ApiException(
          ErrorCode.NO_SUCH_FILE,
          command.path() + " is no file that is managed, and has none below it",
          "path",
          "see manage.paths and manage.ignore, or the rules");
    }
    return move;
  }

  /** Whether HDFS takes it as one. */
  private static boolean isPath(String path) {
    return path.length() <= MOST_CHARACTERS
        && path.startsWith("/")
        && (path.length() == 1
            || Arrays.stream(path.substring(1).split("/", -1))
                .noneMatch(
                    name ->
                        name.isEmpty()
                            || name.equals(".")
                            || name.equals("..")
                            || name.contains(":")));
  }

  private Accepted cancel(Request request) throws ApiException, IOException {
    int number = request.integer(NUMBER);
    Command command = request.body(Command.class);
    StoredPlan plan = taken(() -> store.mayCancel(number));
    if (!command.isMeant()) {
      return Accepted.wouldBe(
          "ends "
              + words(plan)
              + (plan.state() == PlanState.RUNNING
                  ? ": what waits of it is dropped, what is under way comes to its end"
                  : ", of which nothing was begun"));
    }
    StoredPlan ended = taken(() -> steps.cancel(number, request.caller().name(), command.why()));
    return Accepted.done(
        words(ended)
            + (ended.state() == PlanState.RUNNING
                ? " ends when what is under way is at its end"
                : " is discarded"));
  }

  private Accepted execute(Request request) throws ApiException, IOException {
    int number = request.integer(NUMBER);
    Command command = request.body(Command.class);
    StoredPlan plan = taken(() -> store.mayBegin(number));
    return command.isMeant()
        ? begin(plan, request.caller().name(), command.why())
        : Accepted.wouldBe("carries out " + words(plan));
  }

  private Accepted begin(StoredPlan plan, String who, String why) throws ApiException, IOException {
    long task = taken(() -> steps.carryOut(plan.number(), who, why));
    return Accepted.by(task, "carrying out " + words(plan));
  }

  private static String words(StoredPlan plan) {
    return String.format(
        java.util.Locale.ROOT,
        "plan %d (%s, %s, %s%s)",
        plan.number(),
        Quantities.count(plan.files().size(), "file"),
        Quantities.count(plan.moves(), "move"),
        Quantities.bytes(plan.bytes()),
        policies(plan.details().policies()));
  }

  /** They reach files that the plan doesn't name. */
  private static String policies(List<Plan.DirectoryPolicy> policies) {
    String words =
        policies.stream()
            .limit(MOST_NAMED)
            .map(
                one ->
                    "; sets %s on %s, for its %s and new ones"
                        .formatted(one.policy(), one.path(), Quantities.count(one.files(), "file")))
            .collect(Collectors.joining());
    int more = policies.size() - MOST_NAMED;
    return more <= 0 ? words : words + "; sets policies on " + more + " more directories";
  }

  private static <T> T taken(Step<T> step) throws ApiException, IOException {
    try {
      return step.take();
    } catch (RefusedException e) {
      ErrorCode code = ErrorCode.valueOf(e.reason().name());
      throw new ApiException(code, e.getMessage(), "plan", e.whatToDo());
    }
  }
}
