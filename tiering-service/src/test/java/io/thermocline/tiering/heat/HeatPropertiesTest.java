// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.thermocline.tiering.observe.Access;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Heat beside a namespace that is kept in full, where each file carries its reads with it. */
class HeatPropertiesTest {

  private static final long NOW = 1_795_000_000_000L;
  private static final int OPERATIONS = Boolean.getBoolean("test.short") ? 2_000 : 8_000;

  private final Map<String, Integer> files = new TreeMap<>();
  private SplittableRandom random;
  private Heat heat;

  /** Of each number of candidates one, or several. */
  static Stream<Arguments> runs() {
    return Boolean.getBoolean("test.short")
        ? Stream.of(arguments(1, 1), arguments(5, 40), arguments(7, 2000))
        : Stream.of(
            arguments(1, 1),
            arguments(2, 1),
            arguments(3, 1),
            arguments(4, 1),
            arguments(5, 40),
            arguments(6, 40),
            arguments(7, 2000),
            arguments(8, 2000));
  }

  @ParameterizedTest
  @MethodSource("runs")
  void followsANamespace(long seed, int candidates) {
    random = new SplittableRandom(seed);
    heat =
        new Heat(
            new HeatSettings(Duration.ofHours(6), 1 << 26, candidates, 10_000, 100_000),
            Told.NAMESERVICE);
    // So large a table that two of all the keys there ever are hardly meet: in a run of some
    // hundreds.
    int compared = 0;
    for (int i = 1; i <= OPERATIONS; i++) {
      operate();
      if (i % 250 == 0) {
        for (Map.Entry<String, Integer> file : files.entrySet()) {
          compared++;
          assertEquals(
              file.getValue().doubleValue(),
              heat.of(file.getKey()),
              () -> "seed " + seed + ", " + file.getKey());
        }
      }
    }
    assertTrue(compared > OPERATIONS / 4, "seed " + seed + " compared " + compared);
    assertTrue(heat.health().renames() > OPERATIONS / 80, heat.health().toString());
  }

  private void operate() {
    int kind = random.nextInt(100);
    if (kind < 60 && !files.isEmpty()) {
      String path = anyFile();
      // Up to 700 reads, where the table is exact.
      if (files.get(path) < 700) {
        files.merge(path, 1, Integer::sum);
        heat.accept(Told.read(path, NOW));
      }
    } else if (kind < 86) {
      String path = anyDirectory() + "/f" + random.nextInt(30);
      if (directories().contains(path)) {
        return;
      }
      files.put(path, 0);
      heat.accept(new Told(Access.Kind.CREATE, NOW, path, null));
    } else if (kind < 88 && !files.isEmpty()) {
      String path = anyFile();
      files.remove(path);
      heat.accept(new Told(Access.Kind.DELETE, NOW, path, null));
    } else if (kind < 89) {
      if (random.nextInt(8) > 0) {
        return;
      }
      String directory = anyDirectory();
      files.keySet().removeIf(path -> covers(directory, path));
      heat.accept(new Told(Access.Kind.DELETE, NOW, directory, null));
    } else if (kind < 95 && !files.isEmpty()) {
      // A file onto a new name, or over another file.
      String from = anyFile();
      String to = random.nextBoolean() ? anyFile() : anyDirectory() + "/g" + random.nextInt(6);
      if (!from.equals(to) && !directories().contains(to)) {
        move(from, to);
      }
    } else {
      // A directory onto a name that isn't in use, and not into itself.
      String from = anyDirectory();
      String to = anyDirectory() + "/m" + random.nextInt(4);
      boolean used = files.keySet().stream().anyMatch(path -> covers(to, path)) || covers(from, to);
      // Not ever deeper.
      if (!used && to.length() < 20) {
        move(from, to);
      }
    }
  }

  private void move(String from, String to) {
    Map<String, Integer> moved = new TreeMap<>();
    files.forEach(
        (path, reads) -> {
          if (covers(from, path)) {
            moved.put(to + path.substring(from.length()), reads);
          }
        });
    files.keySet().removeIf(path -> covers(from, path));
    files.putAll(moved);
    heat.accept(Told.rename(from, to, NOW));
  }

  /** Whether a path is this directory, or lies below it. */
  private static boolean covers(String directory, String path) {
    return path.equals(directory) || path.startsWith(directory + '/');
  }

  private String anyFile() {
    List<String> all = new ArrayList<>(files.keySet());
    return all.get(random.nextInt(all.size()));
  }

  /** One of a few at the top, or one that files lie in. */
  private String anyDirectory() {
    List<String> all = directories();
    return all.isEmpty() || random.nextInt(3) == 0
        ? "/d" + random.nextInt(8)
        : all.get(random.nextInt(all.size()));
  }

  private List<String> directories() {
    Set<String> all = new TreeSet<>();
    for (String path : files.keySet()) {
      for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
        all.add(path.substring(0, slash));
      }
    }
    return List.copyOf(all);
  }
}
