// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.choice.DataNodeProbe;
import io.thermocline.hints.choice.Pages;
import io.thermocline.hints.choice.hdfs.PublishedTable;
import io.thermocline.hints.client.HintAnswer;
import io.thermocline.hints.client.HintClient;
import io.thermocline.hints.client.HintClientSettings;
import io.thermocline.hints.client.ServiceException;
import io.thermocline.hints.redirect.hdfs.GroupReads;
import io.thermocline.placement.model.SystemRuntime;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the configuration says of files, told to the service. Safe for any thread. Nothing here
 * waits for the service, unless it is strict, and nothing throws, unless it is strict.
 */
final class FileHints implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FileHints.class);

  private final FileSystemSettings settings;
  private final String user;
  private final LongSupplier clock;

  /** Null where no service is configured. */
  private final HintClient client;

  /** Null where there is nobody to ask. */
  private final QueueWatch queue;

  /** Null until there is a file system, and where no file's servers are chosen. */
  private volatile FavoredServers favored;

  /** Null until there is a file system. */
  private volatile PoliciesAbove above;

  private final StagedPolicies staged = new StagedPolicies();
  private final RecentHints recent = new RecentHints();
  private final AtomicLong failures = new AtomicLong();

  FileHints(FileSystemSettings settings, String user, LongSupplier clock) throws IOException {
    this.settings = settings;
    this.user = user;
    this.clock = clock;
    if (!settings.problems().isEmpty()) {
      failed("configuration", new IOException(String.join("; ", settings.problems())));
    }
    HintClient made = null;
    try {
      made = settings.service().isEmpty() ? null : connect();
    } catch (IOException | RuntimeException e) {
      failed("configuration", e);
    }
    this.client = made;
    if (made != null) {
      UnsentHints.watch(made);
    }
    this.queue =
        made == null
            ? null
            : new QueueWatch(made.service(), settings.redirectRefreshMillis(), clock);
  }

  @SystemRuntime
  static FileHints of(Configuration conf, String user) throws IOException {
    return new FileHints(FileSystemSettings.of(conf), user, System::currentTimeMillis);
  }

  private HintClient connect() throws IOException {
    return new HintClient(
        settings.serviceClient(user),
        user,
        HintClientSettings.DEFAULT.queueLength(settings.queueLength()),
        clock);
  }

  /** Where opens are led to, by the configuration; nowhere else by default. */
  OpenRedirect openRedirect(Configuration conf) throws IOException {
    try {
      Class<? extends OpenRedirect> type = settings.openRedirect();
      if (type != null) {
        return ReflectionUtils.newInstance(type, conf);
      }
    } catch (RuntimeException | LinkageError e) {
      failed("configuration", e);
    }
    return path -> path;
  }

  /** Chooses servers from now on, by the configuration. */
  void chooseFrom(DistributedFileSystem fs) throws IOException {
    if (settings.hasChosen()) {
      try {
        favored =
            new FavoredServers(
                new PublishedTable(fs, new Path(settings.choiceTable())),
                settings.choiceCandidates(),
                settings.choiceRefreshMillis(),
                new DataNodeProbe(
                    Pages.overHttp(settings.timeoutMillis()),
                    (server, e) -> failures.incrementAndGet()),
                clock);
      } catch (RuntimeException | LinkageError e) {
        failed("configuration", e);
      }
    }
  }

  /** The DataNodes to create a file on; null for where HDFS puts it. */
  InetSocketAddress[] serversFor(Path file, int replicas) throws IOException {
    try {
      String path = file.toUri().getPath();
      return favored == null || !settings.isChosen(path)
          ? null
          : favored.forFile(path, replicas, settings.choicePolicy());
    } catch (RuntimeException | LinkageError e) {
      failed("choice of servers for " + file, e);
      return null;
    }
  }

  /** Reads out of group files; null where the configuration names no directory of them. */
  @SystemRuntime
  GroupReads groupReads(DFSClient hdfs) throws IOException {
    try {
      return settings.groups().isEmpty()
          ? null
          : new GroupReads(
              hdfs, new Path(settings.groups()), settings.groupLimits(), System::nanoTime);
    } catch (RuntimeException | LinkageError e) {
      failed("configuration", e);
      return null;
    }
  }

  /** Has HDFS asked whether somebody chose a policy, from now on. */
  void lookBy(PoliciesAbove.Look look) {
    above = new PoliciesAbove(look, settings.redirectRefreshMillis(), clock);
  }

  /**
   * The storage policy to create a file with; null for whatever it would have, such as what somebody set on a directory
   * above.
   */
  String policyFor(Path file) throws IOException {
    PathRule rule = rule(file, PathRule.Moment.CREATE);
    boolean isRedirected =
        rule != null && (!rule.waitsForQueue() || queue != null && queue.isLong());
    String policy = isRedirected ? settings.policies().get(rule.requirement()) : null;
    try {
      return policy == null
              || above != null && above.isSet(PathRule.lastingDirectory(file.toUri().getPath()))
          ? null
          : policy;
    } catch (IOException | RuntimeException | LinkageError e) {
      failed("policies above " + file, e);
      return null;
    }
  }

  /**
   * Tells the service of a file that was created.
   *
   * @param policy that it got for it; null for none
   */
  void created(Path file, String policy) throws IOException {
    PathRule rule = rule(file, PathRule.Moment.CREATE);
    if (rule != null) {
      if (rule.waitsForQueue() && PathRule.isStaged(file.toUri().getPath())) {
        staged.created(file.toUri().getPath(), policy);
      }
      // The service must know who set the policy, or it would respect it as somebody's wish.
      tell(rule, policy == null ? rule.operation() : Operation.REDIRECT, file);
    }
  }

  /**
   * As {@link #created} for one that will exist when the hint arrives; not where that is waited
   * for.
   */
  void toBeCreated(Path file, String policy) {
    try {
      if (!settings.isStrict()) {
        created(file, policy);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("only strict hints throw", e);
    }
  }

  /**
   * Tells the service of a file that a job committed, by its name from now on: a hint by the name
   * it was written under may come too late. Where a whole directory was committed the service
   * refuses a hint that is meant for files, which is counted; strict hints say nothing here.
   */
  void renamed(Path from, Path to) {
    try {
      if (!PathRule.isStaged(from.toUri().getPath())) {
        return;
      }
      staged.renamed(from.toUri().getPath(), to.toUri().getPath());
      if (!settings.isStrict() && !PathRule.isStaged(to.toUri().getPath())) {
        PathRule rule = rule(to, PathRule.Moment.CREATE);
        boolean isAskedAgain = rule == null || !rule.waitsForQueue();
        created(to, isAskedAgain ? policyFor(to) : staged.committed(to.toUri().getPath()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("only strict hints throw", e);
    }
  }

  /** Orders the replicas of an opened file as the configuration says. */
  void order(Path file, FSDataInputStream in) throws IOException {
    try {
      settings.readOrder().sort(in);
    } catch (IOException | RuntimeException | LinkageError e) {
      failed("read order of " + file, e);
    }
  }

  /** Tells the service of a file that was opened. */
  void opened(Path file) throws IOException {
    PathRule rule = rule(file, PathRule.Moment.OPEN);
    if (rule != null) {
      tell(rule, rule.operation(), file);
    }
  }

  private PathRule rule(Path file, PathRule.Moment moment) {
    if (settings.rules().isEmpty()) {
      return null;
    }
    String path = file.toUri().getPath();
    for (PathRule rule : settings.rules()) {
      if (rule.speaksOf(path, moment)) {
        return rule;
      }
    }
    return null;
  }

  private void tell(PathRule rule, Operation operation, Path file) throws IOException {
    if (client == null) {
      return;
    }
    try {
      String target = rule.target(file.toUri().getPath());
      long now = clock.getAsLong();
      if (!recent.isDue(operation + target, now, rule.leaseMillis())) {
        return;
      }
      Hint hint =
          rule.on(operation, target)
              .owner(user)
              .leaseExpiryMillis(now + rule.leaseMillis())
              .build();
      if (settings.isStrict()) {
        tellAndWait(rule, hint, now);
      } else {
        client.give(hint);
      }
    } catch (RuntimeException | LinkageError e) {
      failed("rule " + rule.name(), e);
    }
  }

  private void tellAndWait(PathRule rule, Hint hint, long now) throws IOException {
    HintAnswer answer = client.service().give(Collections.singletonList(hint), now, false).get(0);
    if (!answer.isTaken()) {
      throw new ServiceException(
          answer.error(),
          "rule " + rule.name() + " for " + hint.target() + ": " + answer.message());
    }
  }

  /**
   * Counts what went wrong in here; the first is logged.
   *
   * @throws IOException with it, where hints are strict
   */
  void failed(String what, Throwable problem) throws IOException {
    if (settings.isStrict()) {
      throw problem instanceof IOException
          ? (IOException) problem
          : new IOException("hints, " + what + ": " + problem.getMessage(), problem);
    }
    if (failures.getAndIncrement() == 0) {
      LOG.warn(
          "hints, {}: left out, and so are others without a word: {}", what, problem.toString());
    }
  }

  /** What went wrong in here, and was left out. */
  long failures() {
    return failures.get();
  }

  /** Null where no service is configured. */
  HintClient client() {
    return client;
  }

  @Override
  public void close() {
    if (favored != null) {
      favored.close();
    }
    if (queue != null) {
      queue.close();
    }
    if (client != null) {
      client.close();
      if (client.counts().given() > 0) {
        LOG.info("hints: {}", client.counts());
      }
    }
  }
}
