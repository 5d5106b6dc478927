// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Temperature;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintRates;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.hints.OwnerReliability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What decisions make of hints. */
class HintedFilesTest {

  private static final Duration HALF_LIFE = Duration.ofHours(6);
  private static final long DAY = 86_400_000;
  private static final Map<StorageType, TierLimits> LIMITS =
      Map.of(
          SSD, new TierLimits(0.6, 0.9, 2),
          DISK, new TierLimits(0.75, 0.85, 1),
          ARCHIVE, new TierLimits(0.85, 0.9, 0));

  private final Scene scene =
      new Scene().nodes(3, Map.of(SSD, 1000L, DISK, 10_000L, ARCHIVE, 10_000L));
  private final List<HotFile> files = new ArrayList<>();
  private final List<GivenHint> hints = new ArrayList<>();
  private final Map<String, OwnerReliability> reliabilities = new HashMap<>();
  private final Map<String, Hold> ruled = new HashMap<>();
  private PrefetchLimits prefetch = PrefetchLimits.NONE;
  private ActionLimits actions = ActionLimits.NONE;

  @Test
  void anExpectedTemperatureBecomesAHotnessAndSoABucket() {
    hint("/f", Operation.ADVISE, Temperature.HOT, "etl");
    disk("/f", 100, 0);
    Decision decision = only();
    assertEquals(List.of(SSD, DISK, DISK), decision.target().copies());
    // 24 reads a day, believed 0.8, over a half-life of 6 hours: 19.2 / 4 / ln 2.
    assertEquals(6.92, decision.hot().heat(), 0.01);
    assertTrue(
        decision
            .reason()
            .contains("(hinted hot by etl until 1970-01-02T00:00:00Z, believed 0.80: as 19.2"),
        decision.reason());
  }

  @Test
  void whoWasWrongMostlyMovesNothing() {
    hint("/f", Operation.ADVISE, Temperature.HOT, "etl");
    reliabilities.put("etl", new OwnerReliability(0, 20));
    disk("/f", 100, 0);
    assertEquals(List.of(), decide());
  }

  @Test
  void whatIsSaidToBeColdIsTheFirstToLeave() {
    ssd("/said", 1500, 10);
    ssd("/other", 1400, 4);
    hint("/said", Operation.ADVISE, Temperature.COLD, "etl");
    assertEquals(List.of("/said"), paths(decide()));
  }

  @Test
  void aPrefetchNeedsNoThresholdAndKeepsToItsRoom() {
    prefetch = new PrefetchLimits(500, 300);
    // Full to the lower watermark with what is hotter.
    ssd("/hot", 1800, 10_000);
    hint("/a", Operation.PREFETCH, Temperature.UNKNOWN, "etl");
    hint("/b", Operation.PREFETCH, Temperature.UNKNOWN, "etl");
    hint("/c", Operation.PREFETCH, Temperature.UNKNOWN, "app");
    disk("/a", 200, 0);
    disk("/b", 200, 0);
    disk("/c", 200, 0);
    List<Decision> decisions = decide();
    assertEquals(List.of("/a", "/c"), paths(decisions), "300 bytes for one owner");
    assertTrue(
        decisions.get(0).reason().startsWith("prefetched to SSD, within the 500 bytes"),
        decisions.get(0)::reason);
    prefetch = new PrefetchLimits(400, 400);
    assertEquals(List.of("/a", "/b"), paths(decide()), "to the last byte");
    assertEquals(
        "prefetch: 400 bytes are all that may be prefetched",
        decider(Gate.open())
            .explain("/c", hinted(), situation(scene, CurrentActions.NOTHING))
            .obstacles()
            .get(SSD));
    prefetch = new PrefetchLimits(300, 300);
    assertEquals(List.of("/a"), paths(decide()), "300 bytes in all");
    prefetch = PrefetchLimits.NONE;
    assertEquals(List.of(), decide());
  }

  /** SSD has 3000 bytes, of which 2700 are below its upper watermark. */
  @Test
  void aPrefetchStaysBelowTheUpperWatermark() {
    prefetch = new PrefetchLimits(500, 500);
    ssd("/hot", 2650, 10_000);
    hint("/a", Operation.PREFETCH, Temperature.UNKNOWN, "etl");
    hint("/b", Operation.PREFETCH, Temperature.UNKNOWN, "etl");
    disk("/a", 50, 0);
    assertEquals(List.of("/a"), paths(decide()));
    disk("/b", 51, 0);
    assertEquals(List.of("/a"), paths(decide()));
    assertEquals(
        "prefetch: no room below the upper watermark",
        decider(Gate.open())
            .explain("/b", hinted(), situation(scene, CurrentActions.NOTHING))
            .obstacles()
            .get(SSD));
    ruled.put("/a", new Hold(false, true, "went down lately"));
    files.remove(2);
    assertEquals(List.of(), decide(), "its own past counts");
  }

