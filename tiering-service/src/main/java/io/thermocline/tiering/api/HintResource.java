// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Scope;
import io.thermocline.hints.wire.HintFormatException;
import io.thermocline.hints.wire.HintJson;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.OwnerReliability;
import io.thermocline.tiering.hints.QueueLength;
import io.thermocline.tiering.hints.Wakeup;
import io.thermocline.tiering.observe.Paths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Hints of applications: giving, asking, renewing, taking back; what owners are asked, and how
 * often they are right.
 */
public final class HintResource implements Resource {

  private static final TypeReference<Map<String, Object>> FIELDS = new TypeReference<>() {};

  private static final Param ID = Param.name("id", "of a hint");
  private static final Param OWNER_NAME = Param.name("owner", "short name of a user");
  private static final Param OWNER = Param.text("owner", "short name of who gave them");
  private static final Param PATH =
      Param.text("path", "of a file or directory: hints on it, below it, and above it for it");
  private static final Param ON =
      Param.text("on", "a path, or the tag of a stream: hints on it alone, not below or above it");
  private static final Param STREAM = Param.text("stream", "tag of the stream");
  private static final Param DRY_RUN =
      Param.text("dryRun", "true: only look whether they would be taken");

  private final HintService hintService;

  /**
   * @param hintService null where no hints are taken, or nobody knows who asks
   */
  public HintResource(HintService hintService) {
    this.hintService = hintService;
  }

  /** A hint that holds. */
  public record HintView(
      String id,
      String op,
      String scope,
      @JsonPropertyDescription("path or stream tag, as it was given") String target,
      @JsonPropertyDescription("where that is now; absent of a stream") Optional<String> path,
      String pattern,
      String requirement,
      String temperature,
      Optional<String> stream,
      String owner,
      String source,
      @JsonPropertyDescription(
              "when it begins to hold, milliseconds since 1970; absent where it does since it was given")
          Optional<Long> starts,
      @JsonPropertyDescription("end of the lease, milliseconds since 1970") long expires,
      @JsonPropertyDescription("when it was given or renewed, milliseconds since 1970") long given,
      @JsonPropertyDescription("seen of what it is about since then") long reads,
      @JsonPropertyDescription("the reliability of its owner, 0 to 1") double reliability) {}

  /** What became of one hint of several. */
  public record HintTaken(
      Optional<String> id,
      @JsonPropertyDescription("id of the task of what it asks for, to follow") Optional<Long> task,
      @JsonPropertyDescription("whether nothing was changed") boolean dryRun,
      Optional<ApiError> error) {}

  /** A question to an owner. */
  public record HintQuestion(
      HintView hint,
      @JsonPropertyDescription("UNUSED, TURNED_HOT or LEASE_ENDS") String reason,
      @JsonPropertyDescription("silence ends the hint then, milliseconds since 1970")
          long answerBy) {}

  /** How often the hints of an owner came true. */
  public record HintOwner(
      String owner,
      long right,
      long wrong,
      @JsonPropertyDescription("share of a hint's expected reads that is counted with, 0 to 1")
          double reliability,
      @JsonPropertyDescription("that hold") long hints,
      @JsonPropertyDescription("of these, that ask for an operation") long operations,
      @JsonPropertyDescription(
              "that stand on files or directories and aren't taken, those found last")
          List<HintService.Refused> refused) {}

