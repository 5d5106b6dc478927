// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.testbed.image.GeneratedImage.Totals;
import io.thermocline.tiering.observe.image.ImageCheckpoint;
import io.thermocline.tiering.observe.image.ImageDigest;
import io.thermocline.tiering.observe.image.ImageFile;
import io.thermocline.tiering.observe.image.ImageFormatException;
import io.thermocline.tiering.observe.image.ImageProgress;
import io.thermocline.tiering.observe.image.ImageReader;
import io.thermocline.tiering.observe.image.NamespaceImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Images written with Hadoop's own messages, whole, compressed, interrupted and damaged. */
class GeneratedImageTest {
  private static final Configuration CONF = new Configuration();

  @TempDir private Path directory;

  /** Adds up what is read. */
  private static final class Sums implements Consumer<ImageFile> {
    private long files;
    private long bytes;
    private long paths;
    private long policies;
    private long times;

    @Override
    public void accept(ImageFile file) {
      files++;
      bytes += file.length();
      paths += GeneratedImage.hash(file.path());
      policies += file.policy().effective();
      times += 31 * file.modified() + file.accessed();
    }

    Totals with(long directories) {
      return new Totals(files, directories, bytes, paths, policies, times);
    }
  }

  private static ImageCheckpoint readAll(Path image, Consumer<ImageFile> sink, int most)
      throws IOException {
    NamespaceImage opened = NamespaceImage.open(image, CONF);
    try (ImageReader reader = opened.reader(ImageCheckpoint.beginning(), () -> 0)) {
      while (reader.poll(sink, most)) {
        assertTrue(reader.progress().share() <= 1);
      }
      assertEquals(ImageProgress.Phase.DONE, reader.progress().phase());
      return reader.checkpoint();
    }
  }

  @Test
  void eachFileIsRead() throws IOException {
    Path image = directory.resolve("fsimage");
    Totals written = GeneratedImage.write(image, 60_000, 3, null);
    Sums sums = new Sums();
    ImageCheckpoint end = readAll(image, sums, 777);
    assertEquals(written, sums.with(end.counts().directories()));
    assertEquals(0, end.counts().inSnapshotsOnly());
    assertEquals(
        end.counts().inodes(), NamespaceImage.open(image, CONF).inodes(), "all inodes counted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DefaultCodec",
        "DeflateCodec",
        "GzipCodec",
        "BZip2Codec",
        "SnappyCodec",
        "Lz4Codec",
        "ZStandardCodec"
      })
  void compressedImagesAreRead(String name) throws Exception {
    CompressionCodec codec = codec(name);
    Path image = directory.resolve("fsimage");
    Totals written;
    try {
      written = GeneratedImage.write(image, 5_000, 4, codec);
    } catch (RuntimeException | LinkageError e) {
      assumeTrue(false, name + " has no library here: " + e);
      return;
    }
    Sums sums = new Sums();
    assertEquals(written, sums.with(readAll(image, sums, 1000).counts().directories()));
    // And from the middle.
    List<ImageFile> whole = new ArrayList<>();
    readAll(image, whole::add, 1000);
    List<ImageFile> parts = new ArrayList<>();
    readInterrupted(image, parts, new SplittableRandom(9));
    assertEquals(whole, parts);
  }

  private static CompressionCodec codec(String name) throws ClassNotFoundException {
    return (CompressionCodec)
        ReflectionUtils.newInstance(Class.forName("org.apache.hadoop.io.compress." + name), CONF);
  }

