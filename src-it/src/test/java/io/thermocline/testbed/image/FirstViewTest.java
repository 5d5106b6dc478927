// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.process.Reaper;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.image.FirstView;
import io.thermocline.tiering.observe.image.ImageFormatException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstViewTest {

  private static final int FILES = 130_000;
  private static final Predicate<String> NOTHING = path -> false;

  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();
  private Process reader;

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

  /** With SIGKILL, after the first of two hundred thousand inodes; the next one goes on, and what it has is equal. */
  @Test
  void goesOnAfterItWasKilled() throws Exception {
    Path image = directory.resolve("fsimage");
    GeneratedImage.write(image, 3 * FILES, 6, null);
    List<FileView> whole = read(image, List.of("/"), NOTHING);
    try (BufferedReader killed = start(image, 2)) {
      assertEquals("reading the image", said(killed).substring(0, 17));
      said(killed);
      reader.destroyForcibly().waitFor();
    }
    try (BufferedReader killed = start(image, 2)) {
      assertTrue(said(killed).matches("going on with an image of which \\d{6} files .*"));
      said(killed);
      reader.destroyForcibly().waitFor();
    }
    List<String> last = new ArrayList<>();
    try (BufferedReader read = start(image, Integer.MAX_VALUE)) {
      read.lines().forEach(last::add);
    }
    assertEquals(0, reader.waitFor());
    assertTrue(last.get(0).startsWith("going on with an image of which "), last.toString());
    assertEquals(FirstViewReader.sum(whole), last.get(last.size() - 1));
    assertTrue(last.size() < 2 + whole.size() / 100_000, "not from the beginning: " + last);
    assertEquals(List.of(), left(), "nothing is left");
  }

  @Test
  void takesWhatWasReadBeforeWhateverIsManagedNow() throws IOException {
    Path image = directory.resolve("fsimage");
    GeneratedImage.write(image, FILES, 3, null);
    List<FileView> whole = read(image, List.of("/"), NOTHING);
    breakOff(image, List.of("/nowhere"));
    assertEquals(2, left().size());

    assertEquals(whole, readOn(image, "going on with an image of which"));
    assertEquals(List.of(), left());
  }

  @Test
  void beginsAnewWithAnotherImage() throws IOException {
    Path image = directory.resolve("fsimage");
    GeneratedImage.write(image, FILES, 3, null);
    breakOff(image, List.of("/"));
    GeneratedImage.write(image, FILES + 7, 4, null);
    assertEquals(read(image, List.of("/"), NOTHING), readOn(image, "reading the image"));
  }

  @Test
  void beginsAnewWhereWhatWasReadIsDamaged() throws IOException {
    Path image = directory.resolve("fsimage");
    GeneratedImage.write(image, FILES, 3, null);
    List<FileView> whole = read(image, List.of("/"), NOTHING);
    for (String name : List.of("reading.files", "reading.checkpoint")) {
      Path damaged = directory.resolve("scratch").resolve(name);
      breakOff(image, List.of("/"));
      byte[] bytes = Files.readAllBytes(damaged);
      bytes[bytes.length / 2] ^= 1;
      Files.write(damaged, bytes);
      assertEquals(whole, readOn(image, "reading the image"), name);

      breakOff(image, List.of("/"));
      Files.write(damaged, Arrays.copyOf(bytes, bytes.length / 2));
      assertEquals(whole, readOn(image, "reading the image"), name);
    }
  }

  /** Something that isn't a directory stands where it would be kept. */
  @Test
  void readsWhatItCannotKeep() throws IOException {
    Path image = directory.resolve("fsimage");
    GeneratedImage.write(image, FILES, 3, null);
    Files.createFile(directory.resolve("scratch"));
    assertEquals(read(image, List.of("/"), NOTHING), readOn(image, "reading the image"));
  }

  /** Reads some of it in a life that then ends. */
  private void breakOff(Path image, List<String> roots) {
    FirstView view =
        kept(
            image,
            words -> {
              throw new IllegalStateException("broken off");
            });
    assertThrows(IllegalStateException.class, () -> view.read(roots, NOTHING, file -> {}));
  }

  /** All files that a later life hands on, and what it says first. */
  private List<FileView> readOn(Path image, String first) throws IOException {
    List<String> said = new ArrayList<>();
    List<FileView> files = new ArrayList<>();
    kept(image, said::add).read(List.of("/"), NOTHING, files::add);
    assertTrue(said.get(0).startsWith(first), said.toString());
    return files;
  }

  private FirstView kept(Path image, Consumer<String> progress) {
    return FirstView.of(
        image,
        directory.resolve("scratch"),
        new Configuration(),
        () -> nanos.addAndGet(6_000_000_000L),
        progress);
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("scratch"))) {
      return files.toList();
    }
  }

  private BufferedReader start(Path image, int words) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                FirstViewReader.class.getName(),
                image.toString(),
                directory.resolve("scratch").toString(),
                Integer.toString(words))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    reader = Reaper.watch(builder.start());
    return reader.inputReader();
  }

  private static String said(BufferedReader of) throws IOException {
    String line = of.readLine();
    assertNotNull(line, "it ended");
    return line;
  }

  @AfterEach
  void end() {
    if (reader != null) {
      reader.destroyForcibly();
    }
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
        image, null, new Configuration(), () -> nanos.addAndGet(6_000_000_000L), progress);
  }
}
