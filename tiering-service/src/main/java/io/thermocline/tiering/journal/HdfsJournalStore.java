// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal in a directory of HDFS, fenced by HDFS's leases: whoever opens it takes the lease of the last segment, so
 * that whoever wrote that can't any more, and begins the next, of a number that nobody else can then begin.
 */
public final class HdfsJournalStore implements JournalStore {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsJournalStore.class);
  private static final int MOST_TRIES = 100;

  /** Who could write it could have the service take back what he likes. */
  private static final FsPermission OURS_ALONE = new FsPermission((short) 0700);

  private final DistributedFileSystem fileSystem;
  private final Path directory;
  private final Wait wait;

  /** Of the segment that we write; 0 where we only read. */
  private long number;

  /** Null after a failure, until the next segment is begun. */
  private FSDataOutputStream out;

  /** Whether no line of the segment that we write is known to have got there. */
  private boolean isEmpty;

  /** The seam for waiting. */
  @FunctionalInterface
  public interface Wait {
    void pause(Duration duration) throws InterruptedException;
  }

  private HdfsJournalStore(DistributedFileSystem fileSystem, Path directory, Wait wait) {
    this.fileSystem = fileSystem;
    this.directory = directory;
    this.wait = wait;
  }

  /**
   * Takes the journal over from whoever writes it. Takes as long as the DataNodes need to agree on the last block:
   * about one heartbeat where a writer was killed.
   */
  public static HdfsJournalStore open(DistributedFileSystem fileSystem, Path directory, Wait wait)
      throws IOException {
    HdfsJournalStore store = new HdfsJournalStore(fileSystem, directory, wait);
    fileSystem.mkdirs(directory, OURS_ALONE);
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      long last = SegmentNames.last(store.segments());
      if (last > 0) {
        recoverLease(fileSystem, store.path(last), wait);
      }
      try {
        store.begin(last + 1);
        return store;
      } catch (FileAlreadyExistsException e) {
        LOG.info("{} was begun meanwhile: taking that over", store.path(last + 1));
      }
    }
    throw new IOException(
        directory + ": others begin segments all the time. Run one service with this journal.");
  }

  /** The journal of a directory that another process may write; nothing can be appended to it. */
  public static HdfsJournalStore reading(DistributedFileSystem fileSystem, Path directory) {
    return new HdfsJournalStore(fileSystem, directory, duration -> {});
  }

  /**
   * Asks HDFS to close the last segment, and doesn't wait until it has. Whoever writes it goes on in a segment after it,
   * unless another has begun that.
   */
  public static void closeLast(DistributedFileSystem fileSystem, Path directory)
      throws IOException {
    HdfsJournalStore store = reading(fileSystem, directory);
    long last = SegmentNames.last(store.segments());
    if (last > 0) {
      fileSystem.recoverLease(store.path(last));
    }
  }

  /**
   * Closes a file that somebody may have open, so that they can't write it any more.
   *
   * @throws IOException where the DataNodes with its last block can't be reached for long
   */
  public static void recoverLease(DistributedFileSystem fileSystem, Path file, Wait wait)
      throws IOException {
    try {
      for (int tries = 0; !fileSystem.recoverLease(file); tries++) {
        if (tries == 20) {
          LOG.info(
              "HDFS is closing {}, which a service that ended had open: waiting up to {} s more",
              file,
              MOST_TRIES);
        }
        if (tries == 10 * MOST_TRIES) {
          throw new IOException(
              file + " can't be closed: no DataNode that has its last block answers the NameNode");
        }
        wait.pause(Duration.ofMillis(100));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while closing " + file, e);
    }
  }

  /**
   * The number is ours once the NameNode has the file, and has none of a higher number: whoever took the journal over may
   * have deleted the next one long ago.
   *
   * @throws FileAlreadyExistsException where the number isn't ours; nothing of it is left then
   */
  private void begin(long next) throws IOException {
    FSDataOutputStream begun = create(path(next));
    if (SegmentNames.last(segments()) > next) {
      abandon(begun);
      fileSystem.delete(path(next), false);
      throw new FileAlreadyExistsException(path(next) + " was begun by another service before");
    }
    begun.hflush();
    out = begun;
    number = next;
    isEmpty = true;
  }

  private FSDataOutputStream create(Path segment) throws IOException {
    try {
      return fileSystem.create(segment, false);
    } catch (RemoteException e) {
      // What HDFS says where the other one still has it open.
      if (e.unwrapRemoteException() instanceof AlreadyBeingCreatedException) {
        throw (IOException) new FileAlreadyExistsException(segment.toString()).initCause(e);
      }
      throw e;
    }
  }

  private Path path(long of) {
    return new Path(directory, SegmentNames.of(of));
  }

  @Override
  public List<String> segments() throws IOException {
    List<String> names = new ArrayList<>();
    try {
      for (FileStatus file : fileSystem.listStatus(directory)) {
        String path = file.getPath().toUri().getPath();
        if (SegmentNames.isNumbered(path)) {
          names.add(path);
        }
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    names.sort(null);
    return names;
  }

  @Override
  public InputStream read(String segment) throws IOException {
    return fileSystem.open(new Path(segment));
  }

  @Override
  public void append(byte[] lines) throws IOException {
    if (out == null) {
      beginAfterFailure();
    }
    write(lines);
  }

  @Override
  public void sync() throws IOException {
    if (out != null) {
      out.hsync();
    }
  }

  @Override
  public void roll(byte[] head) throws IOException {
    if (out != null) {
      out.close();
      out = null;
    }
    beginAfterFailure();
    write(head);
    out.hsync();
  }

  private void write(byte[] lines) throws IOException {
    try {
      out.write(lines);
      out.hflush();
      isEmpty = false;
    } catch (IOException e) {
      // A stream that has failed fails for good.
      FSDataOutputStream failed = out;
      out = null;
      abandon(failed);
      requireUnfenced(e);
      if (isEmpty) {
        discard();
      }
      throw e;
    }
  }

  /**
   * While HDFS has no room each try would leave an empty segment. The number stays ours: who takes
   * over meanwhile has a higher one by the time that we begin it again, or it is taken.
   */
  private void discard() {
    try {
      if (fileSystem.delete(path(number), false)) {
        number--;
      }
    } catch (IOException e) {
      LOG.debug("an empty segment stays", e);
    }
  }

  private void requireUnfenced(IOException cause) throws IOException {
    long last;
    try {
      last = SegmentNames.last(segments());
    } catch (IOException e) {
      cause.addSuppressed(e);
      return;
    }
    if (last > number) {
      throw fenced(cause);
    }
  }

  private FencedException fenced(IOException cause) {
    return new FencedException(
        "another service took the journal over: it goes on after " + path(number), cause);
  }

  private static void abandon(FSDataOutputStream failed) {
    try {
      failed.close();
    } catch (IOException e) {
      LOG.debug("closing a segment that failed", e);
    }
  }

  private void beginAfterFailure() throws IOException {
    try {
      begin(number + 1);
    } catch (FileAlreadyExistsException e) {
      throw fenced(e);
    }
  }

  @Override
  public void delete(String segment) throws IOException {
    fileSystem.delete(new Path(segment), false);
  }

  @Override
  public void close() throws IOException {
    if (out != null) {
      out.close();
    }
  }
}
