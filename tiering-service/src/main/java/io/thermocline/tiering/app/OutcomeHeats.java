// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.hints.Operation;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.api.AccessMix;
import io.thermocline.tiering.api.FileState;
import io.thermocline.tiering.api.HeatOfDirectory;
import io.thermocline.tiering.api.HeatOfFile;
import io.thermocline.tiering.api.Heats;
import io.thermocline.tiering.api.HintResource;
import io.thermocline.tiering.api.History;
import io.thermocline.tiering.app.cycle.DirectoryTotals;
import io.thermocline.tiering.app.cycle.PlanningRound;
import io.thermocline.tiering.classify.FilePattern;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.rules.Impact;
import io.thermocline.tiering.rules.RuleSet;
import java.io.IOException;
import java.time.Instant;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the last plan was made of, for people. Thread-safe. */
final class OutcomeHeats implements Heats {

  private static final double MB = 1 << 20;

  /** More would not be told apart in a picture. */
  private static final int DIRECTORIES = 24;

  /** Directories whose answer is kept until the next plan. */
  private static final int MOST_ASKED = 1000;

  /** For rules that aren't in force: whoever may look may send some, and a pattern may be slow to match. */
  private static final long MOST_IMPACT_MILLIS = 30_000;

  private final TieringService service;
  private final PlanRounds rounds;
  private Asked asked = new Asked(null);

  /** The plan that it is of; null before the first. */
  private PlanningRound.Outcome of;

  OutcomeHeats(TieringService service, PlanRounds rounds) {
    this.service = service;
    this.rounds = rounds;
  }

  /** What was asked of a plan, which doesn't change: pages and probes ask again and again. */
  private static final class Asked {
    private final List<HotFile> files;

    /** Files that shadow mode takes for moved, by path. */
    private final Map<String, FileView> imagined;

    private final Map<String, List<HeatOfDirectory>> directories = new ConcurrentHashMap<>();
    private final Object impactLock = new Object();
    private List<HotFile> hottest;
    private Impact impact;

    /** The rules that it is of, which were in force. */
    private RuleSet of;

    Asked(PlanningRound.Outcome outcome) {
      this.files = outcome == null ? List.of() : outcome.real();
      this.imagined = outcome == null ? Map.of() : outcome.imagined();
    }

    FileView wouldBe(HotFile hot) {
      return imagined.getOrDefault(hot.file().path(), hot.file());
    }

    synchronized List<HotFile> hottest() {
      if (hottest == null) {
        hottest =
            files.stream().sorted(Comparator.comparingDouble(HotFile::heat).reversed()).toList();
      }
      return hottest;
    }

    /** Found once, of rules in force, by a lock of its own: it takes its time, and nobody else is to wait for it. */
    Impact impact(RuleSet inForce, Function<List<HotFile>, Impact> found) {
      synchronized (impactLock) {
        if (inForce != of) {
          impact = found.apply(files);
          of = inForce;
        }
        return impact;
      }
    }

    List<HeatOfDirectory> directories(String path, Function<String, List<HeatOfDirectory>> found) {
      if (directories.size() > MOST_ASKED) {
        directories.clear();
      }
      return directories.computeIfAbsent(path, found);
    }
  }

  private synchronized Asked asked() {
    PlanningRound.Outcome last = rounds.last();
    if (of != last) {
      asked = new Asked(last);
      of = last;
    }
    return asked;
  }

  @Override
  public List<HeatOfFile> hottest() {
    Asked asked = asked();
    List<HotFile> hottest = asked.hottest();
    // Made when they are shown: there may be a million, of which a page shows a hundred.
    return new AbstractList<>() {
      @Override
      public HeatOfFile get(int index) {
        HotFile hot = hottest.get(index);
        return shown(hot, asked.wouldBe(hot));
      }

      @Override
      public int size() {
        return hottest.size();
      }
    };
  }

  private static HeatOfFile shown(HotFile hot, FileView wouldBe) {
    FileView file = hot.file();
    StorageType imagined = fastest(wouldBe);
    return new HeatOfFile(
        file.path(),
        hot.blockReads(),
        hot.density() * MB,
        file.length(),
        fastest(file),
        Optional.of(imagined).filter(type -> type != fastest(file)),
        file.owner());
  }

  /** What a plan was made of, as a point of the curves. */
  static History.Sample sample(
      Instant at,
      List<HotFile> files,
      ClusterView cluster,
      ReadShares reads,
      Map<String, Double> owners) {
    Map<StorageType, Double> byType = new EnumMap<>(StorageType.class);
    Map<String, Double> directories = new HashMap<>();
    double all = 0;
    for (HotFile hot : files) {
      String path = hot.file().path();
      all += hot.diskSeconds();
      reads
          .of(hot.file())
          .forEach((type, share) -> byType.merge(type, share * hot.diskSeconds(), Double::sum));
      directories.merge(
          path.substring(0, Math.max(1, path.lastIndexOf('/'))), hot.blockReads(), Double::sum);
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
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
        owners);
  }

  /** How far those who have hints in force are believed. */
  static Map<String, Double> reliabilities(Optional<HintRegistry> registry) {
    return registry
        .map(
            found ->
                found.hints(given -> true).stream()
                    .map(used -> used.hint().hint().owner())
                    .distinct()
                    .sorted()
                    .limit(DIRECTORIES)
                    .collect(
                        Collectors.toMap(
                            owner -> owner, owner -> found.reliability(owner).weight())))
        .orElse(Map.of());
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
    return asked().directories(path, this::below);
  }

