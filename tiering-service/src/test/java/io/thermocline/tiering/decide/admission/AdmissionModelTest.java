// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.heat.SavedNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AdmissionModelTest {
  private static final long GB = 1_000_000_000;
  private static final int MANY = 10_000;
  private static final int SEEDS = Boolean.getBoolean("test.short") ? 1 : 8;

  private final AdmissionModel model = new AdmissionModel(100 * GB, MANY);

  /** Small files come again a minute later, large ones never do. */
  private static double learn(AdmissionModel model, int files) {
    double now = 0;
    for (int i = 0; i < files; i++) {
      now += 60;
      model.read(2 * i, GB / 10, now);
      model.read(2 * i + 1, 20 * GB, now);
      if (i > 0) {
        model.read(2 * (i - 1), GB / 10, now);
      }
    }
    return now;
  }

  @Test
  void knowsNothingOfWhatItHasNotSeen() {
    AdmissionEstimate estimate = model.estimate(1, 0);
    assertEquals(AdmissionEstimate.Basis.NONE, estimate.basis());
    assertFalse(estimate.isAdmitted());
    assertEquals(0, model.density(1, 0));
    assertEquals("not read while it was followed", estimate.numbers());
  }

  @Test
  void movesWhatIsReadAgainAtFirstSightAndNotTheRest() {
    double now = learn(model, 500);
    model.read(-1, GB / 10, now + 1);
    model.read(-2, 20 * GB, now + 1);
    AdmissionEstimate small = model.estimate(-1, now + 1);
    AdmissionEstimate large = model.estimate(-2, now + 1);
    assertTrue(small.isAdmitted(), small.numbers());
    assertFalse(large.isAdmitted(), large.numbers());
    // Nearly each small one is read again, no large one; half of all files are.
    assertTrue(small.chance() > 0.6, small.numbers());
    assertTrue(large.chance() < 0.2);
    assertTrue(small.density() > 1_000 * large.density());
    assertTrue(small.numbers().startsWith("read 1 times, with a chance of "));
  }

  /**
   * Every ten minutes a file of any size comes, and again a minute later; in between, ten parts of a data set
   * are read one after the other, and never again.
   */
  @Test
  void whatIsSweptIsNotWorthMoving() {
    SplittableRandom random = new SplittableRandom(5);
    double now = 0;
    long key = 0;
    for (int round = 0; round < 300; round++) {
      long bytes = GB / 10 + random.nextLong(4 * GB);
      model.read(++key, bytes, now);
      model.read(key, bytes, now + 60);
      long part = GB / 10 + random.nextLong(4 * GB);
      for (int i = 0; i < 10; i++) {
        model.read(++key, part, now + 100 + i);
      }
      now += 600;
    }
    model.read(-1, GB, now);
    model.read(-2, GB, now + 1);
    AdmissionEstimate alone = model.estimate(-1, now + 1);
    AdmissionEstimate swept = model.estimate(-2, now + 1);
    // Of those that came alone, one in two is: the other begins a sweep.
    assertTrue(alone.chance() > 0.3, alone.numbers());
    assertTrue(swept.chance() < alone.chance() / 5, swept.numbers());
    assertTrue(alone.isAdmitted(), alone.numbers());
    assertFalse(swept.isAdmitted(), swept.numbers());
  }

  @Test
  void worthFallsOnceTheUsualGapIsOver() {
    double now = learn(model, 500);
    model.read(-1, GB / 10, now + 1);
    assertTrue(model.density(-1, now + 31) > 10 * model.density(-1, now + 1_000));
  }

  @Test
  void anotherLengthIsAnotherFile() {
    model.read(1, GB, 0);
    model.read(1, GB, 10);
    assertEquals(2, model.estimate(1, 10).reads());
    model.read(1, 2 * GB, 20);
    assertEquals(1, model.estimate(1, 20).reads());
  }

  @Test
  void whatIsMovedAgainMakesMovesDearer() {
    List<Double> prices = new ArrayList<>();
    for (int moves = 0; moves < 3; moves++) {
      AdmissionModel moved = new AdmissionModel(100 * GB, MANY);
      double now = learn(moved, 500);
      for (int key = 0; key < 1_000; key++) {
        for (int move = 0; move < moves; move++) {
          moved.moved(key);
        }
      }
      moved.moved(-1);
      for (int i = 0; i < 500; i++) {
        now += 60;
        moved.read(10_000 + i, GB / 10, now);
      }
      prices.add(moved.estimate(0, now).price());
    }
    assertEquals(prices.get(0), prices.get(1), "once");
    assertTrue(prices.get(2) > prices.get(0), prices::toString);
  }

  @Test
  void followsNoMoreFilesThanItMay() {
    AdmissionModel small = new AdmissionModel(100 * GB, 100);
    learn(small, 1_000);
    assertEquals(100, small.followed());
  }

  @Tag("slow")
  @Test
  void theSameReadsGiveTheSameWorth() {
    List<String> numbers = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      AdmissionModel fresh = new AdmissionModel(100 * GB, MANY);
      SplittableRandom random = new SplittableRandom(7);
      double now = 0;
      for (int i = 0; i < 20_000; i++) {
        now += random.nextDouble() * 10;
        int key = (int) Math.pow(2_000, random.nextDouble());
        fresh.read(key, (key % 13 + 1) * GB / 2, now);
      }
      numbers.add(fresh.estimate(3, now) + " " + fresh.score());
    }
    assertEquals(numbers.get(1), numbers.get(0));
  }

  /** Each of four files of a tier's size is read every 2 ms for a while, and then not for seconds. */
  @Test
  void burstsOfMillisecondsAreLearnedWithinSeconds() {
    double now = 0;
    for (int round = 0; round < 40; round++) {
      for (int i = 0; i < 50; i++) {
        now += 0.002;
        model.read(round % 4, 100 * GB, now);
      }
      now += 0.4;
    }
    assertTrue(now < 30);
    assertTrue(model.density(3, now + 0.002 - 0.4) > 10 * model.density(3, now - 0.1));
  }

  /** Five files come again and again, others once; the price is beyond all offers. */
  @Test
  void whatIsReadAgainForSureIsMovedAtAnyPrice() {
    AdmissionModel dear = new AdmissionModel(10 * GB, MANY, 1e12);
    double now = 0;
    for (int read = 0; read < 300; read++) {
      now += 100;
      dear.read(read % 5, GB, now);
      dear.read(1_000 + read, 2 * GB, now);
    }
    AdmissionEstimate again = dear.estimate(4, now);
    assertTrue(again.chance() > 0.8, again.numbers());
    assertTrue(again.isAdmitted(), again.numbers());
    assertFalse(dear.estimate(1_299, now).isAdmitted());
  }

  /** After each read three files in five are read again: too few for the price, but counting has hits. */
  @Test
  void aRuleThatHasMoreHitsTakesOver() {
    AdmissionModel model = new AdmissionModel(1_000 * GB, MANY, 1e12);
    double now = 0;
    SplittableRandom random = new SplittableRandom(3);
    for (int key = 0; key < 1_000; key++) {
      do {
        now += 100;
        model.read(key, GB, now);
      } while (random.nextInt(5) < 3);
    }
    ForecastScore score = model.score();
    assertTrue(score.learnedHits() < score.thresholdHits() / 2, () -> "" + score);
    assertTrue(score.thresholdHits() > 200, () -> "" + score);
    assertFalse(score.isLearnedInForce());
    model.read(-1, GB, now + 1);
    model.read(-1, GB, now + 2);
    AdmissionEstimate estimate = model.estimate(-1, now + 2);
    assertEquals(AdmissionEstimate.Basis.THRESHOLD, estimate.basis());
    assertTrue(estimate.isAdmitted());
    assertEquals(
        "read 2 times, reaching the threshold, which has more hits here than what was learned",
        estimate.numbers());
  }

  /** Whatever is read, a rule is in force that would have had at least as many hits as the other one. */
  @Test
  void neverFewerHitsThanTheThresholdOnTheSide() {
    for (long seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      AdmissionModel any = new AdmissionModel(20 * GB, MANY);
      double skew = 1 + random.nextDouble() * 5;
      double now = 0;
      for (int i = 0; i < 3_000; i++) {
        now += random.nextDouble() * 10;
        int key = (int) (1_000 * Math.pow(random.nextDouble(), skew));
        any.read(key, (key * 31L % 40 + 1) * GB / 8, now);
      }
      ForecastScore score = any.score();
      double inForce = score.isLearnedInForce() ? score.learnedHits() : score.thresholdHits();
      assertTrue(inForce >= score.thresholdHits(), "seed " + seed + ": " + score);
      assertTrue(score.thresholdHits() > 0);
    }
  }

  /** Each file comes twice, a minute apart: what was read once is read again, what was read twice is not. */
  @Test
  void forecastsAreScored() {
    double now = 0;
    for (int i = 0; i < 2_000; i++) {
      now += 60;
      model.read(i, GB, now);
      if (i > 0) {
        model.read(i - 1, GB, now);
      }
    }
    ForecastScore score = model.score();
    assertTrue(score.learnedF1() > 0.95);
    // Half of all reads are followed by one: calling all of them right is F1 2/3.
    assertTrue(
        score.thresholdF1() >= 0.6 && score.thresholdF1() <= 0.7, () -> "" + score.thresholdF1());
  }

  @Test
  void emptyFilesAndLargerOnesThanTheTierAreTaken() {
    model.read(1, 0, 0);
    model.read(1, 0, 1);
    model.read(2, 200 * GB, 2);
    model.read(2, 200 * GB, 3);
    assertTrue(model.density(1, 3) > 0);
    assertTrue(Double.isFinite(model.density(1, 3)));
    assertEquals(2, model.estimate(2, 3).reads());
  }

  @Test
  void refusesATierOfNothing() {
    IllegalArgumentException tier =
        assertThrows(IllegalArgumentException.class, () -> new AdmissionModel(0, 1));
    assertTrue(tier.getMessage().contains("a fast tier of 0 bytes"), tier.getMessage());
  }

  private static List<Long> saved(AdmissionModel model) {
    SavedNumbers numbers = new SavedNumbers();
    model.writeTo(numbers);
    return numbers.all();
  }

  private static AdmissionModel restored(AdmissionModel model, int mostFiles) {
    SavedNumbers numbers = new SavedNumbers();
    model.writeTo(numbers);
    return AdmissionModel.restore(numbers.source(), mostFiles);
  }

  /** Reads of a few files of several sizes, some of them together larger than the tier. */
  private static double mixed(AdmissionModel model, int reads, double from) {
    double now = from;
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < reads; i++) {
      now += random.nextInt(40);
      int key = random.nextInt(1 + random.nextInt(60));
      model.read(key, (key % 7 + 1) * 4 * GB, now);
    }
    return now;
  }

  @Test
  void goesOnFromWhatWasSaved() {
    double now = mixed(model, 300, 0);
    model.moved(1);
    model.displaced(1e-12);
    AdmissionModel restored = restored(model, MANY);
    assertEquals(saved(model), saved(restored));

    for (AdmissionModel each : List.of(model, restored)) {
      each.moved(1);
      mixed(each, 100, now);
    }
    assertEquals(saved(model), saved(restored));
    assertTrue(model.score().learnedHits() > 0 && model.score().thresholdHits() > 0);
    assertThrows(IllegalStateException.class, () -> restored(model, MANY - 1));
  }

  @Test
  void anotherTierOrNoneChangesNothingOfFiles() {
    double now = mixed(model, 300, 0);
    AdmissionModel resized = restored(model, MANY);
    resized.resize(100 * GB);
    assertEquals(model.estimate(1, now).chance(), resized.estimate(1, now).chance());
    assertEquals(100 * GB, resized.capacity());
    IllegalArgumentException none =
        assertThrows(IllegalArgumentException.class, () -> resized.resize(0));
    assertEquals("a fast tier of 0 bytes: at least 1", none.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new AdmissionModel(1, 0));

    // A larger file than the tier waits for no place there.
    AdmissionModel small = new AdmissionModel(100 * GB, MANY);
    small.resize(14 * GB);
    for (int i = 0; i < 3; i++) {
      small.read(1, 15 * GB, i);
    }
    assertEquals(0, small.score().thresholdHits());
    for (int i = 3; i < 6; i++) {
      small.read(2, 14 * GB, i);
    }
    assertEquals(1, small.score().thresholdHits(), 0.01);
  }

  /** The newest weighs a tenth. */
  @Test
  void whatHadToLeaveTellsWhatMustBeReached() {
    double now = learn(model, 300);
    model.read(-1, GB / 10, now);
    double density = model.density(-1, now);
    double chance = model.estimate(-1, now).chance();
    AdmissionModel once = restored(model, MANY);
    model.displaced(density);
    model.displaced(11 * density);
    once.displaced(2 * density);
    double dearer = model.estimate(-1, now).chance();
    assertTrue(dearer < chance);
    assertEquals(once.estimate(-1, now).chance(), dearer);
    once.displaced(0.01 * density);
    assertTrue(once.estimate(-1, now).chance() >= dearer);
  }

  /** Hits, not their order in time, are what the price is for: a file offers its odds by its bytes. */
  @Test
  void offersItsOddsByItsBytes() {
    double now = learn(model, 300);
    model.read(-1, GB / 10, now);
    model.read(-2, GB / 5, now + 0.1);
    for (long key : new long[] {-1, -2}) {
      AdmissionEstimate estimate = model.estimate(key, now + 0.1);
      double odds = estimate.chance() / (1 - estimate.chance());
      assertEquals(1, estimate.offer() / (odds / (key == -1 ? GB / 10 : GB / 5)), 1e-9);
      // At any price from a chance of 80 % on: odds of four to one.
      double probable = 4.0 / (key == -1 ? GB / 10 : GB / 5);
      assertTrue(estimate.price() <= probable * (1 + 1e-9));
    }
  }
}
