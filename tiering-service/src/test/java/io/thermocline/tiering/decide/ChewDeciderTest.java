// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.classify.HdfsChunks;
import io.thermocline.tiering.classify.PatternLibrary;
import io.thermocline.tiering.config.ChewConfig;
import io.thermocline.tiering.config.ChewFile;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.decide.pools.BlockParts;
import io.thermocline.tiering.decide.pools.Granularity;
import io.thermocline.tiering.decide.pools.SplitLimits;
import io.thermocline.tiering.decide.pools.VolumeSpeed;
import io.thermocline.tiering.heat.BlockReads;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.observe.FileView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChewDeciderTest {
  private static final long MB = 1 << 20;
  private static final long FILE = 256 * MB;
  private static final Duration WINDOW = Duration.ofSeconds(100);
  private static final Map<StorageType, TierLimits> LIMITS =
      Map.of(
          StorageType.NVDIMM, new TierLimits(1, 1, 0),
          StorageType.SSD, new TierLimits(1, 1, 0),
          StorageType.DISK, new TierLimits(1, 1, 0));

  private final ChewConfig config;
  private final PatternLibrary fixed;

  ChewDeciderTest() throws ConfigException {
    config = ChewFile.read(Path.of("../conf/chew.yaml"));
    fixed = config.library().withFit(Optional.empty());
  }

  private final Scene scene =
      new Scene()
          .nodes(
              4,
              Map.of(
                  StorageType.NVDIMM,
                  FILE / 4 + 16 * MB,
                  StorageType.SSD,
                  FILE,
                  StorageType.DISK,
                  100 * FILE));
  private final List<HotFile> files = new ArrayList<>();
  private final Map<String, Profile> profiles = new HashMap<>();
  private final Map<Long, BlockReads> told = new HashMap<>();

  private FileView file(String path, long length, String... storages) {
    FileView file = scene.file(path, length, storages);
    files.add(new HotFile(file, 1));
    return file;
  }

  private FileView onDisk(String path) {
    return file(path, FILE, "n1-DISK", "n2-DISK", "n3-DISK");
  }

  private void opened(String path, long reads) {
    profiles.put(path, new Profile(path, reads, 0, 0, reads, 0, 0, 0, 0, 0, List.of()));
  }

  /** In so many a second, of 64 KB. */
  private void random(FileView.Block block, long requests) {
    told.put(block.id(), new BlockReads(0, 0, requests * 100, requests * 100 * 65536));
  }

  private void sequential(FileView file, long requests) {
    told.put(file.blocks().get(0).id(), new BlockReads(requests, requests * 100 * 65536, 0, 0));
  }

  private HdfsChunks.Window window() {
    return new HdfsChunks.Window(Map.of(), profiles, Optional.of(told), WINDOW.toMillis(), WINDOW);
  }

  private ChewDecider decider(Gate gate, BlockParts.Plugin plugin) {
    return new ChewDecider(
        new Tiering(LIMITS, 0.2, Promotion.ONE_COPY, Written.BY_POLICY, gate),
        new ChewDecider.Rules(
            fixed, new SplitLimits(64 * MB, 4, 2), 1, 16 * MB, config.volumes(), plugin));
  }

  private ChewDecider.Chewed decide(Function<String, Hold> holds, List<Cap> caps) {
    return decider(Gate.open(), BlockParts.Plugin.ABSENT)
        .decide(
            files,
            new Situation(scene.cluster(), Map.of(), caps, holds),
            window(),
            Granularity.WHOLE);
  }

  private ChewDecider.Chewed decide() {
    return decide(path -> Hold.NONE, List.of());
  }

  private static Map<String, String> targets(ChewDecider.Chewed chewed) {
    return chewed.decisions().stream()
        .collect(
            Collectors.toMap(
                one -> one.hot().file().path(), one -> one.cause() + " " + one.target()));
  }

  @Test
  void sendsEachPatternStraightToItsPool() {
    // Both are of the highest intensity, and only one fits in the fastest pool: the levels below
    // decide.
    random(onDisk("/random").blocks().get(0), 600);
    sequential(onDisk("/stream"), 410);
    onDisk("/idle");
    file("/was-hot", FILE, "n1-NVDIMM", "n2-DISK", "n3-DISK");
    file("/small/a", MB, "n1-DISK", "n2-DISK", "n3-DISK");
    random(file("/small/b", MB, "n1-DISK", "n2-DISK", "n3-DISK").blocks().get(0), 8);

    ChewDecider.Chewed chewed = decide();

    assertEquals(
        Map.of(
            "/random", "PROMOTED NVDIMM DISK DISK (ONE_SSD)",
            "/stream", "PROMOTED SSD DISK DISK (ONE_SSD)",
            "/was-hot", "DEMOTED DISK DISK DISK (HOT)",
            "/small/a", "PROMOTED NVDIMM DISK DISK (ONE_SSD)",
            "/small/b", "PROMOTED NVDIMM DISK DISK (ONE_SSD)"),
        targets(chewed));
    Function<FileView, List<String>> patterns =
        decider(Gate.open(), BlockParts.Plugin.ABSENT).patterns(chewed);
    assertEquals(List.of("very-intensive"), patterns.apply(files.get(0).file()));
    assertEquals(List.of("intensive-read"), patterns.apply(files.get(1).file()));
    assertEquals(List.of(), patterns.apply(scene.file("/later", FILE, "n1-DISK")));
    Explanation told = explain("/stream", chewed);
    String lines = String.join("\n", told.lines());
    for (String part :
        List.of(
            "next: SSD DISK DISK (ONE_SSD): SSD suits its pattern best",
            "file /stream, 268435456 bytes, in 100 s: 410 sequential read, 2686976000 bytes",
            "level 1, intensity 4.10: weight 410.0 a second, compared as 410.0: pattern top of weight"
                + " [300.0, Infinity)",
            "level 2, writes 0.00: weight 410.0 a second, compared as 410.0: pattern intensive-read",
            "weights on SSD: RequestWeights[read=1.0, write=2.0",
            "pool NVDIMM: 270532608 of 335544320 bytes",
            "the branch of random writes was skipped")) {
      assertTrue(lines.contains(part), () -> part + " in\n" + lines);
    }
  }

  @Test
  void explainsTheChunkOfAFileAndNoOther() {
    random(onDisk("/first").blocks().get(0), 900);
    random(onDisk("/second").blocks().get(0), 600);
    onDisk("/idle");
    opened("/opened", 10);
    onDisk("/opened");
    file("/here", FILE, "n1-SSD", "n2-DISK", "n3-DISK");
    file("/held", FILE, "n1-DISK", "n2-DISK", "n3-DISK");
    ChewDecider.Chewed chewed =
        decide(path -> path.equals("/held") ? Hold.still("pinned") : Hold.NONE, List.of());

    assertExplains(
        "/first",
        chewed,
        "file /first, 268435456 bytes, in 100 s: 90000 random read, 5898240000 bytes",
        "so NVDIMM suits its pattern best: pattern very-intensive of level 2, weight 1350 a second; moves from DISK");
    assertExplains(
        "/idle",
        chewed,
        "file /idle, 268435456 bytes, in 100 s: no access known",
        "so DISK suits its pattern best: pattern low of level 1, weight 0.000 a second; is there");
    assertExplains(
        "/here",
        chewed,
        "file /here, 268435456 bytes, in 100 s: no access known",
        "so SSD has its room, which nothing heavier asks for: leaving it would only cost a move: pattern low of level 1,"
            + " weight 0.000 a second; is there");
    List<String> opened =
        assertExplains(
            "/opened",
            chewed,
            "file /opened, 268435456 bytes, in 100 s: 10 reads, in sequence or not, 2684354560 bytes",
            "so SSD suits its pattern best: pattern intensive-read of level 2, weight 409.6 a second; moves from DISK; not"
                + " told by the source: [RANDOMNESS]");
    assertEquals(
        List.of(3),
        IntStream.rangeClosed(1, 4)
            .filter(
                level -> opened.get(level).endsWith(" (the rule was left out: nothing tells it)"))
            .boxed()
            .toList());
    assertEquals(List.of(), chunkLines(explain("/held", chewed)));
    String notPlaced = "not placed: it is held, or its fastest copy lies where no chunks are";
    assertTrue(explain("/held", chewed).lines().contains(notPlaced));
    assertFalse(explain("/idle", chewed).lines().contains(notPlaced));
    assertEquals("/none", explain("/none", chewed).path());
    assertEquals(1, explain("/none", chewed).lines().size());
  }

  /** What is asked for of a pool is by requests where they are random, and by bytes where nobody tells that. */
  @Test
  void explainsHowFullPoolsAre() {
    random(onDisk("/first").blocks().get(0), 900);
    random(onDisk("/second").blocks().get(0), 600);
    onDisk("/idle");
    opened("/opened", 10);
    onDisk("/opened");
    file("/here", FILE, "n1-SSD", "n2-DISK", "n3-DISK");
    List<String> pools =
        explain("/idle", decide()).lines().stream()
            .filter(line -> line.startsWith("pool "))
            .toList();

    VolumeSpeed nvdimm = config.volumes().get("NVDIMM");
    VolumeSpeed ssd = config.volumes().get("SSD");
    double first = 900 / (4 * nvdimm.requests());
    double others = 600 / (4 * ssd.requests()) + 10.0 * FILE / 100 / (4 * ssd.bytes());
    assertEquals(
        List.of(
            String.format(
                Locale.ROOT,
                "pool NVDIMM: %d of %d bytes, %.0f %% of its performance asked for; too small for all that it suits best",
                FILE,
                FILE + 64 * MB,
                100 * first),
            String.format(
                Locale.ROOT,
                "pool SSD: %d of %d bytes, %.0f %% of its performance asked for",
                3 * FILE,
                4 * FILE,
                100 * others)),
        pools.subList(0, 2));
    assertTrue(pools.get(2).startsWith("pool DISK: " + FILE + " of "), pools::toString);
  }

  /** The lines of the only chunk that a file has. */
  private List<String> assertExplains(
      String path, ChewDecider.Chewed chewed, String first, String last) {
    List<String> lines = chunkLines(explain(path, chewed));
    assertEquals(6, lines.size(), lines::toString);
    assertEquals(first, lines.get(0));
    assertEquals(last, lines.get(5));
    return lines;
  }

  private static List<String> chunkLines(Explanation explanation) {
    return explanation.lines().stream().filter(line -> line.matches("(file|level|so) .*")).toList();
  }

  private Explanation explain(String path, ChewDecider.Chewed chewed) {
    return decider(Gate.open(), BlockParts.Plugin.ABSENT)
        .explain(path, chewed, files, Situation.of(scene.cluster()));
  }

  @Test
  void leavesWhatIsHeldOrCappedOrNotWorthItAndGivesItsRoomAway() {
    random(onDisk("/first").blocks().get(0), 900);
    random(onDisk("/second").blocks().get(0), 600);
    assertTrue(targets(decide()).get("/first").contains("NVDIMM"));

    ChewDecider.Chewed held =
        decide(
            path -> path.equals("/first") ? new Hold(false, true, "went down lately") : Hold.NONE,
            List.of());
    assertEquals(Map.of("/second", "PROMOTED NVDIMM DISK DISK (ONE_SSD)"), targets(held));
    assertEquals(Map.of("/first", "went down lately"), held.refused());
    assertTrue(
        explain("/first", held).lines().contains("stays, whatever its pattern: went down lately"));

    Cap cap = new Cap(new Cap.Scope.Below("/"), StorageType.NVDIMM, FILE - 1, Cap.COUNTED);
    ChewDecider.Chewed capped = decide(path -> Hold.NONE, List.of(cap));
    assertTrue(capped.refused().get("/first").contains("may take"), capped.refused()::toString);

    TierSpeed slow = new TierSpeed(1, 1, 0);
    Gate never =
        new Gate(
            Duration.ofDays(1),
            1,
            (hot, horizon) -> 0,
            Map.of(StorageType.NVDIMM, slow, StorageType.SSD, slow, StorageType.DISK, slow));
    ChewDecider.Chewed weighed =
        decider(never, BlockParts.Plugin.ABSENT)
            .decide(files, Situation.of(scene.cluster()), window(), Granularity.WHOLE);
    assertEquals(List.of(), weighed.decisions());
    assertTrue(weighed.refused().get("/second").endsWith("not worth it"));
  }

  @Test
  void saysWhatNobodyToldIt() {
    for (int i = 0; i < 5; i++) {
      onDisk("/opened" + i);
      opened("/opened" + i, 10);
    }
    ChewDecider.Chewed chewed = decide();
    assertEquals(4, chewed.assignment().levels());
    List<String> notes = chewed.assignment().notes();
    assertTrue(
        notes.contains("RANDOMNESS was left out for 5 chunks: their source doesn't tell it"),
        notes::toString);
    assertTrue(
        notes.stream().anyMatch(note -> note.contains("splitting stops at files")),
        notes::toString);
  }

  /** A file of eight blocks, of which the third has its first copy elsewhere. */
  private FileView ofBlocks(String path, StorageType third) {
    List<FileView.Block> blocks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String fast = i == 2 ? "n1-" + third : "n1-DISK";
      blocks.add(scene.file(path, 64 * MB, fast, "n2-DISK", "n3-DISK").blocks().get(0));
    }
    FileView file = new FileView(path, 512 * MB, 3, 0, blocks);
    files.add(new HotFile(file, 1));
    return file;
  }

  @Test
  void movesOnlyTheBusyBlocksOfALargeFileWhereThePluginIsLoaded() {
    FileView file = ofBlocks("/large", StorageType.DISK);
    random(file.blocks().get(2), 2000);
    Situation situation = Situation.of(scene.cluster());

    assertFalse(
        targets(
                decider(Gate.open(), BlockParts.Plugin.ABSENT)
                    .decide(files, situation, window(), Granularity.WHOLE))
            .getOrDefault("/large", "")
            .contains("NVDIMM"),
        "as a whole it has no room there");

    ChewDecider.Chewed chewed =
        decider(Gate.open(), BlockParts.Plugin.LOADED)
            .decide(files, situation, window(), Granularity.WHOLE);
    assertEquals(1, chewed.decisions().size());
    Decision moved = chewed.decisions().get(0);
    assertEquals(List.of(file.blocks().get(2)), moved.hot().file().blocks());
    assertEquals("NVDIMM DISK DISK (ONE_SSD)", moved.target().toString());
    assertEquals(Map.of("/large", 0), chewed.next().split());
  }

  @Test
  void leavesPartsWhereTheyAreAndPutsThemTogetherAgain() {
    FileView file = ofBlocks("/large", StorageType.NVDIMM);
    random(file.blocks().get(2), 2000);
    Situation situation = Situation.of(scene.cluster());
    ChewDecider decider = decider(Gate.open(), BlockParts.Plugin.LOADED);
    Granularity split = new Granularity(Map.of("/large", 1), Map.of());
    ChewDecider.Chewed busy = decider.decide(files, situation, window(), split);
    assertEquals(List.of(), busy.decisions(), "its busy block is there already");
    assertEquals(Map.of("/large", 0), busy.next().split());

    files.clear();
    told.clear();
    ofBlocks("/other", StorageType.DISK);
    ChewDecider.Chewed idle =
        decider.decide(files, situation, window(), new Granularity(Map.of("/other", 1), Map.of()));
    assertEquals(Map.of("/other", "low"), idle.next().merged());
  }

  @Test
  void makesRoomFirstAndPlansNothingMoreOnceItIsDone() {
    onDisk("/idle");
    file("/was-hot", FILE, "n1-NVDIMM", "n2-DISK", "n3-DISK");
    random(onDisk("/now-hot").blocks().get(0), 900);
    ChewDecider.Chewed chewed = decide();
    assertEquals(
        List.of(
            "/was-hot DEMOTED DISK DISK DISK (HOT)",
            "/now-hot PROMOTED NVDIMM DISK DISK (ONE_SSD)"),
        chewed.decisions().stream()
            .map(one -> one.hot().file().path() + " " + one.cause() + " " + one.target())
            .toList());

    List<HotFile> done = new ArrayList<>();
    for (HotFile hot : files) {
      FileView after = hot.file();
      for (Decision one : chewed.decisions()) {
        after = one.hot() == hot ? Moved.file(hot.file(), one.target()) : after;
      }
      done.add(new HotFile(after, 1));
    }
    assertEquals(
        List.of(),
        decider(Gate.open(), BlockParts.Plugin.ABSENT)
            .decide(done, Situation.of(scene.cluster()), window(), chewed.next())
            .decisions());
  }

  @Test
  void refusesALibraryWhoseSlowestPoolIsNotThere() {
    onDisk("/a");
    Tiering withoutDisk = Tiering.plain(Map.of(StorageType.SSD, LIMITS.get(StorageType.SSD)), 0);
    ChewDecider decider =
        new ChewDecider(
            withoutDisk,
            new ChewDecider.Rules(
                fixed,
                new SplitLimits(64 * MB, 4, 2),
                1,
                16 * MB,
                config.volumes(),
                BlockParts.Plugin.ABSENT));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                decider.decide(files, Situation.of(scene.cluster()), window(), Granularity.WHOLE));
    assertTrue(refused.getMessage().startsWith("DISK is the slowest pool"), refused::getMessage);
  }
}
