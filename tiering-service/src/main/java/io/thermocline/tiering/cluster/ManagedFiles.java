// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.image.FirstView;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that plans are made of. They are listed for each plan, with where every replica lies; or, for some time after
 * the start, taken from the NameNode's image, and only those are looked up that a plan may be about. One thread.
 */
public final class ManagedFiles {

  /*
   * An image says what there is, not where: that is asked for file by file (getfileinfo), of those that are selected.
   * Since each of them is looked up anew for each plan, one that was deleted, renamed or rewritten after the image was
   * made is seen as it is now; one that was made since is looked up when it is read.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ManagedFiles.class);

  private final HdfsReader reader;
  private final List<String> roots;
  private final Predicate<String> ignored;
  private final long useForNanos;
  private final LongSupplier nanos;

  /** Null where files are listed. */
  private FirstView image;

  /** What was in it; null before it was read. */
  private List<FileView> known;

  private long readNanos;

  private ManagedFiles(
      HdfsReader reader,
      List<String> roots,
      Predicate<String> ignored,
      FirstView image,
      Duration useFor,
      LongSupplier nanos) {
    this.reader = reader;
    this.roots = List.copyOf(roots);
    this.ignored = ignored;
    this.image = image;
    this.useForNanos = useFor.toNanos();
    this.nanos = nanos;
  }

  /**
   * Listed for each plan.
   *
   * @param roots below which files are managed
   * @param ignored paths of files and directories that are passed over, with all below them
   */
  public static ManagedFiles listed(
      HdfsReader reader, List<String> roots, Predicate<String> ignored) {
    return new ManagedFiles(reader, roots, ignored, null, Duration.ZERO, () -> 0);
  }

  /**
   * From an image at first, which is read for the first plan, and listed when that was used for long enough.
   *
   * @param useFor at least the first plan is made from it
   * @param nanos monotonic
   */
  public static ManagedFiles fromImage(
      HdfsReader reader,
      List<String> roots,
      Predicate<String> ignored,
      FirstView image,
      Duration useFor,
      LongSupplier nanos) {
    return new ManagedFiles(reader, roots, ignored, image, useFor, nanos);
  }

  /** Whether a file of this path would be managed. */
  public boolean contains(String path) {
    return FirstView.isBelow(path, roots) && !ignored.test(path);
  }

  /**
   * Shows all files as they are now to a selection.
   *
   * @param read paths of the hottest files, which may be newer than the image
   * @return those that were selected, with where they lie
   * @throws IOException where HDFS or the image can't be read
   */
  public HdfsReader.Listing look(Selection selection, Collection<String> read) throws IOException {
    if (known != null && nanos.getAsLong() - readNanos > useForNanos) {
      image = null;
      known = null;
    }
    if (image == null) {
      Set<String> whole = reader.pass(roots, ignored, selection::pass);
      return new HdfsReader.Listing(selection.selected(), selection.isAll() ? whole : Set.of());
    }
    if (known == null) {
      known = image.read(roots, ignored, Integer.MAX_VALUE);
      readNanos = nanos.getAsLong();
      LOG.info(
          "{} files below {} were found in the image; listing them from {} s on",
          known.size(),
          roots,
          useForNanos / 1_000_000_000);
    }
    return located(selection, read);
  }

  private HdfsReader.Listing located(Selection selection, Collection<String> read)
      throws IOException {
    Set<String> newer = new HashSet<>(read);
    newer.removeIf(path -> !contains(path));
    for (FileView file : known) {
      newer.remove(file.path());
      selection.pass(file);
    }
    for (String path : newer) {
      reader.file(path).ifPresent(selection::pass);
    }
    List<FileView> files = new ArrayList<>();
    for (FileView file : selection.selected()) {
      if (file.blocks().isEmpty()) {
        reader.file(file.path()).ifPresent(files::add);
      } else {
        files.add(file);
      }
    }
    return new HdfsReader.Listing(files, Set.of());
  }
}
