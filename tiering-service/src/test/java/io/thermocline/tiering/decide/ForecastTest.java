// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.Scene;
import io.thermocline.tiering.decide.admission.AdmissionEstimate;
import io.thermocline.tiering.decide.admission.ForecastScore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Decisions by what was learned, where that does better than thresholds, and by thresholds where not. */
class ForecastTest {

  private static final Duration HALF_LIFE = Duration.ofHours(6);
  private static final ForecastScore BETTER = score(120, 100);
  private static final ForecastScore WORSE = score(100, 120);
  private static final ForecastScore TOO_FEW = score(50, 49);
  private static final String[] ON_DISK = {"n1-DISK", "n2-DISK", "n3-DISK"};

  private final Scene scene = new Scene().nodes(4, Map.of(DISK, 1_000_000L, SSD, 250L));
  private final List<HotFile> files = new ArrayList<>();
  private Gate gate = Gate.open();

  private static ForecastScore score(double learned, double thresholds) {
    return new ForecastScore(0.9, 0.9, learned, thresholds, learned >= thresholds);
  }

  /**
   * @param rate reads a second that are expected
   * @param price below 1 for a file that is worth a move
   */
  private void file(
      String path,
      double heat,
      double rate,
      double price,
      ForecastScore score,
      String... storages) {
    AdmissionEstimate estimate =
        new AdmissionEstimate(AdmissionEstimate.Basis.LEARNED, 1, rate / 100, 0.75, 1, price);
    files.add(
        new HotFile(scene.file(path, 100, storages), heat).with(estimate, score, 1, HALF_LIFE));
  }

  @Test
  void whatWasReadOnceGoesBeforeWhatIsHotterWhereItIsWorthMore() {
    file("/once", 1, 0.1, 0.5, BETTER, ON_DISK);
    file("/often", 50, 0.001, 2, BETTER, ON_DISK);

    List<Decision> decisions = decide();
    assertEquals(List.of("/once"), paths(decisions));
    String reason = decisions.get(0).reason();
    assertTrue(reason.contains("with a chance of 75 % again"), reason);
    assertTrue(
        reason.endsWith(", worth a move and among the best for SSD that fit below 80 %"), reason);
    assertTrue(
        explain("/often")
            .obstacles()
            .get(SSD)
            .startsWith("below the price of a move: read 1 times"),
        explain("/often").lines().toString());
    assertTrue(
        explain("/often").lines().stream()
            .anyMatch(
                line ->
                    line.startsWith("admission: ")
                        && line.endsWith(
                            "; in force, not thresholds: of tiers played on the side, one filled by worth"
                                + " had 120 hits, one by thresholds 100")),
        explain("/often").lines().toString());
  }

  @Test
  void thresholdsDecideWhereTheyHaveMoreHitsOrNothingCanBeToldYet() {
    for (ForecastScore score : List.of(WORSE, TOO_FEW)) {
      files.clear();
      file("/once", 1, 0.1, 0.5, score, ON_DISK);
      file("/often", 50, 0.001, 2, score, ON_DISK);
      assertEquals(List.of("/often"), paths(decide()), score.toString());
      assertEquals("read less than 2.0 times", explain("/once").obstacles().get(SSD));
      String said = explain("/often").lines().get(2);
      assertTrue(said.contains("thresholds are in force: of tiers played on the side"), said);
      assertEquals(score == TOO_FEW, said.endsWith("too few to tell"), said);
    }
  }

  @Test
  void asManyHitsAsThresholdsAreNotMore() {
    AdmissionEstimate estimate =
        new AdmissionEstimate(AdmissionEstimate.Basis.LEARNED, 1, 0.1 / 100, 0.75, 1, 0.5);
    HotFile file = new HotFile(scene.file("/f", 100, ON_DISK), 1);
    for (double[] hits : new double[][] {{51, 49}, {50, 50}, {50.5, 49}}) {
      boolean isInForce = file.with(estimate, score(hits[0], hits[1]), 1, HALF_LIFE).isForecast();
      assertEquals(hits[0] == 51, isInForce, hits[0] + " against " + hits[1]);
    }
    // One read each ten seconds, in the long run.
    double steady = 0.1 * HALF_LIFE.toSeconds() / Math.log(2);
    assertEquals(steady, file.with(estimate, BETTER, 1, HALF_LIFE).forecast().heat(), 1e-6);
    assertEquals(3 * steady, file.with(estimate, BETTER, 3, HALF_LIFE).forecast().heat(), 1e-6);
  }