  @Override
  public List<Route> routes() {
    return List.of(
        Route.post("/hints", "Gives hints: an array of 1 to 1000.", ArrayNode.class)
            .needs(Role.VIEWER)
            .takes(DRY_RUN)
            .fails(ErrorCode.HDFS_UNAVAILABLE, ErrorCode.NO_SUCH_RESOURCE)
            .answersList(HintTaken.class, taken(this::give)),
        Route.get("/hints", "Hints that hold.")
            .takes(PATH)
            .takes(ON)
            .takes(OWNER)
            .takes(STREAM)
            .fails(ErrorCode.NO_SUCH_RESOURCE)
            .answersPage(HintView.class, taken(this::list)),
        Route.get(
                "/hints/due",
                "What the service asks owners of hints now. An owner answers by renewing the hint or taking it back.")
            .takes(OWNER)
            .fails(ErrorCode.NO_SUCH_RESOURCE)
            .answersPage(HintQuestion.class, taken(this::due)),
        Route.get("/hints/queue", "Whether new data should be led elsewhere (REDIRECT).")
            .fails(ErrorCode.NO_SUCH_RESOURCE)
            .answers(QueueLength.Now.class, taken(request -> hintService.queue())),
        Route.get("/hints/{id}", "A hint that holds.")
            .takes(ID)
            .fails(ErrorCode.NO_SUCH_RESOURCE, ErrorCode.NO_SUCH_HINT)
            .answers(HintView.class, taken(request -> view(found(request)))),
        Route.post("/hints/{id}/renew", "Gives a hint a new lease from now on.", ObjectNode.class)
            .needs(Role.VIEWER)
            .takes(ID)
            .fails(
                ErrorCode.NO_SUCH_RESOURCE,
                ErrorCode.NO_SUCH_HINT,
                ErrorCode.NO_SUCH_FILE,
                ErrorCode.TOO_MANY_HINTS)
            .fails(ErrorCode.HDFS_UNAVAILABLE)
            .answers(HintView.class, taken(this::renew)),
        Route.delete("/hints/{id}", "Takes a hint back.")
            .takes(ID)
            .fails(ErrorCode.NO_SUCH_RESOURCE, ErrorCode.NO_SUCH_HINT, ErrorCode.HDFS_UNAVAILABLE)
            .answers(Accepted.class, taken(this::remove)),
        Route.get("/hint-owners", "How often hints came true, owner by owner.")
            .fails(ErrorCode.NO_SUCH_RESOURCE)
            .answersPage(
                HintOwner.class,
                taken(request -> Page.of(request, hintService.registry().owners(), this::owner))),
        Route.get("/hint-owners/{owner}", "How often an owner's hints came true.")
            .takes(OWNER_NAME)
            .fails(ErrorCode.NO_SUCH_RESOURCE)
            .answers(HintOwner.class, taken(request -> owner(request.text(OWNER_NAME)))));
  }

  private Handler taken(Handler handler) {
    return request -> {
      if (hintService == null) {
        throw new ApiException(
            ErrorCode.NO_SUCH_RESOURCE,
            "Hints are off. With hints, applications tell the service how they will use their data",
            "hints.enabled, api.tokens, api.kerberos",
            "set hints.enabled: on, and api.tokens or api.kerberos, as a hint is written in the caller's name");
      }
      return handler.answer(request);
    };
  }

  private List<HintTaken> give(Request request) throws ApiException, IOException {
    ArrayNode body = request.body(ArrayNode.class);
    if (body.isEmpty() || body.size() > HintJson.MAX_BATCH) {
      throw new ApiException(
          ErrorCode.BAD_FIELD,
          body.size() + " hints",
          "body",
          "send 1 to " + HintJson.MAX_BATCH + " at once");
    }
    String dryRun = request.optional(DRY_RUN).orElse("false");
    if (!dryRun.equals("true") && !dryRun.equals("false")) {
      throw new ApiException(
          ErrorCode.BAD_PARAMETER,
          "dryRun is '" + dryRun + "'",
          "dryRun",
          "expected true or false");
    }
    List<HintTaken> answers = new ArrayList<>();
    try (HintService.Visit visit = hintService.visit(request.caller())) {
      int index = 0;
      for (JsonNode part : body) {
        answers.add(take(visit, request.caller(), part, index++, dryRun.equals("true")));
      }
    }
    return answers;
  }

  private HintTaken take(
      HintService.Visit visit, Caller caller, JsonNode part, int index, boolean dryRun) {
    try {
      if (!part.isObject()) {
        throw new ApiException(
            ErrorCode.BAD_FIELD, "no object: " + part, "[" + index + "]", "send a hint");
      }
      Hint hint;
      try {
        hint =
            HintJson.fromRequest(
                Json.MAPPER.convertValue(part, FIELDS), caller.name(), hintService.nowMillis());
      } catch (HintFormatException e) {
        throw wrong(e, "[" + index + "]." + e.key());
      }
      GivenHint checked = visit.check(hint);
      OptionalLong task = dryRun ? OptionalLong.empty() : visit.take(checked);
      return new HintTaken(
          Optional.of(checked.id()),
          task.isPresent() ? Optional.of(task.getAsLong()) : Optional.empty(),
          dryRun,
          Optional.empty());
    } catch (ApiException e) {
      return new HintTaken(Optional.empty(), Optional.empty(), dryRun, Optional.of(e.error()));
    }
  }

