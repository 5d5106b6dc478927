// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.thermocline.tiering.observe.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HeatCheckpointTest {

  private static final HeatSettings SETTINGS =
      new HeatSettings(Duration.ofMinutes(10), 1 << 16, 50, 1_000, 100);

  @TempDir Path directory;

  private static final long SEED = Long.getLong("test.seed", 1);

  private static final boolean SHORT = Boolean.getBoolean("test.short");

  static LongStream seeds() {
    return LongStream.range(SEED, SEED + (SHORT ? 1 : 8));
  }

  /**
   * A run that crashes at random moments, among them in the middle of writing a checkpoint, ends in the
   * same bytes as one that doesn't.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void isAsIfThereHadBeenNoCrash(long seed) throws IOException {
    List<Access> log = log(seed, SHORT ? 8_000 : 30_000);
    Heat undisturbed = new Heat(SETTINGS, Told.NAMESERVICE);
    log.forEach(undisturbed::accept);

    Path file = directory.resolve("heat-" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Heat heat = new Heat(SETTINGS, Told.NAMESERVICE);
    int at = 0;
    int crashes = 0;
    while (at < log.size()) {
      heat.accept(log.get(at++));
      int event = random.nextInt(2_000);
      if (event < 4) {
        HeatCheckpoint.save(file, heat.freeze(), position(at));
      } else if (event < 6) {
        crashWhileSaving(file, heat, at, random);
      }
      if (event > 3 && event < 8) {
        crashes++;
        var restored = HeatCheckpoint.load(file, SETTINGS, Told.NAMESERVICE);
        heat = restored.map(r -> r.heat()).orElseGet(() -> new Heat(SETTINGS, Told.NAMESERVICE));
        at = restored.map(r -> position(r.position())).orElse(0);
      }
    }
    assertTrue(crashes > 5, "seed " + seed);
    assertArrayEquals(bytes(undisturbed, 0), bytes(heat, 0), "seed " + seed);
  }

  /** It has paths of users' files, whatever the umask of whoever starts the service is. */
  @Test
  void onlyItsOwnerMayReadIt() throws IOException {
    Path file = directory.resolve("heat");
    Heat heat = new Heat(SETTINGS, Told.NAMESERVICE);
    HeatCheckpoint.save(file, heat.freeze(), position(0));
    HeatCheckpoint.save(file, heat.freeze(), position(1));
    for (Path saved : List.of(file, directory.resolve("heat.previous"))) {
      assertEquals(
          "rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(saved)),
          saved::toString);
    }
  }

  /** Leaves what a crash leaves: part of a new file, no file under the name, or a file half on disk. */
  private void crashWhileSaving(Path file, Heat heat, int at, SplittableRandom random)
      throws IOException {
    Path whole = directory.resolve("whole");
    HeatCheckpoint.save(whole, heat.freeze(), position(at));
    byte[] written = Files.readAllBytes(whole);
    Path beside = file.resolveSibling(file.getFileName() + ".new");
    Path previous = file.resolveSibling(file.getFileName() + ".previous");
    byte[] cut = Arrays.copyOf(written, random.nextInt(written.length));
    switch (random.nextInt(3)) {
      case 0 -> Files.write(beside, cut);
      case 1 -> {
        Files.write(beside, written);
        if (Files.exists(file)) {
          Files.move(file, previous, StandardCopyOption.REPLACE_EXISTING);
        }
      }
      default -> {
        if (Files.exists(file)) {
          Files.move(file, previous, StandardCopyOption.REPLACE_EXISTING);
          Files.write(file, cut);
        }
      }
    }
  }

  @Test
  void findsAnyDamage() throws IOException {
    Heat heat = new Heat(SETTINGS, Told.NAMESERVICE);
    log(1, 1_000).forEach(heat::accept);
    Path file = directory.resolve("heat");
    HeatCheckpoint.save(file, heat.freeze(), new byte[0]);
    byte[] good = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 200; i += SHORT ? 4 : 1) {
      byte[] bad = good.clone();
      bad[i < 100 ? i : random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bad);
      IOException problem =
          assertThrows(
              IOException.class,
              () -> HeatCheckpoint.load(file, SETTINGS, Told.NAMESERVICE),
              "changed byte " + i);
      assertTrue(problem.getMessage().contains(file.toString()), problem.getMessage());
    }
  }

  /** As it was written before anything was saved beside heat. */
  @Test
  void readsTheVersionThatHadHeatAlone() throws IOException {
    Heat heat = new Heat(SETTINGS, Told.NAMESERVICE);
    log(1, 1_000).forEach(heat::accept);
    Path file = directory.resolve("heat");
    HeatCheckpoint.save(file, heat.freeze(), position(7));
    byte[] now = Files.readAllBytes(file);
    int extents = 6 * Long.BYTES * heat.profiles().size();
    byte[] then = Arrays.copyOf(now, now.length - extents - Long.BYTES);
    ByteBuffer.wrap(then).putLong(Long.BYTES, 2);
    CRC32C sum = new CRC32C();
    sum.update(then, 0, then.length - Long.BYTES);
    ByteBuffer.wrap(then).putLong(then.length - Long.BYTES, sum.getValue());
    Files.write(file, then);

    HeatCheckpoint.Restored restored =
        HeatCheckpoint.load(
                file, SETTINGS, Told.NAMESERVICE, beside -> fail("there is nothing beside"))
            .orElseThrow();
    assertEquals(7, position(restored.position()));
    assertEquals(Set.copyOf(heat.profiles()), Set.copyOf(restored.heat().profiles()));
    byte[] restoredBytes = bytes(restored.heat(), 7);
    int state = then.length - Long.BYTES;
    assertEquals(
        ByteBuffer.wrap(then, 2 * Long.BYTES, state - 2 * Long.BYTES),
        ByteBuffer.wrap(restoredBytes, 2 * Long.BYTES, state - 2 * Long.BYTES));
  }

  /** As it was written before page caches were modeled. */
  @Test
  void readsTheVersionWithoutPageCaches() throws IOException {
    Heat heat = new Heat(SETTINGS, Told.NAMESERVICE);
    log(1, 1_000).forEach(heat::accept);
    Path file = directory.resolve("heat");
    HeatCheckpoint.save(file, heat.freeze(), position(7));
    byte[] now = Files.readAllBytes(file);
    int profiles = heat.profiles().size();
    int extents = now.length - 2 * Long.BYTES - 6 * Long.BYTES * profiles;
    ByteBuffer then = ByteBuffer.allocate(now.length - Long.BYTES * profiles);
    then.put(now, 0, extents);
    for (int profile = 0; profile < profiles; profile++) {
      then.put(now, extents + 6 * Long.BYTES * profile, 5 * Long.BYTES);
    }
    then.putLong(0).putLong(Long.BYTES, 5);
    CRC32C sum = new CRC32C();
    sum.update(then.array(), 0, then.capacity() - Long.BYTES);
    then.putLong(sum.getValue());
    Files.write(file, then.array());

    HeatCheckpoint.Restored restored =
        HeatCheckpoint.load(file, SETTINGS, Told.NAMESERVICE).orElseThrow();
    assertArrayEquals(now, bytes(restored.heat(), 7));
  }

  @Test
  void keepsWhatPageCachesLeaveToDisks() throws IOException {
    HeatSettings settings = SETTINGS.withPageCache(Duration.ofMinutes(10));
    Heat heat = new Heat(settings, Told.NAMESERVICE);
    log(1, 1_000).forEach(heat::accept);
    Path file = directory.resolve("heat");
    HeatCheckpoint.save(file, heat.freeze(), position(7));
    Heat restored = HeatCheckpoint.load(file, settings, Told.NAMESERVICE).orElseThrow().heat();
    boolean isLess = false;
    for (Profile profile : heat.profiles()) {
      assertEquals(heat.opens(profile.path()), restored.opens(profile.path()));
      isLess |= restored.opens(profile.path()).ofDisks(1) < 1;
    }
    assertTrue(isLess, "files are read again and again");
    Heat without = HeatCheckpoint.load(file, SETTINGS, Told.NAMESERVICE).orElseThrow().heat();
    assertTrue(
        without.profiles().stream()
            .allMatch(profile -> without.opens(profile.path()).ofDisks(1) == 1));
  }

  @Test
  void refusesAnotherVersion() throws IOException {
    Path file = directory.resolve("heat");
    HeatCheckpoint.save(file, new Heat(SETTINGS, Told.NAMESERVICE).freeze(), new byte[0]);
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer.wrap(bytes).putLong(Long.BYTES, 1);
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, bytes.length - Long.BYTES);
    ByteBuffer.wrap(bytes).putLong(bytes.length - Long.BYTES, sum.getValue());
    Files.write(file, bytes);
    IOException problem =
        assertThrows(
            IOException.class, () -> HeatCheckpoint.load(file, SETTINGS, Told.NAMESERVICE));
    assertTrue(
        problem.getMessage().contains("is of version 1, this program reads 6"),
        problem.getMessage());
  }

  @Test
  void usesTheOneBeforeAndSaysSo() throws IOException {
    Heat heat = new Heat(SETTINGS, Told.NAMESERVICE);
    Path file = directory.resolve("heat");
    assertFalse(HeatCheckpoint.load(file, SETTINGS, Told.NAMESERVICE).isPresent());
    HeatCheckpoint.save(file, heat.freeze(), position(1));
    HeatCheckpoint.save(file, heat.freeze(), position(2));
    Files.write(file, new byte[] {1, 2, 3});

    HeatCheckpoint.Restored restored =
        HeatCheckpoint.load(file, SETTINGS, Told.NAMESERVICE).orElseThrow();
    assertEquals(1, position(restored.position()));
    assertTrue(restored.damage().orElseThrow().contains("cut off"));
    assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(directory.resolve("heat.damaged")));
    HeatCheckpoint.save(file, heat.freeze(), position(3));
    assertEquals(3, loaded(file));
    Files.delete(file);
    assertEquals(1, loaded(file), "the good one is kept");
  }

  @Test
  void saysWhatIsWrongWithBoth() throws IOException {
    Path file = directory.resolve("heat");
    Path previous = directory.resolve("heat.previous");
    Files.write(file, new byte[] {1, 2, 3});
    Files.write(previous, new byte[8]);
    IOException both = assertThrows(IOException.class, () -> loaded(file));
    assertEquals(file + " is cut off; " + previous + " is no heat checkpoint", both.getMessage());
    Files.delete(file);
    IOException one = assertThrows(IOException.class, () -> loaded(file));
    assertEquals(previous + " is no heat checkpoint", one.getMessage());
  }

  @Test
  void hasWhatElseTheSameLinesLedTo() throws IOException {
    Heat heat = new Heat(SETTINGS, Told.NAMESERVICE);
    Path file = directory.resolve("heat");
    SavedState seven = sink -> sink.number(7);
    // Longer than what is written at a time.
    String words = "words".repeat(20_000);
    SavedState text = sink -> sink.text(words);
    List<Object> read = new ArrayList<>();
    for (SavedState[] saved :
        new SavedState[][] {{null, null}, {seven, null}, {null, text}, {seven, text}}) {
      HeatCheckpoint.save(file, heat.freeze(), position(1), saved[0], saved[1]);
      read.clear();
      HeatCheckpoint.load(
              file,
              SETTINGS,
              Told.NAMESERVICE,
              beside -> read.add(beside.number()),
              more -> read.add(more.text()))
          .orElseThrow();
      List<Object> expected = new ArrayList<>();
      if (saved[0] != null) {
        expected.add(7L);
      }
      if (saved[1] != null) {
        expected.add(words);
      }
      assertEquals(expected, read);
    }
  }

  @Test
  void isFoundNoMoreOnceItIsSetAside() throws IOException {
    Heat heat = new Heat(SETTINGS, Told.NAMESERVICE);
    Path file = directory.resolve("heat");
    assertEquals(List.of(), HeatCheckpoint.setAside(file, "old"));
    HeatCheckpoint.save(file, heat.freeze(), position(1));
    HeatCheckpoint.save(file, heat.freeze(), position(2));
    assertEquals(
        List.of(directory.resolve("heat.previous.old"), directory.resolve("heat.old")),
        HeatCheckpoint.setAside(file, "old"));
    assertFalse(HeatCheckpoint.load(file, SETTINGS, Told.NAMESERVICE).isPresent());
    assertEquals(2, loaded(directory.resolve("heat.old")));
  }

  private static int loaded(Path file) throws IOException {
    return position(HeatCheckpoint.load(file, SETTINGS, Told.NAMESERVICE).orElseThrow().position());
  }

  @Test
  void refusesStateOfOtherSettings() throws IOException {
    Heat heat = new Heat(SETTINGS, Told.NAMESERVICE);
    Path file = directory.resolve("heat");
    HeatCheckpoint.save(file, heat.freeze(), new byte[0]);
    assertRefused(file, SETTINGS, "ns2", "it is of another nameservice than ns2");
    assertRefused(
        file,
        new HeatSettings(Duration.ofHours(1), 1 << 16, 50, 1_000, 100),
        Told.NAMESERVICE,
        "heat.halfLife was 600 s when it was saved, and is 3600 s now");
    assertRefused(
        file,
        new HeatSettings(Duration.ofMinutes(10), 1 << 17, 50, 1_000, 100),
        Told.NAMESERVICE,
        "heat.files was another when it was saved: for 65536 bytes and 50 candidates, now 131072 and"
            + " 50");
    assertRefused(
        file,
        new HeatSettings(Duration.ofMinutes(10), 1 << 16, 51, 1_000, 100),
        Told.NAMESERVICE,
        "heat.files was another when it was saved: for 65536 bytes and 50 candidates, now 65536 and"
            + " 51");
  }

  private static void assertRefused(
      Path file, HeatSettings settings, String nameservice, String words) {
    IOException problem =
        assertThrows(IOException.class, () -> HeatCheckpoint.load(file, settings, nameservice));
    assertEquals(file + " can't be used: " + words, problem.getMessage());
  }

  /** What is written is the state at the freeze, whatever is counted while it is written. */
  @Test
  void isOfTheMomentOfTheFreeze() throws IOException {
    List<Access> log = log(9, 40_000);
    Heat heat = new Heat(SETTINGS, Told.NAMESERVICE);
    log.subList(0, 20_000).forEach(heat::accept);
    byte[] then = bytes(heat, 0);
    HeatState frozen = heat.freeze();
    Path file = directory.resolve("heat");
    CompletableFuture<Void> saving =
        CompletableFuture.runAsync(
            () -> {
              try {
                HeatCheckpoint.save(file, frozen, position(0));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    log.subList(20_000, 40_000).forEach(heat::accept);
    saving.join();

    assertArrayEquals(then, Files.readAllBytes(file));
  }

  private static byte[] position(int at) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(at).array();
  }

  private static int position(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt();
  }

  private byte[] bytes(Heat heat, int at) throws IOException {
    Path file = directory.resolve("compared");
    HeatCheckpoint.save(file, heat.freeze(), position(at));
    return Files.readAllBytes(file);
  }

  /** More files than have room, renames of files and directories, late lines, gaps, and scans. */
  private static List<Access> log(long seed, int length) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Access> log = new ArrayList<>();
    long now = 1_795_000_000_000L;
    while (log.size() < length) {
      now += random.nextInt(200);
      long time = random.nextInt(50) == 0 ? now - random.nextInt(100_000) : now;
      int number = random.nextInt(40);
      String directory = "/d" + number + (number % 4 == 0 ? "/dt=" + number : "");
      String path = directory + "/f" + (int) (600 * Math.pow(random.nextDouble(), 3));
      int kind = random.nextInt(1_000);
      if (kind < 880) {
        log.add(Told.read(path, time));
      } else if (kind < 900) {
        if (!log.isEmpty()
            && log.get(log.size() - 1 - random.nextInt(Math.min(log.size(), 200)))
                instanceof Told told
            && told.kind() == Access.Kind.READ) {
          log.add(Told.withdraw(told.path(), told.timeMillis()));
        }
      } else if (kind < 930) {
        log.add(new Told(Access.Kind.WRITE, time, path, null));
      } else if (kind < 960) {
        log.add(new Told(Access.Kind.CREATE, time, path, null));
      } else if (kind < 975) {
        log.add(new Told(Access.Kind.DELETE, time, path, null));
      } else if (kind < 990) {
        log.add(Told.rename(path, directory + "/g" + random.nextInt(100), time));
      } else if (kind < 998) {
        log.add(Told.rename(directory, "/d" + random.nextInt(40) + "x", time));
      } else if (kind == 998) {
        log.add(new Told(Access.Kind.DELETE, time, directory, null));
      } else if (random.nextInt(5) == 0) {
        now += random.nextLong(3_000_000);
      }
    }
    return log;
  }
}
