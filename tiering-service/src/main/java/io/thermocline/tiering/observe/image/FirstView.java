// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.Paths;
import io.thermocline.tiering.observe.PrivateFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;

/**
 * The closed, replicated files below some directories, out of an image: fetched from a NameNode, or a file. They have no
 * blocks, since no image says where these are. One thread.
 *
 * <p>What fails can be called again, and goes on. So does another process after this one was killed: an image that was
 * fetched is there as long as it is the NameNode's latest, what was read of it is kept beside ({@link ReadSoFar}), and it
 * is read on from there. Another image is read from its beginning.
 */
public final class FirstView {

  private static final int INODES_AT_ONCE = 100_000;
  private static final long NANOS_BETWEEN_WORDS = 5_000_000_000L;

  private final URI web;
  private final Path scratch;
  private final Configuration conf;
  private final LongSupplier nanos;
  private final Consumer<String> progress;

  private Path image;
  private final ReadSoFar readSoFar;
  private ImageCheckpoint checkpoint = ImageCheckpoint.beginning();
  private final Set<String> open = new LinkedHashSet<>();
  private long changedMillis;
  private long madeMillis;
  private long saidNanos;

  private FirstView(
      URI web,
      Path image,
      Path scratch,
      Configuration conf,
      LongSupplier nanos,
      Consumer<String> progress) {
    this.web = web;
    this.image = image;
    this.scratch = scratch;
    this.conf = conf;
    this.nanos = nanos;
    this.progress = progress;
    this.readSoFar = scratch == null ? null : new ReadSoFar(scratch);
    this.saidNanos = nanos.getAsLong() - NANOS_BETWEEN_WORDS;
  }

  /**
   * Out of the latest image of a NameNode.
   *
   * @param web for instance http://namenode:9870
   * @param scratch local directory for the image and what was read of it, until all was; made where it isn't there
   * @param conf of TLS, the login and codecs
   * @param nanos monotonic
   * @param progress is told every few seconds, in words
   */
  public static FirstView fetched(
      URI web, Path scratch, Configuration conf, LongSupplier nanos, Consumer<String> progress) {
    return new FirstView(web, null, scratch, conf, nanos, progress);
  }

  /**
   * Out of a file, which is left as it is. Parameters as of {@link #fetched}.
   *
   * @param scratch null: another process begins anew
   */
  public static FirstView of(
      Path image, Path scratch, Configuration conf, LongSupplier nanos, Consumer<String> progress) {
    return new FirstView(null, image, scratch, conf, nanos, progress);
  }

  /**
   * Reads all of it, once. Memory is that of the {@link ImageReader} and of some files.
   *
   * @param roots absolute paths of directories or files
   * @param ignored paths that are passed over
   * @param sink is handed each file once, however often this is tried
   * @throws IOException where the image can't be had or isn't sound; it may be tried again
   */
  public void read(List<String> roots, Predicate<String> ignored, Consumer<? super FileView> sink)
      throws IOException {
    if (image == null) {
      PrivateFiles.createDirectories(scratch);
      image =
          new ImageFetch(web, conf, nanos)
              .fetch(
                  scratch,
                  (bytes, of, left) -> say("fetching the image", (double) bytes / of, left));
    }
    // None of its times can be later, but those that somebody set.
    madeMillis = Files.getLastModifiedTime(image).toMillis();
    NamespaceImage opened = NamespaceImage.open(image, conf);
    Consumer<ImageFile> taken = file -> take(file, roots, ignored, sink);
    if (checkpoint.image().isEmpty()) {
      resume(opened, taken);
    }
    try (ImageReader reader = opened.reader(checkpoint, nanos)) {
      List<ImageFile> batch = new ArrayList<>();
      boolean more = true;
      while (more) {
        batch.clear();
        more = reader.poll(batch::add, INODES_AT_ONCE);
        // Only now: of a poll that fails, the checkpoint knows nothing.
        checkpoint = reader.checkpoint();
        batch.forEach(taken);
        keep(batch);
        ImageProgress now = reader.progress();
        say("reading the image, " + now.files() + " files", now.share(), now.secondsLeft());
      }
    }
    if (readSoFar != null) {
      readSoFar.delete();
    }
    if (web != null) {
      deleteFetched();
    }
  }

  /** Takes what an earlier process has read of this image. */
  private void resume(NamespaceImage opened, Consumer<ImageFile> taken) throws IOException {
    if (readSoFar != null) {
      checkpoint = readSoFar.resume(opened.identity(), taken);
    }
    if (!checkpoint.image().isEmpty()) {
      progress.accept(
          "going on with an image of which "
              + checkpoint.counts().files()
              + " files were read before");
    } else if (web == null) {
      ImageDigest.check(image);
    }
  }

  /** The latest modification of any file in the image that was read, milliseconds since 1970: it isn't older. */
  public long changedMillis() {
    return changedMillis;
  }

  /** Files below the roots that somebody was writing when the image was made. */
  public Set<String> openFiles() {
    return Collections.unmodifiableSet(open);
  }

  private void take(
      ImageFile file,
      List<String> roots,
      Predicate<String> ignored,
      Consumer<? super FileView> sink) {
    if (file.modified() <= madeMillis) {
      changedMillis = Math.max(changedMillis, file.modified());
    }
    if (file.erasureCoding() != 0
        || !Paths.isAtOrBelowAny(file.path(), roots)
        || ignored.test(file.path())) {
      return;
    }
    if (file.state() == ImageFile.State.UNDER_CONSTRUCTION) {
      open.add(file.path());
    } else {
      sink.accept(file.view());
    }
  }

  /** What is said next is true of a later process, too. */
  private void keep(List<ImageFile> batch) {
    if (readSoFar != null) {
      readSoFar.add(batch);
      if (isTimeToSay(nanos.getAsLong())) {
        readSoFar.store(checkpoint);
      }
    }
  }

  private boolean isTimeToSay(long now) {
    return now - saidNanos >= NANOS_BETWEEN_WORDS;
  }

  private void say(String what, double share, double secondsLeft) {
    long now = nanos.getAsLong();
    if (isTimeToSay(now)) {
      saidNanos = now;
      progress.accept(
          String.format(
              Locale.ROOT,
              Double.isNaN(secondsLeft) ? "%s: %.0f %%" : "%s: %.0f %%, about %.0f s left",
              what,
              100 * share,
              secondsLeft));
    }
  }

  /** All that were fetched, an older one of a start that was broken off among them. */
  private void deleteFetched() throws IOException {
    try (DirectoryStream<Path> images = Files.newDirectoryStream(scratch, "fsimage_*")) {
      for (Path file : images) {
        Files.delete(file);
      }
    }
  }
}
