// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.HintResource;
import io.thermocline.tiering.api.HintService;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.config.HintOperations;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.Wakeup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks owners at their webhooks whether their hints still hold (the hints wake-up of HintStor,
 * thesis chapter 2.3.2): each question once, as the JSON of {@code GET /hints/due}. The answer
 * may be an array of {@code {id, leaseMillis}}: a new lease, or 0 for a hint that is over. Who
 * says nothing may still answer by REST; who does neither lets it end.
 *
 * <p>Where to is the administrator's word alone: nothing in a hint or an answer leads to another
 * address, and redirects aren't followed. One thread.
 */
public final class WakeupCalls {

  private static final Logger LOG = LoggerFactory.getLogger(WakeupCalls.class);

  /** In one call; the rest with the next. */
  private static final int MOST_QUESTIONS = 1000;

  /** A longer answer counts as none: without some of its parts it could say something else. */
  private static final int MOST_ANSWER_BYTES = 1 << 20;

  private final HintOperations.Wakeups settings;
  private final HintService hintService;
  private final HintResource views;
  private final HttpClient client;
  private Set<String> asked = new HashSet<>();

  /** Whom the round before asked last: the next one goes on after them. */
  private String last = "";

  private long failures;

  public WakeupCalls(HintOperations.Wakeups settings, HintService hintService) {
    this.settings = settings;
    this.hintService = hintService;
    this.views = new HintResource(hintService);
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(settings.timeout())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /**
   * Asks what is due and wasn't asked yet. An address that doesn't answer in time is asked for no other owner in this
   * round, so that a round takes one timeout an address at most.
   */
  public void ask() throws InterruptedException {
    Set<String> due = new HashSet<>();
    NavigableMap<String, List<Wakeup>> owners = new TreeMap<>();
    for (Wakeup question :
        hintService
            .registry()
            .due(owner -> settings.address(owner) != null, hintService.nowMillis())) {
      due.add(key(question));
      List<Wakeup> ofOwner =
          owners.computeIfAbsent(question.hint().hint().owner(), first -> new ArrayList<>());
      if (!asked.contains(key(question)) && ofOwner.size() < MOST_QUESTIONS) {
        ofOwner.add(question);
      }
    }
    asked.retainAll(due);
    owners.values().removeIf(List::isEmpty);
    List<String> turns = new ArrayList<>(owners.tailMap(last, false).keySet());
    turns.addAll(owners.headMap(last, true).keySet());
    Set<URI> silent = new HashSet<>();
    for (String owner : turns) {
      URI address = settings.address(owner);
      if (!silent.contains(address)) {
        last = owner;
        try {
          ask(owner, address, owners.get(owner));
        } catch (HttpTimeoutException e) {
          silent.add(address);
          failed(owner, address, e);
        } catch (IOException e) {
          failed(owner, address, e);
        }
      }
    }
  }

  private void failed(String owner, URI address, IOException failure) {
    failures++;
    if (Long.bitCount(failures) == 1) {
      LOG.warn(
          "{} questions to owners couldn't be asked so far, the last one to {} at {}: {}",
          failures,
          owner,
          address,
          failure.toString());
    }
  }

  /** A hint that was renewed is asked for anew. */
  private static String key(Wakeup question) {
    GivenHint hint = question.hint();
    return hint.id() + ' ' + question.reason() + ' ' + hint.givenMillis();
  }

  private void ask(String owner, URI address, List<Wakeup> questions)
      throws IOException, InterruptedException {
    String answer =
        post(
            address,
            Json.MAPPER.writeValueAsBytes(questions.stream().map(views::question).toList()));
    questions.forEach(question -> asked.add(key(question)));
    Map<String, GivenHint> hints = new HashMap<>();
    questions.forEach(question -> hints.put(question.hint().id(), question.hint()));
    take(owner, answer, hints);
  }

  private String post(URI address, byte[] body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .timeout(settings.timeout())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (settings.token() != null) {
      request.header("Authorization", "Bearer " + RegularFiles.text(settings.token()).strip());
    }
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    AtomicBoolean isTooLong = new AtomicBoolean();
    CompletableFuture<HttpResponse<Void>> sent =
        client.sendAsync(
            request.build(),
            HttpResponse.BodyHandlers.ofByteArrayConsumer(
                part ->
                    part.ifPresent(
                        bytes -> {
                          if (answer.size() + bytes.length > MOST_ANSWER_BYTES) {
                            isTooLong.set(true);
                          } else {
                            answer.writeBytes(bytes);
                          }
                        })));
    try {
      int status = sent.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS).statusCode();
      if (status < 200 || status >= 300) {
        throw new IOException("it answered " + status);
      }
      if (isTooLong.get()) {
        throw new IOException("its answer has more than " + MOST_ANSWER_BYTES + " bytes");
      }
      return answer.toString(StandardCharsets.UTF_8);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no answer within " + settings.timeout());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } finally {
      sent.cancel(true);
    }
  }

  private void take(String owner, String answer, Map<String, GivenHint> hints) throws IOException {
    if (answer.isBlank()) {
      return;
    }
    JsonNode said;
    try {
      said = Json.MAPPER.readTree(answer);
    } catch (JsonProcessingException e) {
      throw new IOException("an answer that isn't JSON", e);
    }
    for (JsonNode one : said) {
      GivenHint hint = hints.get(one.path("id").asText());
      if (hint != null && one.path("leaseMillis").isIntegralNumber()) {
        take(owner, hint, one.path("leaseMillis").asLong());
      }
    }
  }

  /** As if the owner had said so by REST. */
  private void take(String owner, GivenHint hint, long leaseMillis) throws IOException {
    Caller caller = new Caller(owner, Role.VIEWER);
    Optional<HintRegistry.Used> used = hintService.registry().hint(hint.id());
    try {
      if (used.isPresent() && leaseMillis > 0) {
        hintService.renew(caller, used.get(), leaseMillis);
      } else if (used.isPresent()) {
        try (HintService.Visit visit = hintService.visit(caller)) {
          visit.remove(used.get().hint());
        }
      }
    } catch (ApiException e) {
      LOG.warn("{} answered for the hint {}: {}", owner, hint.id(), e.getMessage());
    }
  }
}