  private static ApiException wrong(HintFormatException e, String where) {
    return new ApiException(
        ErrorCode.valueOf(e.error().name()),
        e.getMessage(),
        where,
        "docs/guides/hints.md has the fields");
  }

  private Page<HintView> list(Request request) throws ApiException {
    Optional<String> path = request.optional(PATH);
    Optional<String> on = request.optional(ON);
    Optional<String> owner = request.optional(OWNER);
    Optional<String> stream = request.optional(STREAM);
    List<HintRegistry.Used> hints =
        hintService
            .registry()
            .hints(
                hint ->
                    path.map(at -> isAbout(hint, at)).orElse(true)
                        && on.map(isOn(hint)::equals).orElse(true)
                        && owner.map(hint.hint().owner()::equals).orElse(true)
                        && stream.map(tag -> tag.equals(hint.hint().stream())).orElse(true));
    return Page.of(request, hints, this::view);
  }

  private static String isOn(GivenHint hint) {
    return hint.hint().scope() == Scope.STREAM ? hint.hint().target() : hint.path();
  }

  private static boolean isAbout(GivenHint hint, String path) {
    return Paths.isAtOrBelow(hint.path(), path)
        || hint.hint().scope() == Scope.DIRECTORY && Paths.isAtOrBelow(path, hint.path());
  }

  private Page<HintQuestion> due(Request request) throws ApiException {
    String owner = request.optional(OWNER).orElse(request.caller().name());
    List<Wakeup> due = hintService.registry().due(owner::equals, hintService.nowMillis());
    return Page.of(request, due, this::question);
  }

  /** As an owner is asked. */
  public HintQuestion question(Wakeup asked) {
    return new HintQuestion(
        view(new HintRegistry.Used(asked.hint(), asked.reads())),
        asked.reason().name(),
        asked.answerByMillis());
  }

  private HintView renew(Request request) throws ApiException, IOException {
    HintRegistry.Used used = found(request);
    long lease;
    try {
      lease = HintJson.lease(Json.MAPPER.convertValue(request.body(ObjectNode.class), FIELDS));
    } catch (HintFormatException e) {
      throw wrong(e, e.key());
    }
    GivenHint renewed = hintService.renew(request.caller(), used, lease);
    return view(
        hintService.registry().hint(renewed.id()).orElse(new HintRegistry.Used(renewed, 0)));
  }

  private Accepted remove(Request request) throws ApiException, IOException {
    HintRegistry.Used used = found(request);
    try (HintService.Visit visit = hintService.visit(request.caller())) {
      visit.remove(used.hint());
    }
    return Accepted.done("hint " + used.hint().id() + " was taken back");
  }

  private HintOwner owner(String owner) {
    OwnerReliability reliability = hintService.registry().reliability(owner);
    return new HintOwner(
        owner,
        reliability.right(),
        reliability.wrong(),
        reliability.weight(),
        hintService.registry().hintsOf(owner),
        hintService.registry().operationsOf(owner),
        hintService.refused(owner));
  }

  private HintRegistry.Used found(Request request) throws ApiException {
    String id = request.text(ID);
    return hintService
        .registry()
        .hint(id)
        .filter(used -> used.hint().hint().isInForce(hintService.nowMillis()))
        .orElseThrow(
            () ->
                new ApiException(
                    ErrorCode.NO_SUCH_HINT,
                    "no hint " + id,
                    "id",
                    "its lease may be over: GET /hints says which there are"));
  }

  private HintView view(HintRegistry.Used used) {
    return view(hintService.registry(), used);
  }

  /** A hint of a registry, as it is shown. */
  public static HintView view(HintRegistry registry, HintRegistry.Used used) {
    GivenHint given = used.hint();
    Hint hint = given.hint();
    return new HintView(
        given.id(),
        hint.operation().name(),
        hint.scope().name(),
        hint.target(),
        Optional.of(given.path()).filter(path -> !path.isEmpty()),
        hint.pattern().name(),
        hint.requirement().name(),
        hint.temperature().name(),
        Optional.ofNullable(hint.scope() == Scope.STREAM ? null : hint.stream()),
        hint.owner(),
        hint.source().name(),
        Optional.of(hint.startMillis()).filter(start -> start != 0),
        hint.leaseExpiryMillis(),
        given.givenMillis(),
        used.reads(),
        registry.reliability(hint.owner()).weight());
  }
}
