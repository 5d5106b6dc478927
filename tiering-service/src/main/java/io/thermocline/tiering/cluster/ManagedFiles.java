// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
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
 * the start, taken from the NameNode's image and kept up from the audit log, and only those are looked up that may be
 * moved. One thread.
 */
public final class ManagedFiles {

  /*
   * An image says what there is, not where: that is asked for file by file (getfileinfo), and not for those that nobody
   * reads and nobody moved. Such a file has no blocks here, so that nothing is decided on it.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ManagedFiles.class);

  /** Listings between two plans, of directories in which something changed. */
  private static final int MOST_DIRECTORIES = 1_000;

  /** Names in them, after which no further one is begun. */
  private static final int MOST_NAMES = 200_000;

  private final HdfsReader reader;
  private final List<String> roots;
  private final Predicate<String> ignored;
  private final int limit;

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
    private final Bootstrap from;
    private boolean isRead;
    private boolean isLoaded;
    private long readNanos;

    FromImage(Bootstrap from) {
      this.from = from;
    }

    boolean isOver() {
      return isLoaded && from.nanos().getAsLong() - readNanos > from.useFor().toNanos();
    }
  }

  private ManagedFiles(
      HdfsReader reader,
      List<String> roots,
      Predicate<String> ignored,
      int limit,
      FromImage image) {
    this.reader = reader;
    this.roots = List.copyOf(roots);
    this.ignored = ignored;
    this.limit = limit;
    this.image = image;
  }

  /**
   * Listed for each plan.
   *
   * @param roots below which files are managed
   * @param ignored paths of files and directories that are passed over, with all below them
   * @param limit the most files to hold; more is an error, not a silent cut
   */
  public static ManagedFiles listed(
      HdfsReader reader, List<String> roots, Predicate<String> ignored, int limit) {
    return new ManagedFiles(reader, roots, ignored, limit, null);
  }

  /** From an image at first, which is read for the first plan, and listed when that was used for long enough. */
  public static ManagedFiles fromImage(
      HdfsReader reader,
      List<String> roots,
      Predicate<String> ignored,
      int limit,
      Bootstrap bootstrap) {
    return new ManagedFiles(reader, roots, ignored, limit, new FromImage(bootstrap));
  }

  /**
   * The files as they are now.
   *
   * @param mayMove which of those from an image are looked up
   * @param read paths of the hottest files, which may be newer than the image
   * @throws IOException where there are too many, or HDFS or the image can't be read
   */
  public HdfsReader.Listing look(Predicate<FileView> mayMove, Collection<String> read)
      throws IOException {
    if (image != null && image.isOver()) {
      image.from.kept().close();
      image = null;
    }
    if (image == null) {
      return reader.files(roots, ignored, limit);
    }
    if (!image.isLoaded) {
      load();
    }
    catchUp(image.from.kept());
    return located(mayMove, read);
  }

  private void load() throws IOException {
    FirstView view = image.from.view();
    KeptFiles kept = image.from.kept();
    if (!image.isRead) {
      view.read(roots, ignored, limit, kept::add);
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
        List<HdfsReader.Child> children = reader.children(ask.get().path()).orElse(null);
        names += children == null ? 0 : children.size();
        kept.listed(ask.get(), children);
      } catch (IOException e) {
        kept.failed(ask.get());
        throw e;
      }
    }
    if (kept.isFull()) {
      throw new IOException(
          "more than " + limit + " files below " + roots + ": raise manage.maxFiles or name less");
    }
    if (kept.behind() > 0) {
      LOG.info("{} directories are still to be looked at", kept.behind());
    }
  }

  private HdfsReader.Listing located(Predicate<FileView> mayMove, Collection<String> read)
      throws IOException {
    List<FileView> files = new ArrayList<>();
    List<String> moving = new ArrayList<>();
    Set<String> newer = new HashSet<>(read);
    newer.removeIf(path -> !FirstView.isBelow(path, roots) || ignored.test(path));
    image
        .from
        .kept()
        .forEach(
            file -> {
              newer.remove(file.path());
              if (mayMove.test(file)) {
                moving.add(file.path());
              } else {
                files.add(file);
              }
            });
    moving.addAll(newer);
    for (String path : moving) {
      reader.file(path).ifPresent(files::add);
    }
    return new HdfsReader.Listing(files, Set.of());
  }
}
