// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import io.thermocline.testbed.device.DeviceTime;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Replays accesses as real reads, in a closed loop: each client takes the next access, reads the whole
 * file, and goes on, so that faster storage shows as more reads a second. The times of the accesses
 * only order them. Each thread is a user of its own with its own connection.
 */
public final class Replayer {

  /** Clients that keep six slow disks busy, and leave two cores able to serve the fast ones. */
  public static final int DEFAULT_CLIENTS = 12;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final int BUFFER = 64 * 1024;
  private static final List<String> USERS =
      List.of("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi");

  private final ClientFactory clients;
  private final List<WorkloadFile> files;
  private final int threads;
  private final DeviceTime time;

  /**
   * @param files of the workload, which the accesses name by index
   * @param threads clients that read at the same time
   * @param time that the window is measured with
   */
  public Replayer(ClientFactory clients, List<WorkloadFile> files, int threads, DeviceTime time) {
    this.clients = clients;
    this.files = List.copyOf(files);
    this.threads = threads;
    this.time = time;
  }

  /** With {@link #DEFAULT_CLIENTS} on the machine's own time. */
  public Replayer(ClientFactory clients, List<WorkloadFile> files) {
    this(clients, files, DEFAULT_CLIENTS, DeviceTime.system());
  }

  /** The user of each thread, in turn. */
  public static List<String> users() {
    return USERS;
  }

  /**
   * Reads one window of accesses and returns when the last read is done.
   *
   * @param progress in reads, failed ones included
   * @return counts, and every read that failed
   * @throws IOException if a client can't connect
   * @throws InterruptedException if this thread is interrupted: the clients stop in their reads
   */
  public WindowResult replay(List<Access> window, Progress progress)
      throws IOException, InterruptedException {
    Tally tally = new Tally();
    long start = time.nanos();
    ParallelWork.run(
        "replay",
        threads,
        window.size(),
        thread -> new Reader(USERS.get(thread % USERS.size()), window, tally),
        progress);
    double seconds = (time.nanos() - start) / NANOS_PER_SECOND;
    return new WindowResult(
        tally.reads.sum(), tally.bytes.sum(), seconds, List.copyOf(tally.failures));
  }

  private static final class Tally {
    private final LongAdder reads = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final Queue<FailedRead> failures = new ConcurrentLinkedQueue<>();
  }

  private final class Reader implements ParallelWork.Worker {
    private final List<Access> window;
    private final Tally tally;
    private final DistributedFileSystem client;
    private final byte[] buffer = new byte[BUFFER];

    Reader(String user, List<Access> window, Tally tally) throws IOException {
      this.window = window;
      this.tally = tally;
      this.client = clients.connect(user);
    }

    @Override
    public void work(int piece) throws InterruptedException {
      WorkloadFile file = files.get(window.get(piece).file());
      try {
        read(file);
        tally.reads.increment();
      } catch (IOException | RuntimeException e) {
        // A stopped replay also ends in an exception of the stream, which is no failure of HDFS.
        if (Thread.interrupted()) {
          throw new InterruptedException("Stopped while reading " + file.path());
        }
        tally.failures.add(new FailedRead(file.path(), e.toString()));
      }
    }

    private void read(WorkloadFile file) throws IOException {
      long bytes = 0;
      try (InputStream in = client.open(new Path(file.path()))) {
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          bytes += count;
          tally.bytes.add(count);
        }
      }
      if (bytes != file.bytes()) {
        throw new EOFException("%d bytes, not %d".formatted(bytes, file.bytes()));
      }
    }

    @Override
    public void close() throws IOException {
      client.close();
    }
  }
}