  @Test
  void whatIsWorthLeastLeavesFirst() {
    file("/best", 1, 1, 0.5, BETTER, "n1-SSD", "n2-DISK");
    file("/worst", 90, 0.01, 0.5, BETTER, "n2-SSD", "n3-DISK");
    for (int i = 3; i <= 8; i++) {
      String[] storages = {"n" + (i % 4 + 1) + "-SSD", "n" + ((i + 1) % 4 + 1) + "-DISK"};
      file("/good" + i, 5, 0.5, 0.5, BETTER, storages);
    }
    file("/next", 1, 0.8, 0.5, BETTER, ON_DISK);

    assertEquals(List.of("/worst", "/next"), paths(decide()));
  }

  @Test
  void whatLeavesComesBackWithoutAPriceButNotBelowWhatTheTypeKeeps() {
    file("/cheap", 5, 0.1, 2, BETTER, "n1-SSD", "n2-DISK");
    file("/cold", 1, 0.1, 0.5, BETTER, "n1-SSD", "n2-DISK");
    TierLimits keeps = new TierLimits(0.8, 0.9, 2, 2);
    List<Decision> decisions =
        new TierDecider(Tiering.plain(Map.of(SSD, keeps), 0))
            .decide(files, Situation.of(scene.cluster()));
    assertEquals(List.of("/cold"), paths(decisions));
    file("/below", 1.9, 0.1, 0.5, BETTER, ON_DISK);
    assertEquals(
        "read less than the 2.0 times that it keeps",
        new TierDecider(Tiering.plain(Map.of(SSD, keeps), 0))
            .explain("/below", files, Situation.of(scene.cluster()))
            .obstacles()
            .get(SSD));
    file("/at", 2, 0.1, 0.5, BETTER, ON_DISK);
    file("/kept", 2, 0.1, 2, BETTER, "n3-SSD", "n2-DISK");
    assertEquals(
        List.of("/cold", "/at"),
        paths(
            new TierDecider(Tiering.plain(Map.of(SSD, keeps), 0))
                .decide(files, Situation.of(scene.cluster()))));
  }

  /** 0.75 chance of another read: 3 reads to come, at 8.5 s saved each, against copies of 10 s and 2 s. */
  @Test
  void theGateCountsTheReadsThatAreExpectedToCome() {
    gate =
        new Gate(
            Duration.ofHours(10),
            1,
            ExpectedReads.learned(HALF_LIFE),
            Map.of(DISK, new TierSpeed(10, 10, 0), SSD, new TierSpeed(100, 50, 0)));
    file("/comes", 1, 0.1, 0.5, BETTER, ON_DISK);
    assertTrue(decide().get(0).reason().contains("saves 27.00 s of reading"), decide().toString());

    files.clear();
    // One read in a hundred hours: of three that may come, a tenth of one within the horizon.
    file("/late", 100, 1 / 360_000.0, 0.5, BETTER, ON_DISK);
    assertEquals(List.of(), decide());
    assertTrue(
        explain("/late").obstacles().get(SSD).startsWith("saves 0.90 s of reading in 10 h"),
        explain("/late").lines().toString());
  }

  @Test
  void whatWasNotReadSinceLearningBeganIsRankedByItsHeat() {
    HotFile plain = new HotFile(scene.file("/old", 100, ON_DISK), 7);
    AdmissionEstimate none =
        new AdmissionEstimate(AdmissionEstimate.Basis.NONE, 0, 0, 0, 0, Double.POSITIVE_INFINITY);
    HotFile old = plain.with(none, BETTER, 1, HALF_LIFE);
    assertEquals(plain.rank(), old.rank());
    files.add(old);
    assertEquals(List.of(), decide(), "and waits for its next read");
  }

  private TierDecider decider() {
    return new TierDecider(
        new Tiering(
            Map.of(SSD, new TierLimits(0.8, 0.9, 2)),
            0,
            Promotion.ONE_COPY,
            Written.BY_POLICY,
            gate));
  }

  private List<Decision> decide() {
    return decider().decide(files, Situation.of(scene.cluster()));
  }

  private Explanation explain(String path) {
    return decider().explain(path, files, Situation.of(scene.cluster()));
  }

  private static List<String> paths(List<Decision> decisions) {
    return decisions.stream().map(decision -> decision.hot().file().path()).toList();
  }
}
