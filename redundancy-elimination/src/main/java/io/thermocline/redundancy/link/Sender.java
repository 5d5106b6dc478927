// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import io.thermocline.redundancy.content.FileKind;
import io.thermocline.redundancy.flow.ChunkingPolicy;
import io.thermocline.redundancy.flow.ChunkingRecord;
import io.thermocline.redundancy.flow.ChunkingRule;
import io.thermocline.redundancy.flow.FlowKey;
import io.thermocline.redundancy.flow.FlowTable;
import io.thermocline.redundancy.index.TenantKey;
import io.thermocline.redundancy.link.SenderSession.Content;
import io.thermocline.redundancy.link.SenderSession.Small;
import io.thermocline.redundancy.work.WorkerPool;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Copies files over several connections, and tries again what failed for the moment. */
public final class Sender {

  private static final int MAX_LISTED = 100;

  /** Small files that are read at a time. */
  private static final int MAX_TOGETHER = 64;

  /** Opens a connection to the gateway. */
  public interface Connector {
    Socket connect() throws IOException;
  }

  /** Waits between attempts. */
  public interface Pause {
    void millis(long millis) throws InterruptedException;
  }

  /**
   * What comes from the machine.
   *
   * @param millis a clock
   * @param nanos a clock, for how long processing takes
   * @param nonces random, 16 bytes each
   */
  public record Runtime(
      LongSupplier millis, LongSupplier nanos, Pause pause, Supplier<byte[]> nonces) {}

  /**
   * How to copy.
   *
   * @param application caller context or job, of all files
   * @param destination host and port of the gateway
   * @param attempts of each file
   * @param pauseMillis before the second attempt; twice as long before each further one
   */
  public record Settings(
      String application, String destination, int connections, int attempts, long pauseMillis) {}

  /** A file to copy. */
  public record Item(String path, String directory, Content content) {}

  /**
   * What became of all files.
   *
   * @param problems one line for each of the first hundred files that aren't there
   */
  public record Report(
      long copied, long present, long failed, ChunkingRecord sent, List<String> problems) {}

  private static final class Attempt {
    final Item item;
    int failures;

    /** Whether it isn't copied together with others. */
    boolean alone;

    Attempt(Item item) {
      this.item = item;
    }
  }

  private final Connector connector;
  private final TenantKey key;
  private final FlowTable flows;
  private final WorkerPool workers;
  private final Settings settings;
  private final Runtime runtime;
  private final Consumer<String> progress;

  private final Deque<Attempt> waiting = new ArrayDeque<>();
  private final List<String> problems = new ArrayList<>();
  private ChunkingRecord sent = ChunkingRecord.NOTHING;
  private long copied;
  private long present;
  private long failed;

  /**
   * @param progress hears of each file, a line each
   */
  public Sender(
      Connector connector,
      TenantKey key,
      FlowTable flows,
      WorkerPool workers,
      Settings settings,
      Runtime runtime,
      Consumer<String> progress) {
    this.connector = connector;
    this.key = key;
    this.flows = flows;
    this.workers = workers;
    this.settings = settings;
    this.runtime = runtime;
    this.progress = progress;
  }