  private List<HeatOfDirectory> below(String path) {
    String prefix = path.endsWith("/") ? path : path + "/";
    Map<String, Below> below = new HashMap<>();
    for (HotFile hot : rounds.files()) {
      String directory = child(prefix, hot.file().path());
      if (directory != null) {
        below
            .computeIfAbsent(directory, first -> new Below())
            .add(
                hot,
                hot.heat() > 0 ? service.profile(hot.file().path()).orElse(null) : null,
                patterns(hot.file()),
                service.nowMillis());
      }
    }
    PlanningRound.Outcome last = rounds.last();
    if (last != null && last.directories().isPresent()) {
      // Of these files are only some.
      below.values().forEach(Below::forgetFiles);
      last.directories()
          .get()
          .forEach(
              (directory, total) -> {
                String child = child(prefix, directory + "/");
                if (child != null) {
                  below.computeIfAbsent(child, first -> new Below()).add(total);
                }
              });
    }
    service
        .hints()
        .ifPresent(
            registry ->
                registry
                    .hints(given -> true)
                    .forEach(
                        used -> {
                          String at = used.hint().path();
                          Below directory = below.get(at);
                          if (directory == null && child(prefix, at) != null) {
                            directory = below.get(child(prefix, at));
                          }
                          if (directory != null) {
                            directory.hints++;
                          }
                        }));
    return below.entrySet().stream()
        .map(each -> each.getValue().shown(each.getKey()))
        .sorted(
            Comparator.comparingDouble(HeatOfDirectory::heat)
                .reversed()
                .thenComparing(HeatOfDirectory::path))
        .toList();
  }

  /** The directory right below the prefix that a path is in; null where it is in none. */
  private static String child(String prefix, String path) {
    int end = path.startsWith(prefix) ? path.indexOf('/', prefix.length()) : -1;
    return end > 0 ? path.substring(0, end) : null;
  }

  private List<String> patterns(FileView file) {
    PlanningRound.Outcome last = rounds.last();
    return last == null ? List.of() : last.ruling().patterns().apply(file);
  }

  @Override
  public Impact impact(RuleSet rules) {
    RuleSet inForce = service.rules().ruleSet();
    Function<List<HotFile>, Impact> found =
        files -> {
          long begun = service.nowMillis();
          Impact impact =
              new Impact(
                  inForce,
                  rules,
                  Instant.ofEpochMilli(begun),
                  () -> rules != inForce && service.nowMillis() > begun + MOST_IMPACT_MILLIS);
          files.forEach(hot -> impact.add(hot.file(), fastest(hot.file()), hot.heat()));
          return impact;
        };
    // Others are asked for once, and would only push those in force out.
    return rules == inForce ? asked().impact(rules, found) : found.apply(asked().files);
  }

  @Override
  public AccessMix access(FileView file) {
    AccessSum sum = new AccessSum();
    service.profile(file.path()).ifPresent(profile -> sum.add(file, profile, service.nowMillis()));
    return sum.shown(patterns(file));
  }

  @Override
  public List<HintResource.HintView> hints(String path) {
    Optional<HintRegistry> found = service.hints();
    if (found.isEmpty()) {
      return List.of();
    }
    HintRegistry registry = found.get();
    HintsInForce inForce = registry.inForce(service.nowMillis());
    return Arrays.stream(Operation.values())
        .flatMap(operation -> inForce.of(path, operation).stream())
        .flatMap(given -> registry.hint(given.id()).stream())
        .map(used -> HintResource.view(registry, used))
        .toList();
  }

  /** Accesses that profiles have. */
  private static final class AccessSum {
    private long reads;
    private long writes;
    private long bytes;
    private long sequential;
    private final Set<String> patterns = new TreeSet<>();

    void add(FileView file, Profile profile, long nowMillis) {
      patterns.addAll(FilePattern.of(file, profile, nowMillis).names());
      reads += profile.reads();
      writes += profile.writes();
      bytes += profile.bytesRead();
      sequential += profile.sequentialBytes();
    }

    AccessMix shown(Collection<String> ofLibrary) {
      return new AccessMix(
          List.copyOf(patterns),
          List.copyOf(ofLibrary),
          share(reads, reads + writes),
          share(sequential, bytes));
    }

    private static Optional<Double> share(long part, long all) {
      return all == 0 ? Optional.empty() : Optional.of((double) part / all);
    }
  }

  /** What is below a directory, as it is added up. */
  private static final class Below {
    private final AccessSum access = new AccessSum();
    private final Set<String> patterns = new TreeSet<>();
    private double heat;
    private int files;
    private long bytes;
    private long fast;
    private int hints;

    void add(HotFile hot, Profile profile, List<String> found, long nowMillis) {
      long length = hot.file().length();
      heat += hot.blockReads();
      files++;
      bytes += length;
      fast += fastest(hot.file()).isFast() ? length : 0;
      patterns.addAll(found);
      if (profile != null) {
        access.add(hot.file(), profile, nowMillis);
      }
    }

    void add(DirectoryTotals.Total total) {
      heat += total.heat();
      files += total.files();
      bytes += total.bytes();
      fast += total.fast();
    }

    /** What is known of accesses stays. */
    void forgetFiles() {
      heat = 0;
      files = 0;
      bytes = 0;
      fast = 0;
    }

    HeatOfDirectory shown(String path) {
      return new HeatOfDirectory(path, heat, files, bytes, fast, access.shown(patterns), hints);
    }
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
