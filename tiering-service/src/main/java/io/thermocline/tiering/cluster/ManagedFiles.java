// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.Paths;
import io.thermocline.tiering.observe.image.FirstView;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that plans are made of. They are listed for each plan, with where every replica lies; or, for some time after
 * the start, taken from the NameNode's image and kept up from the audit log, and only those are looked up that a plan may
 * be about. One thread.
 */
public final class ManagedFiles {

  /*
   * An image says what there is, not where: that is asked for file by file (getfileinfo), of those that are selected.
   * Since each of them is looked up anew for each plan, one that the audit log hasn't told of yet is seen as it is now.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ManagedFiles.class);

  /** Listings between two plans, of directories in which something changed. */
  private static final int MOST_DIRECTORIES = 1_000;

  /** Names in them, after which no further one is begun. */
  private static final int MOST_NAMES = 200_000;

  private final NamespaceView reader;
  private final List<String> roots;
  private final Predicate<String> ignored;

  /** Null where files are listed. */
  private FromImage image;

  /** What audit logs still have of the past. */
  @FunctionalInterface
  public interface History {
    /**
     * Hands on what changed since a time, in milliseconds since 1970, and perhaps somewhat more.
     *
     * @return whether the logs reach back so far
     */
    boolean since(long millis, Consumer<? super Access> sink) throws IOException;
  }

  /**
   * Where files come from at first.
   *
   * @param kept what the audit log keeps up; filled out of the image
   * @param useFor at least the first plan is made from it
   * @param nanos monotonic
   */
  public record Bootstrap(
      FirstView view, KeptFiles kept, History history, Duration useFor, LongSupplier nanos) {}

  private static final class FromImage {
    private final HdfsReader hdfs;
    private final Bootstrap from;
    private boolean isRead;
    private boolean isLoaded;
    private long readNanos;

    FromImage(HdfsReader hdfs, Bootstrap from) {
      this.hdfs = hdfs;
      this.from = from;
    }

    boolean isOver() {
      return isLoaded && from.nanos().getAsLong() - readNanos > from.useFor().toNanos();
    }
  }

  private ManagedFiles(
      NamespaceView reader, List<String> roots, Predicate<String> ignored, FromImage image) {
    this.reader = reader;
    this.roots = List.copyOf(roots);
    this.ignored = ignored;
    this.image = image;
  }

  /**
   * Listed for each plan.
   *
   * @param roots below which files are managed
   * @param ignored paths of files and directories that are passed over, with all below them
   */
  public static ManagedFiles listed(
      NamespaceView reader, List<String> roots, Predicate<String> ignored) {
    return new ManagedFiles(reader, roots, ignored, null);
  }

  /** From an image at first, which is read for the first plan, and listed when that was used for long enough. */
  public static ManagedFiles fromImage(
      HdfsReader reader, List<String> roots, Predicate<String> ignored, Bootstrap bootstrap) {
    return new ManagedFiles(reader, roots, ignored, new FromImage(reader, bootstrap));
  }

  /** As of {@link NamespaceView#unreadable}. */
  public Set<String> unreadable() {
    return reader.unreadable();
  }

  /** Whether a file of this path would be managed. */
  public boolean contains(String path) {
    return Paths.isAtOrBelowAny(path, roots) && !ignored.test(path);
  }

  /**
   * Shows all files as they are now to a selection.
   *
   * @param read paths of the hottest files, which may be newer than the image
   * @return those that were selected, with where they lie
   * @throws IOException where HDFS or the image can't be read
   */
  public HdfsReader.Listing look(Selection selection, Collection<String> read) throws IOException {
    if (image != null && image.isOver()) {
      image.from.kept().close();
      image = null;
    }
    if (image == null) {
      Set<String> whole = reader.pass(roots, ignored, selection::pass);
      return new HdfsReader.Listing(selection.selected(), selection.isAll() ? whole : Set.of());
    }
    if (!image.isLoaded) {
      load();
    }
    catchUp(image.from.kept());
    return located(selection, read);
  }

  private void load() throws IOException {
    FirstView view = image.from.view();
    KeptFiles kept = image.from.kept();
    if (!image.isRead) {
      view.read(roots, ignored, kept::add);
      image.isRead = true;
    }
    view.openFiles().forEach(kept::doubt);
    boolean reaches = image.from.history().since(view.changedMillis(), kept::doubt);
    kept.load();
    image.isLoaded = true;
    image.readNanos = image.from.nanos().getAsLong();
    LOG.info(
        "files below {} were found in the image of {}; listing them from {} s on",
        roots,
        Instant.ofEpochMilli(view.changedMillis()),
        image.from.useFor().toSeconds());
    if (!reaches) {
      LOG.warn(
          "the audit logs don't reach back to the image: what changed before they begin is seen when"
              + " files are listed, or when it is read");
    }
  }

  /** Looks at directories of which lines said that something in them changed, but not what. */
  private void catchUp(KeptFiles kept) throws IOException {
    int names = 0;
    for (int i = 0; i < MOST_DIRECTORIES && names < MOST_NAMES; i++) {
      Optional<KeptFiles.Ask> ask = kept.next();
      if (ask.isEmpty()) {
        break;
      }
      try {
        List<HdfsReader.Child> children = image.hdfs.children(ask.get().path()).orElse(null);
        names += children == null ? 0 : children.size();
        kept.listed(ask.get(), children);
      } catch (IOException e) {
        kept.failed(ask.get());
        throw e;
      }
    }
    if (kept.behind() > 0) {
      LOG.info("{} directories are still to be looked at", kept.behind());
    }
  }

  private HdfsReader.Listing located(Selection selection, Collection<String> read)
      throws IOException {
    Set<String> newer = new HashSet<>(read);
    newer.removeIf(path -> !contains(path));
    image
        .from
        .kept()
        .forEach(
            file -> {
              newer.remove(file.path());
              selection.pass(file);
            });
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
