// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.image.FirstView;
import io.thermocline.tiering.observe.image.ImageFormatException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstViewTest {

  private static final int FILES = 130_000;
  private static final Predicate<String> NOTHING = path -> false;

  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void goesOnAfterAFailureAndHasEachFileOnce() throws IOException {
    Path image = directory.resolve("fsimage");
    GeneratedImage.Totals written = GeneratedImage.write(image, FILES, 3, null);
    List<String> said = new ArrayList<>();
    FirstView view =
        view(
            image,
            words -> {
              said.add(words);
              if (said.size() == 1) {
                throw new IllegalStateException("broken off");
              }
            });
    List<FileView> files = new ArrayList<>();
    assertThrows(IllegalStateException.class, () -> view.read(List.of("/"), NOTHING, files::add));
    view.read(List.of("/"), NOTHING, files::add);

    assertEquals(written.files(), files.size());
    Set<String> paths = new HashSet<>();
    files.forEach(file -> paths.add(file.path()));
    assertEquals(files.size(), paths.size());
    assertEquals(written.policies(), files.stream().mapToLong(FileView::storagePolicy).sum());
    assertTrue(
        said.get(0).matches("reading the image, \\d+ files: \\d+ %, about \\d+ s left"),
        said.toString());
    assertEquals(2, said.size(), "the second reading went on where the first was: " + said);
    assertTrue(Files.exists(image), "not ours to delete");
  }

  @Test
  void takesWhatIsBelowTheRoots() throws IOException {
    Path image = directory.resolve("fsimage");
    GeneratedImage.write(image, 5_000, 4, null);
    List<FileView> all = read(image, List.of("/"), NOTHING);
    String first = all.get(0).path();
    String parent = first.substring(0, first.lastIndexOf('/'));

    List<FileView> some = read(image, List.of("/nowhere", parent), NOTHING);
    assertEquals(all.stream().filter(file -> file.path().startsWith(parent + "/")).toList(), some);
    assertFalse(some.isEmpty());
    assertEquals(List.of(all.get(0)), read(image, List.of(first), NOTHING), "a file");
    assertEquals(List.of(), read(image, List.of(first.substring(0, first.length() - 1)), NOTHING));
    assertEquals(
        all.size() - 1, read(image, List.of("/"), first::equals).size(), "but what is ignored");
  }

  @Test
  void refusesAnImageThatIsNotWhatItsDigestSays() throws IOException {
    Path image = directory.resolve("fsimage");
    GeneratedImage.write(image, 1_000, 4, null);
    Files.writeString(
        directory.resolve("fsimage.md5"), "00000000000000000000000000000000 *fsimage\n");
    assertThrows(ImageFormatException.class, () -> read(image, List.of("/"), NOTHING));
    Files.delete(directory.resolve("fsimage.md5"));
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(file.length() / 2);
    }
    IOException cut =
        assertThrows(ImageFormatException.class, () -> read(image, List.of("/"), NOTHING));
    assertTrue(cut.getMessage().contains(image.toString()), cut.getMessage());
  }

  private List<FileView> read(Path image, List<String> roots, Predicate<String> ignored)
      throws IOException {
    List<FileView> files = new ArrayList<>();
    view(image, words -> {}).read(roots, ignored, files::add);
    return files;
  }

  /** Six seconds go by between any two looks at the clock. */
  private FirstView view(Path image, Consumer<String> progress) {
    return FirstView.of(
        image, new Configuration(), () -> nanos.addAndGet(6_000_000_000L), progress);
  }
}