  /** Once. */
  public Report send(List<Item> items) throws InterruptedException {
    items.forEach(item -> waiting.add(new Attempt(item)));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Math.min(settings.connections(), items.size()); i++) {
      Thread thread = new Thread(this::copyAll, "sender-" + i);
      thread.start();
      threads.add(thread);
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      throw e;
    }
    return new Report(copied, present, failed, sent, List.copyOf(problems));
  }

  private void copyAll() {
    SenderSession session = null;
    try {
      for (Attempt next = next(); next != null; next = next()) {
        try {
          if (session == null) {
            session =
                SenderSession.begin(
                    new Connection(connector.connect()),
                    key,
                    runtime.nonces().get(),
                    runtime.nanos());
          }
          if (isSmall(next)) {
            try {
              copySmall(session, next);
            } catch (IOException e) {
              // Each of those that are left is tried alone, and then says what is wrong.
              close(session);
              session = null;
            }
          } else {
            copy(session, next.item);
          }
        } catch (IOException e) {
          close(session);
          session = null;
          failed(next, e);
        }
      }
    } catch (InterruptedException e) {
      // The files that are left were not copied.
    } finally {
      close(session);
    }
  }

  private static boolean isSmall(Attempt attempt) {
    long length = attempt.item.content().length();
    return !attempt.alone && length > 0 && length <= SenderSession.MAX_SMALL;
  }

  /** With small files that wait, so that many are under way at a time. */
  private void copySmall(SenderSession session, Attempt first)
      throws IOException, InterruptedException {
    List<Attempt> attempts = new ArrayList<>();
    List<Small> files = new ArrayList<>();
    Set<Attempt> left = new LinkedHashSet<>();
    try {
      for (Attempt next = first; next != null; next = nextSmall(attempts.size())) {
        left.add(next);
        byte[] data = data(next.item);
        if (data != null) {
          attempts.add(next);
          FlowKey flow = flow(next.item, FileKind.of(data, Math.min(data.length, FileKind.SAMPLE)));
          ChunkingRule rule = flows.rule(flow, runtime.millis().getAsLong());
          files.add(new Small(next.item.path(), data, rule, monitor(flow)));
        }
      }
      session.put(
          files,
          (result, index) -> {
            if (result != null) {
              left.remove(attempts.get(index));
              done(attempts.get(index).item, result);
            }
          });
    } finally {
      left.forEach(this::putBack);
    }
  }

  /** The whole file; null if it isn't as it was. */
  private static byte[] data(Item item) throws IOException {
    int length = (int) item.content().length();
    try (InputStream in = item.content().open()) {
      byte[] data = in.readNBytes(length);
      return data.length == length && item.content().isUnchanged() ? data : null;
    }
  }

  private synchronized Attempt nextSmall(int taken) {
    Attempt next = waiting.peek();
    return taken < MAX_TOGETHER && next != null && isSmall(next) ? waiting.remove() : null;
  }

  private synchronized void putBack(Attempt attempt) {
    if (!attempt.alone) {
      attempt.alone = true;
      waiting.addFirst(attempt);
    }
  }

  private FlowKey flow(Item item, FileKind kind) {
    return new FlowKey(settings.application(), item.directory(), kind, settings.destination());
  }

  private Consumer<ChunkingRecord> monitor(FlowKey flow) {
    return record -> {
      flows.record(flow, record, runtime.millis().getAsLong());
      synchronized (this) {
        sent = sent.plus(record);
      }
    };
  }

  private void copy(SenderSession session, Item item) throws IOException, InterruptedException {
    FlowKey flow = flow(item, kind(item.content()));
    ChunkingRule rule = flows.rule(flow, runtime.millis().getAsLong());
    Consumer<ChunkingRecord> monitor = monitor(flow);
    SenderSession.Result result;
    if (rule.policy() == ChunkingPolicy.CONTENT_DEFINED) {
      try (WorkerPool.Lane lane = workers.open(flow, key.tenant())) {
        result = session.copy(item.path(), item.content(), rule, lane, monitor);
      }
    } else {
      result = session.copy(item.path(), item.content(), rule, null, monitor);
    }
    done(item, result);
  }

  private static FileKind kind(Content content) throws IOException {
    try (InputStream in = content.open()) {
      byte[] start = in.readNBytes(FileKind.SAMPLE);
      return FileKind.of(start, start.length);
    }
  }

  private synchronized Attempt next() {
    return waiting.poll();
  }

  private synchronized void done(Item item, SenderSession.Result result) {
    switch (result) {
      case COPIED -> copied++;
      case PRESENT -> present++;
      case DIFFERS -> problem(item, "the gateway has another file of that name");
    }
    progress.accept(item.path() + ": " + result);
  }

  private void failed(Attempt attempt, IOException e) throws InterruptedException {
    attempt.failures++;
    boolean isPassing = !(e instanceof LinkException link) || link.isPassing();
    if (!isPassing || attempt.failures >= settings.attempts()) {
      synchronized (this) {
        problem(attempt.item, e.getMessage());
      }
      return;
    }
    progress.accept(attempt.item.path() + ": " + e.getMessage() + "; trying again");
    runtime.pause().millis(settings.pauseMillis() << Math.min(10, attempt.failures - 1));
    synchronized (this) {
      waiting.addFirst(attempt);
    }
  }

  private void problem(Item item, String text) {
    failed++;
    if (problems.size() < MAX_LISTED) {
      problems.add(item.path() + ": " + text);
    }
  }

  private static void close(SenderSession session) {
    if (session != null) {
      try {
        session.close();
      } catch (IOException e) {
        // It is of no use any more.
      }
    }
  }
}
