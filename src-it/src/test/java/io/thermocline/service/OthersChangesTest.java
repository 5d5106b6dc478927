// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.PolicyMarks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose storage policies are where others set them too: the audit log says it, not what they are. */
@Tag("cluster")
class OthersChangesTest {

  private static final String UP = rule("atLeast: SSD");
  private static final String DOWN = rule("atMost: DISK");

  @TempDir static Path temp;

  private static ServedCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static String rule(String says) {
    return """
        version: 1
        rules:
          - name: all
            paths: [/**]
            %s
        """
        .formatted(says);
  }

  @Test
  void aPolicyThatSomebodySetsIsTheirsAlsoWhereItIsOurs() throws Exception {
    List<String> files =
        List.of(
            "/same/ours", "/same/theirs", "/same/d/a", "/same/d/b", "/same/e/renamed", "/same/e/f");
    for (String file : files) {
      cluster.write(file);
    }
    Path rules = Files.writeString(temp.resolve("same.yaml"), UP);
    Path directory = temp.resolve("same");
    Path config = setup("/same", rules).write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("all on SSD", () -> areOnSsd(files));
      assertEquals("ONE_SSD", policy("/same/d"), "set on the directory");
      assertTrue(isMarked("/same/theirs") && isMarked("/same/d"), "as ours");
      setPolicy("/same/theirs", "ONE_SSD");
      setPolicy("/same/d", "ONE_SSD");
      rename("/same/e/renamed", "/same/moved");
      Eventually.holds(
          "both are known",
          () -> ServiceSetup.journal(directory, "\"takenOver\"", "\"POLICY\"").size() == 2);
      Eventually.holds(
          "neither is marked as ours", () -> !isMarked("/same/theirs") && !isMarked("/same/d"));
      assertTrue(isMarked("/same/ours"));
      Files.writeString(rules, DOWN);
      Eventually.holds(
          "ours is back on DISK", () -> cluster.has("/same/ours", 3, StorageType.DISK));
      Eventually.holds(
          "what was renamed, too", () -> cluster.has("/same/moved", 3, StorageType.DISK));
      service.plansOn(3);
      service.terminate();
    }
    for (String file : List.of("/same/theirs", "/same/d/a", "/same/d/b")) {
      assertEquals("ONE_SSD", policy(file), file);
      assertTrue(cluster.has(file, 1, StorageType.SSD), file);
    }
  }

  /** Of two directories one comes back wholly, of the other a part and then the rest. */
  @Test
  void noPolicyOfOursIsLeftThatNothingNeeds() throws Exception {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      files.add("/back/whole/f" + i);
      files.add("/back/parts/f" + i);
    }
    for (String file : files) {
      cluster.write(file);
    }
    Path rules = Files.writeString(temp.resolve("back.yaml"), UP);
    Path directory = temp.resolve("back");
    Path config = setup("/back", rules).write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("all on SSD", () -> areOnSsd(files));
      assertEquals("ONE_SSD", policy("/back/parts"), "set on the directory");
      assertTrue(
          ServiceSetup.journal(directory, "\"planned\"", "/back/parts/f0")
              .get(0)
              .contains("ONE_SSD is set on /back/parts, for its 4 files and new ones"));
      Files.writeString(rules, DOWN.replace("/**", "/back/parts/f0"));
      Eventually.holds("a part is back", () -> cluster.has("/back/parts/f0", 3, StorageType.DISK));
      assertEquals("ONE_SSD", policy("/back/parts"), "needed by the others");
      Files.writeString(rules, DOWN);
      Eventually.holds("none is on SSD", () -> files.stream().noneMatch(this::isOnSsd));
      Eventually.holds("no policy is left", () -> arePlain(files));
      assertTrue(service.plans() > 2, "one for each of the rules");
      service.terminate();
    }
    cluster.write("/back/parts/new");
    assertTrue(cluster.has("/back/parts/new", 3, StorageType.DISK), "where a new file belongs");
  }

  private boolean isOnSsd(String file) {
    try {
      return !cluster.has(file, 3, StorageType.DISK);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether no policy is in force on the files and their directories. */
  private static boolean arePlain(List<String> files) throws IOException {
    for (String file : files) {
      for (String path : List.of(file, file.substring(0, file.lastIndexOf('/')))) {
        if (cluster.superuser().getClient().getFileInfo(path).getStoragePolicy() != 0) {
          return false;
        }
      }
    }
    return true;
  }

  static ServiceSetup setup(String managed, Path rules) {
    return cluster
        .setup(managed)
        .replace("# rules: /etc/thermocline/rules.yaml", "rules: " + rules)
        .replace(
            "stability: {residency: 30m, flaps: 4, window: 1d}",
            "stability: {residency: 0s, flaps: 1000, window: 1d}")
        .apply();
  }

  private static boolean areOnSsd(List<String> files) throws IOException {
    for (String file : files) {
      if (!cluster.has(file, 1, StorageType.SSD)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isMarked(String path) throws IOException {
    return cluster
        .superuser()
        .getXAttrs(new org.apache.hadoop.fs.Path(path))
        .containsKey(PolicyMarks.ATTRIBUTE);
  }

  private static void setPolicy(String path, String policy) throws IOException {
    cluster.superuser().setStoragePolicy(new org.apache.hadoop.fs.Path(path), policy);
  }

  @SuppressWarnings("deprecation")
  private static void rename(String from, String to) throws IOException {
    assertTrue(
        cluster
            .superuser()
            .rename(new org.apache.hadoop.fs.Path(from), new org.apache.hadoop.fs.Path(to)));
  }

  private static String policy(String path) throws IOException {
    return cluster.superuser().getStoragePolicy(new org.apache.hadoop.fs.Path(path)).getName();
  }
}
