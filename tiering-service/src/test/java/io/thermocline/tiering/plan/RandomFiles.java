// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Files of a scene, drawn at random: some erasure-coded, some with replicas on fast types already. */
final class RandomFiles {

  private RandomFiles() {}

  static FileView file(Scene scene, Random random, int number) {
    return number % 6 == 5
        ? codedFile(scene, random, number)
        : replicatedFile(scene, random, number);
  }

  /** Each internal block of a group on a node of its own. */
  private static FileView codedFile(Scene scene, Random random, int number) {
    List<ClusterView.Node> places = new ArrayList<>(scene.cluster().nodes().values());
    places.sort((a, b) -> a.uuid().compareTo(b.uuid()));
    int units = Math.min(3, places.size());
    List<FileView.Block> blocks = new ArrayList<>();
    for (int group = 1 + random.nextInt(2); group > 0; group--) {
      Collections.shuffle(places, random);
      for (int i = 0; i < units; i++) {
        String storage = places.get(i).uuid() + "-" + StorageType.DISK;
        FileView.Block made = scene.file("/", 1 + random.nextInt(20), storage).blocks().get(0);
        blocks.add(
            new FileView.Block(
                made.poolId(),
                -16L * (10 * number + group) + i,
                1,
                made.length(),
                made.replicas()));
      }
    }
    return new FileView(
        "/t" + number % 4 + "/f" + number,
        blocks.stream().mapToLong(FileView.Block::length).sum(),
        1,
        0,
        blocks,
        "bob",
        new FileView.Coding(units - 1, 1));
  }

  private static FileView replicatedFile(Scene scene, Random random, int number) {
    List<ClusterView.Node> places = new ArrayList<>(scene.cluster().nodes().values());
    places.sort((a, b) -> a.uuid().compareTo(b.uuid()));
    int replication = 1 + random.nextInt(Math.min(3, places.size()));
    Collections.shuffle(places, random);
    String path = "/t" + number % 4 + "/f" + number;
    List<FileView.Block> blocks = new ArrayList<>();
    for (int b = 1 + random.nextInt(3); b > 0; b--) {
      String[] storages = new String[replication];
      for (int r = 0; r < replication; r++) {
        List<ClusterView.Storage> of = new ArrayList<>(places.get(r).storages());
        of.sort((x, y) -> x.id().compareTo(y.id()));
        boolean anywhere = random.nextInt(4) == 0;
        storages[r] =
            anywhere
                ? of.get(random.nextInt(of.size())).id()
                : places.get(r).uuid() + "-" + StorageType.DISK;
      }
      blocks.add(scene.file(path, 1 + random.nextInt(20), storages).blocks().get(0));
    }
    long length = blocks.stream().mapToLong(FileView.Block::length).sum();
    return new FileView(path, length, replication, 0, blocks, number % 3 == 0 ? "alice" : "bob");
  }
}
