// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.classify.Dimension;
import io.thermocline.tiering.classify.Interval;
import io.thermocline.tiering.classify.Level;
import io.thermocline.tiering.classify.PatternGroup;
import io.thermocline.tiering.classify.PatternLibrary;
import io.thermocline.tiering.classify.RequestWeights;
import io.thermocline.tiering.decide.pools.SplitLimits;
import io.thermocline.tiering.decide.pools.VolumeSpeed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;

/** Reads chew.yaml whole: weights, levels and the Pattern-to-Pool library; docs/guides/chew.md describes it. */
public final class ChewFile {

  private ChewFile() {}

  /**
   * @throws ConfigException with one line for each problem
   */
  public static ChewConfig read(Path file) throws ConfigException {
    List<String> problems = new ArrayList<>();
    MappingNode root = YamlFile.compose(file.toString(), YamlFile.text(file));
    YamlSection top = new YamlSection(file.toString(), "", root, problems);
    Map<String, RequestWeights> weights = new LinkedHashMap<>();
    top.sections("weights").forEach((pool, section) -> weights.put(pool, weights(section)));
    Map<String, VolumeSpeed> volumes = volumes(top.section("volumes"), weights.keySet());
    String weighedOn = top.required("weighedOn", "SSD");
    YamlSection chunks = top.section("chunks");
    long reference = chunks.bytes("reference", 256L << 20);
    long request = chunks.bytes("request", 4096);
    long smallBelow = chunks.bytes("smallBelow", 16L << 20);
    long least = chunks.bytes("minPart", 64L << 20);
    int parts = chunks.integer("parts", 4, 2, 1024);
    int mergeAfter = chunks.integer("mergeAfter", 6, 1, 1_000_000);
    chunks.rejectUnknown();
    double stay = top.percent("stay", 0.25);
    int window = top.integer("window", 4, 1, 1000);
    Optional<PatternLibrary.Fit> fit = fit(top);
    List<Level> levels = top.list("levels").stream().map(ChewFile::level).toList();
    top.rejectUnknown();
    if (problems.isEmpty()) {
      try {
        return new ChewConfig(
            new PatternLibrary(weights, levels, weighedOn, request, reference, stay, fit),
            new SplitLimits(least, parts, mergeAfter),
            window,
            smallBelow,
            volumes);
      } catch (IllegalArgumentException e) {
        problems.add(file + ": " + e.getMessage());
      }
    }
    throw new ConfigException(problems);
  }

  private static Map<String, VolumeSpeed> volumes(YamlSection section, Set<String> pools) {
    Map<String, VolumeSpeed> volumes = new LinkedHashMap<>();
    for (String pool : pools) {
      YamlSection speed = section.section(pool);
      double requests = speed.number("requests", 0);
      long bytes = speed.bytes("bytes", 0);
      speed.rejectUnknown();
      if (requests == 0 || bytes == 0) {
        section.lacks(pool, "what one volume can serve, like {requests: 100, bytes: 150 MB}");
      } else {
        volumes.put(pool, new VolumeSpeed(requests, bytes));
      }
    }
    section.rejectUnknown();
    return volumes;
  }

  /** How thresholds are taken. */
  private enum Thresholds {
    FIXED,
    FITTED
  }

  private static Optional<PatternLibrary.Fit> fit(YamlSection top) {
    Thresholds thresholds = top.choice("thresholds", Thresholds.FIXED);
    Map<String, PatternLibrary.Anchor> anchors = new LinkedHashMap<>();
    top.sections("fit")
        .forEach(
            (pool, section) -> {
              anchors.put(
                  pool,
                  new PatternLibrary.Anchor(above0(section, "threshold"), above0(section, "fill")));
              section.rejectUnknown();
            });
    if (thresholds == Thresholds.FIXED) {
      return Optional.empty();
    }
    if (anchors.isEmpty()) {
      top.reject("fit", "must name a pool where thresholds are fitted");
      return Optional.empty();
    }
    return Optional.of(new PatternLibrary.Fit(anchors));
  }

  private static double above0(YamlSection section, String key) {
    double value = section.number(key, 1);
    if (value == 0) {
      section.reject(key, "must be above 0");
      return 1;
    }
    return value;
  }

  private static RequestWeights weights(YamlSection section) {
    double[] values = new double[6];
    String[] keys = {"read", "write", "sequential", "random", "overwrite", "wear"};
    for (int i = 0; i < keys.length; i++) {
      values[i] = above0(section, keys[i]);
    }
    section.rejectUnknown();
    return new RequestWeights(values[0], values[1], values[2], values[3], values[4], values[5]);
  }

  private static Level level(YamlSection section) {
    Dimension dimension = section.choice("dimension", Dimension.INTENSITY);
    List<PatternGroup> groups = new ArrayList<>();
    section
        .sections("patterns")
        .forEach(
            (name, pattern) -> {
              List<String> pools = pattern.texts("pools");
              if (pools.isEmpty()) {
                pattern.reject("pools", "is missing: expected for instance [SSD, DISK]");
                pools = List.of("?");
              }
              groups.add(
                  new PatternGroup(
                      name,
                      Set.copyOf(pattern.texts("of")),
                      interval(pattern, pattern.section("weight"), "weight"),
                      share(pattern, dimension),
                      pools));
              pattern.rejectUnknown();
            });
    Set<String> skipped = Set.copyOf(section.texts("skippedOnHdfs"));
    section.rejectUnknown();
    if (groups.isEmpty()) {
      section.reject("patterns", "is missing or empty");
      groups.add(new PatternGroup("?", Set.of(), Interval.ALL, Interval.ALL, List.of("?")));
    }
    return new Level(dimension, groups, skipped);
  }

  private static Interval interval(YamlSection pattern, YamlSection section, String key) {
    double from = section.number("from", Double.NEGATIVE_INFINITY);
    double below = section.number("below", Double.POSITIVE_INFINITY);
    section.rejectUnknown();
    return checked(pattern, key, from, below);
  }

  private static Interval share(YamlSection pattern, Dimension dimension) {
    YamlSection section = pattern.section("share");
    if (dimension == Dimension.IO_SIZE) {
      return interval(pattern, section, "share");
    }
    double from = section.percent("from", Double.NEGATIVE_INFINITY);
    double below = section.percent("below", Double.POSITIVE_INFINITY);
    section.rejectUnknown();
    return checked(pattern, "share", from, below);
  }

  private static Interval checked(YamlSection pattern, String key, double from, double below) {
    if (!(from < below)) {
      pattern.reject(key, "from " + from + " below " + below + " is empty");
      return Interval.ALL;
    }
    return new Interval(from, below);
  }
}
