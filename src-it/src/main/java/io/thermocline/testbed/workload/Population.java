// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Writes the files of a workload, as one user, with several clients at once. */
public final class Population {

  private static final short DIRECTORY_MODE = 0755;

  private final DistributedFileSystem superuser;
  private final ClientFactory clients;
  private final String owner;
  private final int threads;

  /**
   * @param superuser makes the top directories and gives them to the owner
   * @param threads clients that write at the same time
   */
  public Population(
      DistributedFileSystem superuser, ClientFactory clients, String owner, int threads) {
    this.superuser = superuser;
    this.clients = clients;
    this.owner = owner;
    this.threads = threads;
  }

  /**
   * Writes all files, which must not exist.
   *
   * @param progress in files
   * @throws IOException the first write that failed
   */
  public void write(List<WorkloadFile> files, Progress progress)
      throws IOException, InterruptedException {
    for (String top : topDirectories(files)) {
      Path directory = new Path("/" + top);
      superuser.mkdirs(directory, FsPermission.createImmutable(DIRECTORY_MODE));
      superuser.setOwner(directory, owner, null);
    }
    ParallelWork.run("population", threads, files.size(), thread -> new Writer(files), progress);
  }

  private static Set<String> topDirectories(List<WorkloadFile> files) {
    return files.stream()
        .map(file -> file.path().split("/", 3))
        .filter(parts -> parts.length == 3)
        .map(parts -> parts[1])
        .collect(Collectors.toSet());
  }

  private final class Writer implements ParallelWork.Worker {
    private final List<WorkloadFile> files;
    private final DistributedFileSystem client;

    Writer(List<WorkloadFile> files) throws IOException {
      this.files = files;
      this.client = clients.connect(owner);
    }

    @Override
    public void work(int piece) throws IOException {
      WorkloadFile file = files.get(piece);
      try (OutputStream out = client.create(new Path(file.path()), false)) {
        FileContents.writeTo(out, file);
      }
    }

    @Override
    public void close() throws IOException {
      client.close();
    }
  }
}
