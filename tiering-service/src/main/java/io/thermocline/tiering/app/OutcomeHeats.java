// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.api.FileState;
import io.thermocline.tiering.api.HeatOfDirectory;
import io.thermocline.tiering.api.HeatOfFile;
import io.thermocline.tiering.api.Heats;
import io.thermocline.tiering.api.History;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the last plan was made of, for people. Thread-safe. */
final class OutcomeHeats implements Heats {

  private static final double MB = 1 << 20;

  /** More would not be told apart in a picture. */
  private static final int DIRECTORIES = 24;

  private final TieringService service;
  private final PlanRounds rounds;

  OutcomeHeats(TieringService service, PlanRounds rounds) {
    this.service = service;
    this.rounds = rounds;
  }

  @Override
  public List<HeatOfFile> hottest() {
    return rounds.files().stream()
        .sorted(Comparator.comparingDouble(HotFile::heat).reversed())
        .map(OutcomeHeats::shown)
        .toList();
  }

  private static HeatOfFile shown(HotFile hot) {
    FileView file = hot.file();
    return new HeatOfFile(
        file.path(), hot.heat(), hot.density() * MB, file.length(), fastest(file), file.owner());
  }

  /** What a plan was made of, as a point of the curves. */
  static History.Sample sample(Instant at, List<HotFile> files, ClusterView cluster) {
    Map<StorageType, Double> byType = new EnumMap<>(StorageType.class);
    Map<String, Double> directories = new HashMap<>();
    double all = 0;
    for (HotFile hot : files) {
      String path = hot.file().path();
      all += hot.heat();
      byType.merge(fastest(hot.file()), hot.heat(), Double::sum);
      directories.merge(
          path.substring(0, Math.max(1, path.lastIndexOf('/'))), hot.heat(), Double::sum);
    }
    double total = all;
    byType.replaceAll((type, heat) -> total == 0 ? 0 : heat / total);
    Map<StorageType, Double> used = new EnumMap<>(StorageType.class);
    cluster.occupancy().forEach((type, occupancy) -> used.put(type, occupancy.fraction()));
    return new History.Sample(
        at,
        byType,
        used,
        directories.entrySet().stream()
            .filter(each -> each.getValue() > 0)
            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
            .limit(DIRECTORIES)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  /** DISK for an empty file, which lies nowhere. */
  private static StorageType fastest(FileView file) {
    return file.blocks().stream()
        .flatMap(block -> block.types().stream())
        .max(Comparator.naturalOrder())
        .orElse(StorageType.DISK);
  }

  @Override
  public List<HeatOfDirectory> directories(String path) {
    String prefix = path.endsWith("/") ? path : path + "/";
    Map<String, HeatOfDirectory> below = new HashMap<>();
    for (HotFile hot : rounds.files()) {
      String file = hot.file().path();
      int end = file.startsWith(prefix) ? file.indexOf('/', prefix.length()) : -1;
      if (end > 0) {
        long bytes = hot.file().length();
        below.merge(
            file.substring(0, end),
            new HeatOfDirectory(
                file.substring(0, end),
                hot.heat(),
                1,
                bytes,
                fastest(hot.file()).isFast() ? bytes : 0),
            (a, b) ->
                new HeatOfDirectory(
                    a.path(),
                    a.heat() + b.heat(),
                    a.files() + b.files(),
                    a.sizeBytes() + b.sizeBytes(),
                    a.fastBytes() + b.fastBytes()));
      }
    }
    return below.values().stream()
        .sorted(
            Comparator.comparingDouble(HeatOfDirectory::heat)
                .reversed()
                .thenComparing(HeatOfDirectory::path))
        .toList();
  }

  @Override
  public Optional<Explanation> explain(String path) throws IOException {
    return service.explain(path);
  }

  @Override
  public Optional<FileState.Profile> profile(String path) {
    return service.profile(path).map(OutcomeHeats::shown);
  }

  private static FileState.Profile shown(Profile profile) {
    return new FileState.Profile(
        Instant.ofEpochMilli(profile.since()),
        profile.reads(),
        profile.writes(),
        profile.rewrites(),
        profile.bytesRead(),
        profile.bytesWritten(),
        profile.bytesRead() == 0 ? Optional.empty() : Optional.of(profile.sequentialShare()),
        profile.recent().stream().map(Instant::ofEpochMilli).toList());
  }
}
