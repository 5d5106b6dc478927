// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.api.FileState;
import io.thermocline.tiering.api.HeatOfDirectory;
import io.thermocline.tiering.api.HeatOfFile;
import io.thermocline.tiering.api.Heats;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the last plan was made of, for people. Thread-safe. */
final class OutcomeHeats implements Heats {

  private static final double MB = 1 << 20;

  private final TieringService service;

  OutcomeHeats(TieringService service) {
    this.service = service;
  }

  @Override
  public List<HeatOfFile> hottest() {
    return service.hotFiles().stream()
        .sorted(Comparator.comparingDouble(HotFile::heat).reversed())
        .map(OutcomeHeats::shown)
        .toList();
  }

  private static HeatOfFile shown(HotFile hot) {
    FileView file = hot.file();
    return new HeatOfFile(
        file.path(), hot.heat(), hot.density() * MB, file.length(), fastest(file), file.owner());
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
    for (HotFile hot : service.hotFiles()) {
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
