// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.LineFeed;
import io.thermocline.tiering.observe.Paths;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that are kept up from the log, beside a namespace that is kept in full. */
class KeptFilesTest {

  private static final List<String> ROOTS = List.of("/data", "/also/here");
  private static final Predicate<String> IGNORED = path -> (path + '/').contains("/_tmp/");

  private final LineFeed feed =
      new LineFeed("ns", AccessSettings.defaults(AccessSettings.Ignored.nothing()), ZoneOffset.UTC);
  private final KeptFiles kept = new KeptFiles(ROOTS, IGNORED, new ModelClock());

  /** Lines that were written and not yet read. */
  private final Deque<String> lines = new ArrayDeque<>();

  private ModelNamespace model;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void agreesWithTheNamespaceOnceAllWasReadAndLookedAt(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> written = new ArrayList<>();
    model =
        new ModelNamespace(
            random,
            line -> {
              written.add(line);
              lines.add(line);
            });
    operate(300);
    // Of what stands in the image, the log that is followed has the last part again.
    while (lines.size() > 60) {
      lines.remove();
    }
    List<FileView> image = new ArrayList<>();
    model.forEach(
        (file, isOpen) -> {
          if (isManaged(file.path()) && isOpen) {
            kept.doubt(file.path());
          } else if (isManaged(file.path())) {
            image.add(file);
          }
        });
    int imaged = written.size();
    operate(100);
    read(30);
    image.forEach(kept::add);
    operate(20);
    for (String line : written.subList(imaged - 20, written.size())) {
      feed(line, kept::doubt);
    }
    kept.load();
    int compared = 0;
    for (int i = 0; i < 60; i++) {
      for (int j = 0; j < 40; j++) {
        operate(1);
        if (random.nextInt(3) == 0) {
          read(random.nextInt(6));
        }
        if (random.nextInt(5) == 0) {
          look(random.nextInt(3), random.nextInt(4));
        }
      }
      read(lines.size());
      settle();
      Map<String, FileView> expected = expected();
      Map<String, FileView> found = new TreeMap<>();
      kept.forEach(file -> found.put(file.path(), file));
      assertEquals(List.of(), differences(expected, found), "seed " + seed + ", round " + i);
      compared += expected.size();
    }
    assertTrue(compared > 500, "seed " + seed + " compared " + compared);
  }

  private static List<String> differences(
      Map<String, FileView> expected, Map<String, FileView> found) {
    Set<String> paths = new TreeSet<>(expected.keySet());
    paths.addAll(found.keySet());
    return paths.stream()
        .filter(path -> !Objects.equals(expected.get(path), found.get(path)))
        .map(path -> expected.get(path) + " expected, found " + found.get(path))
        .toList();
  }

  /** As late as the model is. */
  private final class ModelClock extends Clock {
    @Override
    public Instant instant() {
      return model == null ? Instant.parse("2026-11-20T09:00:00Z") : model.now();
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }

  /** While an answer is under way, calls are made and lines are read. */
  private void look(int calls, int linesRead) {
    Optional<KeptFiles.Ask> ask = kept.next();
    if (ask.isPresent()) {
      List<HdfsReader.Child> children = model.children(ask.get().path());
      operate(calls);
      read(linesRead);
      kept.listed(ask.get(), children);
    }
  }

  /** Until nothing new turns up: what is open is looked at for ever. */
  private void settle() {
    for (int round = 0; round < 20; round++) {
      for (int i = kept.behind(); i > 0; i--) {
        look(0, 0);
      }
    }
  }

  private Map<String, FileView> expected() {
    Map<String, FileView> expected = new TreeMap<>();
    model.forEach(
        (file, isOpen) -> {
          if (!isOpen && isManaged(file.path())) {
            expected.put(file.path(), file);
          }
        });
    return expected;
  }

  private static boolean isManaged(String path) {
    return Paths.isAtOrBelowAny(path, ROOTS) && !IGNORED.test(path);
  }

  private void operate(int times) {
    for (int i = 0; i < times; i++) {
      model.operate();
    }
  }

  private void read(int most) {
    for (int i = 0; i < most && !lines.isEmpty(); i++) {
      feed(lines.remove(), kept::accept);
    }
  }

  private void feed(String line, Consumer<Access> sink) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    feed.line(bytes, 0, bytes.length, 0, sink::accept);
  }

  @Test
  void movesAndDropsAtOnceAndAsksForLittle() {
    for (int i = 0; i < 1_000; i++) {
      kept.add(new FileView("/data/t/dt=" + i + "/f", 5, 3, 0, List.of()));
    }
    kept.load();
    assertEquals(0, kept.behind());

    say("rename", "/data/t", "/data/u");
    say("delete", "/data/u/dt=7", "null");
    say("delete", "/data/u/dt=8/f", "null");
    List<String> paths = new ArrayList<>();
    kept.forEach(file -> paths.add(file.path()));
    assertEquals(998, paths.size());
    assertTrue(paths.stream().allMatch(path -> path.matches("/data/u/dt=\\d+/f")));
    assertEquals(2, kept.behind(), "the directory it was renamed to, and that above it");

    for (int i = 100; i < 200; i++) {
      say("create", "/data/new/f" + i, "null");
      say("setReplication", "/data/new/f" + i, "null");
    }
    assertEquals(3, kept.behind(), "a directory is looked at once, whatever happened in it");
    say("setStoragePolicy", "/data/u/dt=9", "null");
    assertEquals(4, kept.behind());
    say("rename", "/data/u", "/elsewhere");
    kept.forEach(file -> paths.add(file.path()));
    assertEquals(998, paths.size(), "no longer managed; and what was made is not known yet");
  }

  private void say(String command, String source, String destination) {
    feed(line(command, source, destination), kept::accept);
  }

  private static String line(String command, String source, String destination) {
    return "2026-11-20 10:00:00,000 INFO FSNamesystem.audit: allowed=true\tugi=u (auth:SIMPLE)"
        + "\tip=/10.0.0.1\tcmd="
        + command
        + "\tsrc="
        + source
        + "\tdst="
        + destination
        + "\tperm=null\tproto=rpc";
  }
}