  /** The other one is hotter, or as hot and of an operation that asks for more, or closer. */
  @Test
  void aPrefetchIsDoneWhateverElseIsSaidOfTheFile() {
    prefetch = new PrefetchLimits(500, 500);
    ssd("/hot", 1800, 10_000);
    hint("/d/pinned", Operation.PREFETCH, Temperature.UNKNOWN, "etl");
    hint("/d/pinned", Operation.PIN, Requirement.LOW_LATENCY, "app");
    hint("/d/hotter", Operation.PREFETCH, Temperature.WARM, "etl");
    hint("/d/hotter", Operation.ADVISE, Temperature.HOT, "app");
    hint("/d", Operation.PREFETCH, Temperature.HOT, "dir");
    hint("/d/advised", Operation.ADVISE, Temperature.WARM, "app");
    hint("/d/cold", Operation.ADVISE, Temperature.COLD, "app");
    for (String path : List.of("/d/pinned", "/d/hotter", "/d/advised", "/d/cold")) {
      disk(path, 100, 0);
    }
    List<Decision> decisions = decide();
    assertEquals(List.of("/d/advised", "/d/hotter", "/d/pinned"), paths(decisions));
    for (Decision decision : decisions) {
      assertTrue(decision.reason().contains("; PREFETCH is asked for: "), decision::reason);
    }
    reliabilities.put("etl", new OwnerReliability(0, 20));
    assertEquals(List.of("/d/advised"), paths(decide()), "what counts is who asks for it");
  }

  @Test
  void moreReplicasAreAskedForWhateverElseIsSaidOfTheFile() {
    hint("/a", Operation.REPLICATE, Temperature.WARM, "etl");
    hint("/a", Operation.ADVISE, Temperature.HOT, "app");
    hint("/a", Operation.PREFETCH, Temperature.HOT, "app");
    hint("/b", Operation.REPLICATE, Temperature.UNKNOWN, "etl");
    disk("/a", 100, 0);
    disk("/b", 100, 0);
    HintsInForce inForce = inForce();
    for (HotFile hot : files) {
      HotFile hinted = hinted(hot, inForce);
      assertEquals("etl", hinted.asks(Operation.REPLICATE).orElseThrow().owner());
    }
    assertEquals(
        Temperature.HOT, inForce.of("/b").orElseThrow().temperature(), "where nothing says it");
  }

  @Test
  void whatIsToGetMoreReplicasStaysOnDisk() {
    hint("/f", Operation.REPLICATE, Temperature.HOT, "etl");
    disk("/f", 100, 0);
    assertEquals(List.of("/f"), paths(decide()), "where no replicas are added it is advice");
    actions = new ActionLimits(null, new ActionLimits.Copies(5));
    assertEquals(List.of(), decide());
  }

  /** One reader more than copies serve is expected, for as long as the hint holds. */
  @Test
  void aHintOfReplicasBringsOneMore() {
    actions = new ActionLimits(null, new ActionLimits.Copies(5));
    Scene five = new Scene().nodes(5, Map.of(DISK, 10_000L));
    TierDecider decider =
        decider(
            new Gate(
                Duration.ofHours(1),
                0,
                ExpectedReads.learned(HALF_LIFE),
                Map.of(DISK, new TierSpeed(10, 10, 0))));
    hint("/f", Operation.REPLICATE, Temperature.HOT, "etl");
    files.add(new HotFile(five.file("/f", 100, "n1-DISK", "n2-DISK", "n3-DISK"), 0));
    Decision more = decider.decide(hinted(), situation(five, CurrentActions.NOTHING)).get(0);
    assertEquals(Decision.Cause.MORE_COPIES, more.cause());
    assertEquals(4, more.target().replication());

    files.set(0, new HotFile(five.file("/f", 100, "n1-DISK", "n2-DISK", "n3-DISK", "n4-DISK"), 0));
    CurrentActions raised =
        new CurrentActions(
            Map.of(), Map.of("/f", new CurrentActions.Raised(3, 4)), 0, p -> List.of());
    assertEquals(List.of(), decider.decide(hinted(), situation(five, raised)));
    hints.clear();
    Decision fewer = decider.decide(hinted(), situation(five, raised)).get(0);
    assertEquals(Decision.Cause.FEWER_COPIES, fewer.cause());
    assertEquals(3, fewer.target().replication());
  }