  @Test
  void aCodecThatIsNotHereIsNamed() throws Exception {
    Path image = directory.resolve("fsimage");
    GeneratedImage.write(image, 10, 4, codec("DefaultCodec"));
    byte[] bytes = Files.readAllBytes(image);
    int at =
        new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).lastIndexOf("DefaultCodec");
    bytes[at] = 'X';
    Files.write(image, bytes);
    ImageFormatException e =
        assertThrows(ImageFormatException.class, () -> NamespaceImage.open(image, CONF));
    assertTrue(e.getMessage().contains("XefaultCodec"), e.getMessage());
  }

  /** Killed after any poll, and what was handed on after the last stored checkpoint is lost with it. */
  @Test
  void goesOnFromEachCheckpoint() throws IOException {
    Path image = directory.resolve("fsimage");
    GeneratedImage.write(image, 20_000, 5, null);
    List<ImageFile> whole = new ArrayList<>();
    readAll(image, whole::add, 1 << 20);
    long seed = Long.getLong("image.seed", Long.getLong("test.seed", 17));
    System.out.println("image.seed=" + seed);
    List<ImageFile> parts = new ArrayList<>();
    int runs = readInterrupted(image, parts, new SplittableRandom(seed));
    assertTrue(runs > 5, runs + " runs");
    assertEquals(whole, parts);
  }

  private static int readInterrupted(Path image, List<ImageFile> into, SplittableRandom random)
      throws IOException {
    NamespaceImage opened = NamespaceImage.open(image, CONF);
    String stored = ImageCheckpoint.beginning().toText();
    for (int run = 1; ; run++) {
      try (ImageReader reader = opened.reader(ImageCheckpoint.parse(stored), () -> 0)) {
        int polls = 1 + random.nextInt(3);
        for (int i = 0; i < polls; i++) {
          boolean more = reader.poll(into::add, 1 + random.nextInt(2_000));
          stored = reader.checkpoint().toText();
          if (!more) {
            return run;
          }
        }
        int kept = into.size();
        reader.poll(into::add, random.nextInt(500));
        into.subList(kept, into.size()).clear();
      }
    }
  }

  @Test
  void aCheckpointOfAnotherImageIsRefused() throws IOException {
    Path first = directory.resolve("fsimage_1");
    Path second = directory.resolve("fsimage_2");
    GeneratedImage.write(first, 100, 1, null);
    GeneratedImage.write(second, 100, 2, null);
    ImageCheckpoint end = readAll(first, file -> {}, 50);
    NamespaceImage other = NamespaceImage.open(second, CONF);
    IOException e = assertThrows(IOException.class, () -> other.reader(end, () -> 0));
    assertTrue(e.getMessage().contains("begin again"), e.getMessage());
  }

  @Test
  void aDigestThatDiffersIsFound() throws IOException {
    Path image = directory.resolve("fsimage_1");
    GeneratedImage.write(image, 100, 1, null);
    assertEquals(ImageDigest.Result.NO_DIGEST, ImageDigest.check(image));
    Files.writeString(
        directory.resolve("fsimage_1.md5"), "0123456789abcdef0123456789abcdef *fsimage_1\n");
    ImageFormatException e =
        assertThrows(ImageFormatException.class, () -> ImageDigest.check(image));
    assertTrue(e.getMessage().contains("0123456789abcdef"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "DefaultCodec", "SnappyCodec"})
  void damagedImagesAreRefused(String codec) throws Exception {
    Path image = directory.resolve("fsimage");
    GeneratedImage.write(image, 2_000, 6, codec.isEmpty() ? null : codec(codec));
    byte[] sound = Files.readAllBytes(image);
    Path damaged = directory.resolve("damaged");
    long seed = Long.getLong("image.fuzz.seed", Long.getLong("test.seed", 23));
    int rounds =
        Integer.getInteger("image.fuzz.rounds", Boolean.getBoolean("test.short") ? 60 : 400);
    System.out.println("image.fuzz.seed=" + seed + " image.fuzz.rounds=" + rounds);
    SplittableRandom random = new SplittableRandom(seed);
    int refused = 0;
    for (int round = 0; round < rounds; round++) {
      boolean cut = random.nextInt(4) == 0;
      byte[] bytes;
      if (cut) {
        bytes = java.util.Arrays.copyOf(sound, random.nextInt(sound.length));
      } else {
        bytes = sound.clone();
        // A flip in a name or a time is another image, and sound; what counts is how it ends.
        for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
          int at =
              random.nextInt(3) == 0
                  ? sound.length - 1 - random.nextInt(Math.min(400, sound.length))
                  : random.nextInt(sound.length);
          bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
      }
      Files.write(damaged, bytes);
      try {
        readAll(damaged, file -> {}, 1 << 20);
        assertFalse(cut, "round " + round + ": cut to " + bytes.length + " bytes, and not seen");
      } catch (ImageFormatException e) {
        assertTrue(e.getMessage().contains(damaged.toString()), e.getMessage());
        refused++;
      }
    }
    assertTrue(refused > rounds / 4, refused + " of " + rounds + " refused");
  }
}
