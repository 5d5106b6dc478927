// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.testbed.workload.Zipf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A warehouse that jobs read and write, as their committers do: what is new is written below {@code _temporary},
 * and renamed to where it stays, once; what it replaces is deleted later. docs/evidence/observe.md describes it.
 */
final class LivingNamespace implements AuditPaths {

  private static final int FILES_PER_PARTITION = 16;

  /** Names in the staging directory of a job, which its tasks read. */
  private static final List<String> STAGED = List.of("job.xml", "job.split", "libs.jar");

  private static final int RUNNING_JOBS = 256;
  private static final int USERS = 40;

  /** Partitions that a job reads, at most. */
  private static final int INPUTS = 20;

  /** Replaced data stays for these many commits. */
  private static final int KEPT = 1_000;

  /** Of one task: the partition it writes for, the table of that, the task's number, and its file. */
  private record Output(int partition, String table, long task, String name) {
    String attempt() {
      return "%s/_temporary/0/_temporary/attempt_202611200000_%06d_m_000000_0"
          .formatted(table, task);
    }

    String committed() {
      return "%s/_temporary/0/task_202611200000_%06d_m_000000".formatted(table, task);
    }
  }

  /** Reads partitions, the files of each one after the other, under one user and application. */
  private static final class Job {
    int user;
    int application;
    int inputs;
    int partition;
    int opened;
  }

  private final SplittableRandom random;

  /** Of partitions. */
  private final Zipf popularity;

  /** Of each partition its table and directory; of each file, in the order of partitions, its name. */
  private final String[] tables;

  private final String[] directories;
  private final String[] names;

  private final Deque<Output> written = new ArrayDeque<>();
  private final Deque<Output> committed = new ArrayDeque<>();
  private final Deque<String> replaced = new ArrayDeque<>();
  private final List<String> staging = new ArrayList<>();
  private final Job[] running = new Job[RUNNING_JOBS];
  private Job asking;
  private int stagedFiles;
  private long numbered;
  private String source;
  private String destination;

  /** @param files a multiple of 16, the files of a partition */
  LivingNamespace(int files, SplittableRandom random) {
    this.random = random;
    this.popularity = new Zipf(files / FILES_PER_PARTITION, DataSet.EXPONENT);
    this.tables = new String[files / FILES_PER_PARTITION];
    this.directories = new String[tables.length];
    this.names = new String[tables.length * FILES_PER_PARTITION];
    for (int partition = 0; partition < tables.length; partition++) {
      tables[partition] = DataSet.table(random);
      fill(partition, tables[partition] + "/" + DataSet.day(random));
    }
    for (int i = 0; i < RUNNING_JOBS; i++) {
      running[i] = new Job();
      begin(running[i]);
    }
    stageJob();
  }

  @Override
  public int user() {
    return asking.user;
  }