  @Test
  void aMigrationOfWhatIsColdGoesToTheCheapestTypeAtOnce() {
    hint("/f", Operation.MIGRATE, Temperature.COLD, "etl");
    disk("/f", 100, 0);
    Decision decision = only();
    assertEquals(List.of(ARCHIVE, ARCHIVE, ARCHIVE), decision.target().copies());
    assertTrue(decision.reason().contains("of etl until 1970-01-02"), decision::reason);

    ruled.put("/f", Hold.still("pinned by manage.pin"));
    assertEquals(List.of(), decide(), "a rule counts, the hint is advice");

    ruled.clear();
    hints.clear();
    hint("/f", Operation.MIGRATE, Temperature.HOT, "etl");
    assertEquals(SSD, only().target().lead(), "what is hot isn't sent there");
  }

  @Test
  void aPinKeepsWhatIsColdUntilItsLeaseIsOver() {
    ssd("/pinned", 1500, 0);
    ssd("/other", 1400, 4);
    hint("/pinned", Operation.PIN, Temperature.UNKNOWN, "etl");
    assertEquals(List.of("/other"), paths(decide()));
    reliabilities.put("etl", new OwnerReliability(0, 20));
    assertEquals(List.of("/pinned"), paths(decide()), "of somebody who is believed");
    reliabilities.clear();
    hints.clear();
    assertEquals(List.of("/pinned"), paths(decide()));
  }

  private void hint(String path, Operation operation, Temperature temperature, String owner) {
    hint(path, operation, temperature, Requirement.NONE, owner);
  }

  private void hint(String path, Operation operation, Requirement requirement, String owner) {
    hint(path, operation, Temperature.UNKNOWN, requirement, owner);
  }

  private void hint(
      String path,
      Operation operation,
      Temperature temperature,
      Requirement requirement,
      String owner) {
    Scope scope = path.equals("/d") ? Scope.DIRECTORY : Scope.FILE;
    hints.add(
        new GivenHint(
            Hint.on(scope, operation, path)
                .temperature(temperature)
                .requirement(requirement)
                .owner(owner)
                .leaseExpiryMillis(DAY)
                .build(),
            hints.size() + 1,
            path,
            0));
  }

  private void disk(String path, long length, double heat) {
    files.add(new HotFile(scene.file(path, length, "n1-DISK", "n2-DISK", "n3-DISK"), heat));
  }

  private void ssd(String path, long length, double heat) {
    files.add(new HotFile(scene.file(path, length, "n1-SSD", "n2-DISK", "n3-DISK"), heat));
  }

  private HintsInForce inForce() {
    return new HintsInForce(
        hints,
        Map.of(),
        owner -> reliabilities.getOrDefault(owner, OwnerReliability.NEW),
        HintRates.DEFAULT,
        1);
  }

  private List<Decision> decide() {
    return decider(Gate.open()).decide(hinted(), situation(scene, CurrentActions.NOTHING));
  }

  private TierDecider decider(Gate gate) {
    return new TierDecider(
        new Tiering(LIMITS, 0.2, Promotion.ONE_COPY, Written.BY_POLICY, gate, actions, prefetch));
  }

  private Situation situation(Scene of, CurrentActions current) {
    return new Situation(
        of.cluster(),
        Map.of(),
        List.of(),
        HintedHolds.over(path -> ruled.getOrDefault(path, Hold.NONE), inForce()),
        current);
  }

  private List<HotFile> hinted() {
    HintsInForce inForce = inForce();
    return files.stream().map(hot -> hinted(hot, inForce)).toList();
  }

  private static HotFile hinted(HotFile hot, HintsInForce inForce) {
    String path = hot.file().path();
    return inForce
        .of(path)
        .map(expected -> hot.with(expected, inForce.asked(path), HALF_LIFE))
        .orElse(hot);
  }

  private Decision only() {
    List<Decision> decisions = decide();
    assertEquals(1, decisions.size(), decisions::toString);
    return decisions.get(0);
  }

  private static List<String> paths(List<Decision> decisions) {
    return decisions.stream().map(decision -> decision.hot().file().path()).sorted().toList();
  }
}
