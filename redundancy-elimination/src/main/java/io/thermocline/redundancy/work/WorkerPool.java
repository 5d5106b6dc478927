// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.work;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * A pool of threads in place of the chapter's accelerator slots (4.5): shared equally by the flows that are open, and shared
 * again whenever one opens or closes. If there are more flows than workers, they take turns. A tenant never has more
 * workers than its limit.
 */
public final class WorkerPool implements AutoCloseable {

  /** Tasks that may wait in one flow. Senders have fewer in flight. */
  static final int MAX_WAITING = 64;

  private final Map<Object, Lane> lanes = new LinkedHashMap<>();
  private final Map<String, Integer> runningByTenant = new HashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private final int maxByTenant;
  private boolean closed;

  /**
   * @param workers threads
   * @param maxByTenant workers that one tenant may have at a time
   */
  public WorkerPool(int workers, int maxByTenant) {
    if (workers < 1 || maxByTenant < 1) {
      throw new IllegalArgumentException(
          "workers: expected at least 1, found " + workers + " and " + maxByTenant + " a tenant");
    }
    this.maxByTenant = maxByTenant;
    for (int i = 0; i < workers; i++) {
      Thread thread = new Thread(this::work, "chunking-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  /** A flow's way to the workers, while files of it are copied. */
  public final class Lane implements AutoCloseable {
    private final Object flow;
    private final String tenant;
    private int users;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;

    private Lane(Object flow, String tenant) {
      this.flow = flow;
      this.tenant = tenant;
    }

    /**
     * @throws RejectedExecutionException if too many tasks wait, or the lane or the pool is closed
     */
    public <T> CompletableFuture<T> submit(Callable<T> task) {
      CompletableFuture<T> result = new CompletableFuture<>();
      Runnable run =
          () -> {
            try {
              result.complete(task.call());
            } catch (Throwable e) {
              result.completeExceptionally(e);
            }
          };
      synchronized (WorkerPool.this) {
        if (closed || lanes.get(flow) != this || waiting.size() >= MAX_WAITING) {
          throw new RejectedExecutionException(
              closed ? "the pool is closed" : waiting.size() + " tasks of a flow wait");
        }
        waiting.add(run);
        WorkerPool.this.notifyAll();
      }
      return result;
    }

    /** Gives the workers back when the last user of the flow closes it; tasks that wait are dropped. */
    @Override
    public void close() {
      synchronized (WorkerPool.this) {
        if (--users == 0 && lanes.remove(flow, this)) {
          waiting.clear();
          WorkerPool.this.notifyAll();
        }
      }
    }
  }

  /**
   * @param flow files of the same flow share its workers
   */
  public synchronized Lane open(Object flow, String tenant) {
    Lane lane = lanes.computeIfAbsent(flow, any -> new Lane(flow, tenant));
    lane.users++;
    notifyAll();
    return lane;
  }

  /** Workers that each open flow may have now, rounded up: none is idle while tasks wait. */
  public synchronized int share() {
    int flows = Math.max(1, lanes.size());
    return (threads.size() + flows - 1) / flows;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      lanes.values().forEach(lane -> lane.waiting.clear());
      notifyAll();
    }
    threads.forEach(Thread::interrupt);
  }

  private void work() {
    while (true) {
      Lane lane;
      Runnable task;
      synchronized (this) {
        while ((lane = next()) == null) {
          if (closed) {
            return;
          }
          try {
            wait();
          } catch (InterruptedException e) {
            return;
          }
        }
        task = lane.waiting.remove();
        lane.running++;
        runningByTenant.merge(lane.tenant, 1, Integer::sum);
        if (lanes.remove(lane.flow, lane)) {
          // Behind the others: flows take turns.
          lanes.put(lane.flow, lane);
        }
      }
      try {
        task.run();
      } finally {
        synchronized (this) {
          lane.running--;
          runningByTenant.computeIfPresent(
              lane.tenant, (tenant, running) -> running == 1 ? null : running - 1);
          notifyAll();
        }
      }
    }
  }

  /** The flow that waited longest, among those below their share and their tenant's limit. */
  private Lane next() {
    int share = share();
    for (Lane lane : lanes.values()) {
      if (!lane.waiting.isEmpty()
          && lane.running < share
          && runningByTenant.getOrDefault(lane.tenant, 0) < maxByTenant) {
        return lane;
      }
    }
    return null;
  }
}
