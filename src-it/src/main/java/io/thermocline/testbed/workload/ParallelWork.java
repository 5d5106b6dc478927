// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Does numbered pieces of work in ascending order on a few daemon threads. The first failure, or an
 * interrupt of the caller, interrupts all threads.
 */
final class ParallelWork {

  /** What one thread does with its pieces; closed by that thread. */
  interface Worker extends AutoCloseable {
    void work(int piece) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
  }

  /** Makes the worker of one thread, in that thread. */
  interface WorkerFactory {
    Worker create(int thread) throws IOException;
  }

  private final String name;
  private final int pieces;
  private final Progress progress;
  private final AtomicInteger next = new AtomicInteger();
  private int done;

  private ParallelWork(String name, int pieces, Progress progress) {
    this.name = name;
    this.pieces = pieces;
    this.progress = progress;
  }

  /**
   * Returns when all pieces are done and all threads have ended.
   *
   * @throws IOException the first failure
   * @throws InterruptedException if this thread is interrupted; then pieces are left undone
   */
  static void run(String name, int threads, int pieces, WorkerFactory factory, Progress progress)
      throws IOException, InterruptedException {
    ParallelWork work = new ParallelWork(name, pieces, progress);
    ExecutorService executor = Executors.newFixedThreadPool(threads, work::daemon);
    try {
      work.runOn(executor, threads, factory);
    } finally {
      executor.shutdownNow();
    }
  }

  private void runOn(ExecutorService executor, int threads, WorkerFactory factory)
      throws IOException, InterruptedException {
    CompletionService<Void> running = new ExecutorCompletionService<>(executor);
    List<Future<Void>> futures = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      int number = thread;
      futures.add(running.submit(() -> workAll(factory, number)));
    }
    for (int ended = 0; ended < futures.size(); ended++) {
      try {
        running.take().get();
      } catch (ExecutionException e) {
        throw asIoException(e.getCause());
      }
    }
  }

  private Void workAll(WorkerFactory factory, int thread) throws IOException, InterruptedException {
    try (Worker worker = factory.create(thread)) {
      for (int piece = next.getAndIncrement(); piece < pieces; piece = next.getAndIncrement()) {
        if (Thread.interrupted()) {
          throw new InterruptedException(name + " was stopped before piece " + piece);
        }
        worker.work(piece);
        report();
      }
    }
    return null;
  }

  private synchronized void report() {
    done++;
    progress.at(done, pieces);
  }

  private Thread daemon(Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private static IOException asIoException(Throwable cause) {
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    if (cause instanceof Error e) {
      throw e;
    }
    return cause instanceof IOException e ? e : new IOException(cause);
  }
}
