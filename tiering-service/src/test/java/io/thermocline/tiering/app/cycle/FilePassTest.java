// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FilePassTest {

  private static final int MOST_KEPT = 50;
  private static final int CANDIDATES = 3;
  private static final String PULLED = "/t/f50";
  private static final String RULED = "/t/f51";
  private static final Cap BELOW = new Cap(new Cap.Scope.Below("/t"), SSD, 10_000, Cap.COUNTED);

  private final List<FileView> told = new ArrayList<>();
  private final Scene scene = new Scene().nodes(3, Map.of(DISK, 100_000L, SSD, 100_000L));

  @Test
  void keepsAllWhereTheyAreFewAndPlaced() {
    FilePass pass = pass(Set.of(SSD, DISK));
    List<FileView> files = new ArrayList<>();
    for (int i = 0; i < MOST_KEPT; i++) {
      files.add(placed("/t/f" + i, i % 2 == 0 ? SSD : DISK));
    }
    files.forEach(pass::pass);
    assertTrue(pass.isAll());
    assertEquals(files, pass.selected());
    assertEquals(List.of(BELOW), pass.caps(hot(files)));
    assertEquals(files.stream().filter(FilePassTest::isOurs).toList(), told);
    assertEquals(MOST_KEPT - 5, pass.managed());
    assertEquals(5, pass.leftAlone());
  }

  /** The same whether the many have places or not. */
  @Test
  void keepsTheHottestAndTheColdestOfMany() {
    for (boolean placed : List.of(true, false)) {
      FilePass pass = pass(Set.of(SSD));
      Set<String> left = new HashSet<>();
      long onSsd = 0;
      for (int i = 0; i <= 2 * MOST_KEPT; i++) {
        StorageType type = i % 2 == 0 ? SSD : DISK;
        FileView file = placed("/t/f" + i, type);
        onSsd += type == SSD && isOurs(file) ? file.length() : 0;
        left.add(file.path());
        int policy = type == SSD ? 10 : 0;
        pass.pass(placed ? file : new FileView(file.path(), file.length(), 1, policy, List.of()));
      }
      assertFalse(pass.isAll());
      Set<String> selected = new TreeSet<>();
      pass.selected().forEach(file -> selected.add(file.path()));
      // f9, f19, ... are somebody else's; the heat is the number.
      assertEquals(
          new TreeSet<>(
              Set.of(
                  "/t/f100", "/t/f98", "/t/f96", "/t/f0", "/t/f2", "/t/f4", "/t/f97", "/t/f95",
                  "/t/f93", PULLED, RULED)),
          selected,
          "placed " + placed);
      List<HotFile> seen = hot(pass.selected());
      assertEquals(onSsd, pass.caps(seen).get(0).taken());
      Map<String, DirectoryTotals.Total> directories = new HashMap<>();
      pass.directories().orElseThrow().forEach(directories::put);
      assertEquals(Set.of("/t"), directories.keySet());
      assertEquals(pass.managed(), directories.get("/t").files());
      assertEquals(91 * 100, directories.get("/t").bytes());
      assertEquals(onSsd, directories.get("/t").fast());
      assertEquals(onSsd, pass.onFastTypes(seen).get(SSD));
      assertEquals(91 * 100, pass.distribution(seen).total());
      assertEquals(91, pass.managed());
      assertEquals(91, told.size());
      told.clear();
      assertEquals(10, pass.leftAlone());
    }
  }

  @Test
  void takesWhatLeavesNoTypeForGrantedAsStaying() {
    FilePass pass = pass(Set.of());
    for (int i = 0; i <= MOST_KEPT; i++) {
      pass.pass(placed("/t/f" + i, SSD));
    }
    assertEquals(CANDIDATES, pass.selected().size(), "the hottest");
  }

  private FilePass pass(Set<StorageType> coldest) {
    return new FilePass(
        new FilePass.Limits(MOST_KEPT, CANDIDATES, coldest, List.of(BELOW)),
        new FilePass.Known(
            FilePassTest::isOurs,
            FilePassTest::policy,
            FilePassTest::policy,
            file -> PathKey.of(1, file.path()),
            FilePassTest::hot,
            told::add,
            PULLED::equals,
            (hot, lead) -> hot.file().path().equals(RULED)));
  }

  private static String policy(FileView file) {
    return file.storagePolicy() == 10 ? "ONE_SSD" : "HOT";
  }

  private FileView placed(String path, StorageType type) {
    return scene.file(path, 100, "n1-" + type);
  }

  private static boolean isOurs(FileView file) {
    return !file.path().endsWith("9");
  }

  private static HotFile hot(FileView file) {
    return new HotFile(file, Integer.parseInt(file.path().replaceFirst("/t/f", "")));
  }

  private static List<HotFile> hot(List<FileView> files) {
    return files.stream().map(FilePassTest::hot).toList();
  }
}