  @Override
  public int application() {
    return asking.application;
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public String destination() {
    return destination;
  }

  @Override
  public void choose(AuditCommand command) {
    destination = null;
    asking = running[random.nextInt(RUNNING_JOBS)];
    switch (command) {
      case OPEN -> source = random.nextInt(20) == 0 ? staged() : opened(asking);
      case GETFILEINFO ->
          source = random.nextInt(4) == 0 ? anyTable() + "/_SUCCESS" : path(next(asking));
      case LIST_STATUS -> source = directories[asking.partition];
      case CONTENT_SUMMARY -> source = anyTable();
      case SET_PERMISSION -> source = staged();
      case MKDIRS -> source = anyTable() + "/_temporary/0";
      case CREATE -> source = create();
      case RENAME, RENAME2 -> rename();
      case DELETE -> source = delete();
    }
  }

  private void begin(Job job) {
    job.user = random.nextInt(USERS);
    job.application = (int) (numbered++ % 10_000);
    job.inputs = 1 + random.nextInt(INPUTS);
    job.partition = popularity.draw(random);
    job.opened = 0;
  }

  private static int next(Job job) {
    return job.partition * FILES_PER_PARTITION + job.opened;
  }

  /** The file that a job reads now; behind the last of its last input another job takes its place. */
  private String opened(Job job) {
    String path = path(next(job));
    if (++job.opened == FILES_PER_PARTITION) {
      job.opened = 0;
      job.partition = popularity.draw(random);
      if (--job.inputs == 0) {
        begin(job);
      }
    }
    return path;
  }

  private String create() {
    int kind = random.nextInt(100);
    if (kind < 35) {
      Output output = newOutput();
      written.add(output);
      return output.attempt() + "/" + output.name;
    }
    if (kind < 40) {
      // Written anew where it is.
      return path(random.nextInt(names.length));
    }
    if (stagedFiles == STAGED.size()) {
      stageJob();
    }
    return staging.get(staging.size() - 1) + "/" + STAGED.get(stagedFiles++);
  }

  private Output newOutput() {
    int partition = random.nextInt(tables.length);
    return new Output(partition, tables[partition], numbered, DataSet.file(numbered++, random));
  }

  private void stageJob() {
    staging.add(
        "/user/user%d/.staging/job_1795000000000_%06d"
            .formatted(random.nextInt(USERS), numbered++));
    stagedFiles = 0;
  }

  private void rename() {
    if (random.nextInt(20) == 0) {
      renameWhatIsRead();
    } else if (written.size() > committed.size() || committed.isEmpty()) {
      commitTask();
    } else {
      commitJob();
    }
  }

  /** Moves the output of an attempt, a directory, to that of its task. */
  private void commitTask() {
    Output output = written.isEmpty() ? newOutput() : written.remove();
    committed.add(output);
    source = output.attempt();
    destination = output.committed();
  }

  /** Moves a file into a partition that there is, or a whole directory to where a new partition begins. */
  private void commitJob() {
    Output output = committed.remove();
    int partition = output.partition;
    if (random.nextBoolean()) {
      int file = partition * FILES_PER_PARTITION + random.nextInt(FILES_PER_PARTITION);
      replaced.add(path(file));
      names[file] = output.name;
      source = output.committed() + "/" + output.name;
      destination = path(file);
    } else {
      replaced.add(directories[partition]);
      fill(partition, tables[partition] + "/" + DataSet.day(random) + "-" + numbered++);
      source = output.committed();
      destination = directories[partition];
    }
  }

  /** An archive takes a partition, or a file is given another name. */
  private void renameWhatIsRead() {
    int file = random.nextInt(names.length);
    int partition = file / FILES_PER_PARTITION;
    if (random.nextBoolean()) {
      source = path(file);
      names[file] = DataSet.file(numbered++, random);
      destination = path(file);
    } else {
      source = directories[partition];
      directories[partition] = "/archive/%d/%s".formatted(numbered++, DataSet.day(random));
      destination = directories[partition];
    }
  }

  private String delete() {
    int kind = random.nextInt(100);
    if (kind < 45 && replaced.size() > KEPT) {
      return replaced.remove();
    }
    if (kind < 85 && staging.size() > RUNNING_JOBS) {
      return staging.remove(0);
    }
    return anyTable() + "/_temporary";
  }

  private void fill(int partition, String directory) {
    directories[partition] = directory;
    for (int i = 0; i < FILES_PER_PARTITION; i++) {
      names[partition * FILES_PER_PARTITION + i] = DataSet.file(numbered++, random);
    }
  }

  private String path(int file) {
    return directories[file / FILES_PER_PARTITION] + "/" + names[file];
  }

  private String anyTable() {
    return tables[random.nextInt(tables.length)];
  }

  /** A file that was written for the tasks of a job that runs. */
  private String staged() {
    int newest = staging.size() - 1;
    int job = newest - random.nextInt(staging.size());
    int files = job == newest ? Math.max(1, stagedFiles) : STAGED.size();
    return staging.get(job) + "/" + STAGED.get(random.nextInt(files));
  }
}
