// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Temperature;
import io.thermocline.tiering.observe.Paths;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The hints that hold at one moment. Immutable, but for the collections that it was given, which must not change.
 *
 * <p>The closest one counts: of the file before those of directories, the innermost first, before those of the file's
 * stream. Of several on the same thing the hottest counts, and among these the one whose operation asks for most: the
 * last in {@link Operation}'s order. What an operation asks for is said by the closest hint of it, whatever others say of
 * the same file.
 */
public final class HintsInForce {

  public static final HintsInForce NONE =
      new HintsInForce(List.of(), Map.of(), owner -> OwnerReliability.NEW, HintRates.DEFAULT, 0);

  private final Map<String, List<GivenHint>> files = new HashMap<>();
  private final Map<String, List<GivenHint>> directories = new HashMap<>();
  private final BitSet lengths = new BitSet();
  private final Map<String, List<GivenHint>> streams = new HashMap<>();
  private final Map<String, String> tags;
  private final Function<String, OwnerReliability> reliabilities;
  private final HintRates rates;
  private final long nowMillis;

  /**
   * @param hints whatever was given; those that haven't begun, or whose lease is over, are left out
   * @param tags streams as {@link GivenHint#stream}, by path of a file, or of a directory with all below it
   * @param reliabilities by owner
   */
  public HintsInForce(
      Collection<GivenHint> hints,
      Map<String, String> tags,
      Function<String, OwnerReliability> reliabilities,
      HintRates rates,
      long nowMillis) {
    this.tags = tags;
    this.reliabilities = reliabilities;
    this.rates = rates;
    this.nowMillis = nowMillis;
    for (GivenHint given : hints) {
      if (given.hint().hasBegun(nowMillis) && given.hint().isInForce(nowMillis)) {
        Scope scope = given.hint().scope();
        Map<String, List<GivenHint>> by =
            scope == Scope.FILE ? files : scope == Scope.DIRECTORY ? directories : streams;
        String key = scope == Scope.STREAM ? given.stream() : given.path();
        by.computeIfAbsent(key, first -> new ArrayList<>()).add(given);
        if (scope == Scope.DIRECTORY) {
          lengths.set(key.length());
        }
      }
    }
  }

  public boolean isEmpty() {
    return files.isEmpty() && directories.isEmpty() && streams.isEmpty();
  }

  /** What is expected of a file; empty where no hint says how hot it will be. */
  public Optional<Expectation> of(String path) {
    return isEmpty()
        ? Optional.empty()
        : closest(path, HintsInForce::hottest).map(this::expectation);
  }

  /** The closest hint of an operation on a file. */
  public Optional<GivenHint> of(String path, Operation operation) {
    return isEmpty()
        ? Optional.empty()
        : closest(
            path,
            hints ->
                hints.stream().filter(hint -> hint.hint().operation() == operation).findFirst());
  }

  /** By operation that needs room somewhere, what the closest hint of it on a file makes us expect. */
  public List<Expectation> asked(String path) {
    return Stream.of(Operation.PREFETCH, Operation.REPLICATE)
        .flatMap(operation -> of(path, operation).stream())
        .map(this::expectation)
        .toList();
  }

  /** Hints of an operation on directories, by their paths. */
  public List<GivenHint> onDirectories(Operation operation) {
    return directories.values().stream()
        .flatMap(List::stream)
        .filter(hint -> hint.hint().operation() == operation)
        .sorted(Comparator.comparing(GivenHint::path))
        .toList();
  }

  /** How far an owner is believed, 0 to 1. */
  public double reliability(String owner) {
    return reliabilities.apply(owner).weight();
  }

  private Optional<GivenHint> closest(
      String path, Function<List<GivenHint>, Optional<GivenHint>> choice) {
    List<GivenHint> own = files.isEmpty() ? null : files.get(path);
    Optional<GivenHint> found = own == null ? Optional.empty() : choice.apply(own);
    if (!directories.isEmpty()) {
      int end = path.lastIndexOf('/');
      for (; found.isEmpty() && end >= 0; end = path.lastIndexOf('/', end - 1)) {
        // Most ancestors are of a length that no hinted directory has.
        int length = Math.max(1, end);
        if (lengths.get(length)) {
          List<GivenHint> above = directories.get(path.substring(0, length));
          found = above == null ? found : choice.apply(above);
        }
      }
    }
    if (!streams.isEmpty()) {
      for (String at = path; found.isEmpty() && at != null; at = Paths.above(at)) {
        String tag = tags.get(at);
        found = tag == null ? found : choice.apply(streams.getOrDefault(tag, List.of()));
      }
    }
    return found;
  }

  private static Optional<GivenHint> hottest(List<GivenHint> hints) {
    GivenHint best = null;
    for (GivenHint hint : hints) {
      Temperature temperature = hint.temperature();
      int better = best == null ? 1 : temperature.compareTo(best.temperature());
      if (temperature != Temperature.UNKNOWN
          && (better > 0
              || better == 0 && hint.hint().operation().compareTo(best.hint().operation()) > 0)) {
        best = hint;
      }
    }
    return Optional.ofNullable(best);
  }

  private Expectation expectation(GivenHint given) {
    String owner = given.hint().owner();
    return new Expectation(
        given.id(),
        owner,
        given.hint().operation(),
        given.temperature(),
        rates.of(given.temperature()),
        reliability(owner),
        given.hint().leaseExpiryMillis(),
        given.hint().leaseExpiryMillis() - nowMillis);
  }
}
