// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class SurveyTest {

  private record Passed(long key, long length, StorageType lead, double heat)
      implements Survey.Passing<Long> {
    @Override
    public Long kept() {
      return key;
    }

    double density() {
      return heat / length;
    }
  }

  @Test
  void keepsTheHottestAndTheColdestOfEachTypeInWhateverOrderTheyCome() {
    for (int most : new int[] {1, 7, 100, 5000}) {
      List<Passed> files = files(3000, most);
      TreeSet<Long> expected = new TreeSet<>();
      for (StorageType type : List.of(StorageType.DISK, StorageType.SSD)) {
        List<Passed> ofType = new ArrayList<>(files.stream().filter(f -> f.lead == type).toList());
        Comparator<Passed> byKey = Comparator.comparingLong(Passed::key).reversed();
        ofType.sort(Comparator.comparingDouble(Passed::density).thenComparing(byKey));
        ofType.stream().limit(most).forEach(file -> expected.add(file.key));
        ofType.sort(Comparator.comparingDouble(Passed::density).reversed().thenComparing(byKey));
        ofType.stream().filter(f -> f.heat > 0).limit(most).forEach(f -> expected.add(f.key));
      }
      Survey<Long> whole = survey(files, most);
      assertEquals(expected, candidates(whole), "most " + most);
      Collections.shuffle(files, new Random(most));
      Survey<Long> other = survey(files, most);
      assertEquals(expected, candidates(other), "most " + most);
      long onSsd = bytes(files, file -> file.lead == StorageType.SSD);
      assertEquals(onSsd, other.bytesLedBy(StorageType.SSD), "most " + most);
      assertEquals(bytes(files, file -> true), other.distribution().total());
      assertEquals(
          bytes(files, file -> file.density() > 0),
          other.distribution().atLeast(1e-6),
          "most " + most);
    }
  }

  @Test
  void thresholdsAreLearnedFromDiskTimeByByte() {
    Survey<Long> survey = survey(List.of(new Passed(1, 4, StorageType.DISK, 8)), 10);
    assertEquals(4, survey.distribution().atLeast(2 * HotFile.GB));
    assertEquals(0, survey.distribution().atLeast(2.1 * HotFile.GB));
  }

  @Test
  void emptyFilesAreNone() {
    Survey<Long> survey = survey(List.of(new Passed(1, 0, StorageType.DISK, 5)), 10);
    assertEquals(List.of(), survey.candidates(type -> true));
    assertEquals(0, survey.distribution().total());
  }

  private static TreeSet<Long> candidates(Survey<Long> survey) {
    return new TreeSet<>(survey.candidates(type -> true));
  }

  private static long bytes(List<Passed> files, Predicate<Passed> which) {
    return files.stream().filter(which).mapToLong(Passed::length).sum();
  }

  private static Survey<Long> survey(List<Passed> files, int most) {
    Survey<Long> survey = new Survey<>(most);
    files.forEach(file -> survey.add(file, file.heat, file.heat));
    return survey;
  }

  /** Many are equally hot, most are cold. */
  private static List<Passed> files(int count, long seed) {
    Random random = new Random(seed);
    List<Passed> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double heat = random.nextInt(3) > 0 ? 0 : random.nextInt(5);
      files.add(
          new Passed(
              random.nextLong(),
              1 + random.nextInt(3),
              random.nextInt(10) == 0 ? StorageType.SSD : StorageType.DISK,
              heat));
    }
    return files;
  }

  @Test
  void whereBlocksAreNotKnownThePolicyTellsTheType() {
    Map<String, StorageType> leads =
        Map.of(
            "ALL_NVDIMM", StorageType.NVDIMM,
            "ALL_SSD", StorageType.SSD,
            "ONE_SSD", StorageType.SSD,
            "HOT", StorageType.DISK,
            "WARM", StorageType.DISK,
            "COLD", StorageType.ARCHIVE,
            "unheard of", StorageType.DISK);
    FileView unknown = new FileView("/f", 10, 3, 0, List.of());
    leads.forEach((policy, lead) -> assertEquals(lead, Survey.lead(unknown, policy), policy));
    FileView known = new Scene().file("/f", 10, "n1-SSD", "n2-DISK");
    assertEquals(StorageType.SSD, Survey.lead(known, "COLD"));
  }
}
