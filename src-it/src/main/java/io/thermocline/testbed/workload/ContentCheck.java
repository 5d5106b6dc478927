// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.CallerContext;

/**
 * Reads every file through HDFS and compares it with what was written: length, CRC-32C, replication,
 * and how many replicas each block has. Its opens are real ones in the audit log; they carry the
 * caller context {@link #CALLER_CONTEXT}, and the locations are asked for without an open.
 */
public final class ContentCheck {

  /** Tells these reads from those of a workload. */
  public static final String CALLER_CONTEXT = "thermocline-content-check";

  private final ClientFactory clients;
  private final String user;
  private final int threads;
  private final int replication;

  /**
   * @param user who reads
   * @param threads clients that read at the same time
   * @param replication that every file should have
   */
  public ContentCheck(ClientFactory clients, String user, int threads, int replication) {
    this.clients = clients;
    this.user = user;
    this.threads = threads;
    this.replication = replication;
  }

  /**
   * Checks all files, also after a mismatch. A file that can't be read is a mismatch.
   *
   * @param progress in files
   * @return by path; empty if all is well
   * @throws IOException if no client can connect
   */
  public List<Mismatch> check(List<WorkloadFile> files, Progress progress)
      throws IOException, InterruptedException {
    Queue<Mismatch> found = new ConcurrentLinkedQueue<>();
    ParallelWork.run(
        "content-check", threads, files.size(), thread -> new Reader(files, found), progress);
    return found.stream().sorted(Comparator.comparing(Mismatch::path)).toList();
  }

  private final class Reader implements ParallelWork.Worker {
    private final List<WorkloadFile> files;
    private final Queue<Mismatch> found;
    private final DistributedFileSystem client;

    Reader(List<WorkloadFile> files, Queue<Mismatch> found) throws IOException {
      this.files = files;
      this.found = found;
      this.client = clients.connect(user);
      CallerContext.setCurrent(new CallerContext.Builder(CALLER_CONTEXT).build());
    }

    @Override
    public void work(int piece) throws InterruptedException {
      WorkloadFile file = files.get(piece);
      try {
        problems(file).forEach(problem -> found.add(new Mismatch(file.path(), problem)));
      } catch (IOException e) {
        if (Thread.interrupted()) {
          throw new InterruptedException("Stopped while reading " + file.path());
        }
        found.add(new Mismatch(file.path(), "can't be read: " + e));
      }
    }

    private List<String> problems(WorkloadFile file) throws IOException {
      List<String> problems = new ArrayList<>();
      HdfsLocatedFileStatus status = client.getClient().getLocatedFileInfo(file.path(), false);
      if (status == null) {
        return List.of("does not exist");
      }
      if (status.getReplication() != replication) {
        problems.add("replication is %d, not %d".formatted(status.getReplication(), replication));
      }
      for (LocatedBlock block : status.getLocatedBlocks().getLocatedBlocks()) {
        if (block.isCorrupt() || block.getLocations().length != replication) {
          problems.add(
              "%s has %d replicas, not %d%s"
                  .formatted(
                      block.getBlock().getLocalBlock(),
                      block.getLocations().length,
                      replication,
                      block.isCorrupt() ? ", and is corrupt" : ""));
        }
      }
      compareContent(file, problems);
      return problems;
    }

    private void compareContent(WorkloadFile file, List<String> problems) throws IOException {
      CRC32C crc = new CRC32C();
      long bytes;
      try (InputStream in = client.open(new Path(file.path()))) {
        bytes = FileContents.update(crc, in);
      }
      if (bytes != file.bytes()) {
        problems.add("has %d bytes, not %d".formatted(bytes, file.bytes()));
      }
      long expected = FileContents.crc32c(file);
      if (crc.getValue() != expected) {
        problems.add("has CRC-32C %08x, not %08x".formatted(crc.getValue(), expected));
      }
    }

    @Override
    public void close() throws IOException {
      CallerContext.setCurrent(null);
      client.close();
    }
  }
}
