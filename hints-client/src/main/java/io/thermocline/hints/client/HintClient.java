// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import io.thermocline.hints.Hint;
import io.thermocline.placement.model.SystemRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Gives an application's hints to the tiering service in the background. Safe for any thread.
 *
 * <p>It never blocks, throws or grows: hints wait in a queue of a fixed length, one daemon
 * thread sends them in batches and ends when there are none for a while, and what can't be sent
 * is dropped and counted.
 *
 * <pre>{@code
 * HintClient hints = HintClient.of("https://tiering1:8480,https://tiering2:8480", "etl", token);
 * hints.give(Hint.onDirectory(Operation.PREFETCH, "/warehouse/orders"), Duration.ofHours(2));
 * }</pre>
 */
public final class HintClient implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final long IDLE_SECONDS = 10;

  private final ServiceClient service;
  private final String owner;
  private final HintClientSettings settings;
  private final LongSupplier clock;
  private final BlockingQueue<Hint> queue;
  private final ThreadPoolExecutor sender;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicLong given = new AtomicLong();
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private volatile String lastProblem;

  /**
   * A client.
   *
   * @param owner of hints that name none
   * @param clock epoch milliseconds
   */
  public HintClient(
      ServiceClient service, String owner, HintClientSettings settings, LongSupplier clock) {
    this.service = service;
    this.owner = owner;
    this.settings = settings;
    this.clock = clock;
    this.queue = new ArrayBlockingQueue<>(settings.queueLength());
    // One that waits is enough: it takes all that there is when its turn comes.
    this.sender =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1),
            HintClient::thread,
            new ThreadPoolExecutor.DiscardPolicy());
    sender.allowCoreThreadTimeOut(true);
  }

  /** A client with the default settings, as the user to whom the token belongs. */
  @SystemRuntime
  public static HintClient of(String addresses, String user, String token) {
    return new HintClient(
        ServiceClient.of(addresses, Connections.plain(user, TIMEOUT_MILLIS).bearing(token)),
        user,
        HintClientSettings.DEFAULT,
        System::currentTimeMillis);
  }

  /**
   * Gives a hint that holds from now on for that long, on behalf of this client's owner.
   *
   * @return false where it was dropped: malformed, or no room in the queue
   */
  public boolean give(Hint.Builder about, Duration lease) {
    Hint hint;
    try {
      hint = about.owner(owner).leaseExpiryMillis(expiry(lease)).build();
    } catch (IllegalArgumentException | ArithmeticException e) {
      given.incrementAndGet();
      drop(1, e.getMessage());
      return false;
    }
    return give(hint);
  }

  /** When a lease of that length ends that begins now, in epoch milliseconds. */
  public long expiry(Duration lease) {
    return Math.addExact(clock.getAsLong(), lease.toMillis());
  }

  /**
   * Gives a hint.
   *
   * @return false where it was dropped: no room in the queue
   */
  public boolean give(Hint hint) {
    given.incrementAndGet();
    if (closed.getCount() == 0) {
      drop(1, "the client is closed");
      return false;
    }
    if (!queue.offer(hint)) {
      drop(1, "the queue of " + settings.queueLength() + " hints is full");
      return false;
    }
    try {
      sender.execute(this::sendAll);
      return true;
    } catch (Throwable e) {
      // No thread to be had: no room for hints either, but the application may still do its
      // work.
      if (queue.remove(hint)) {
        drop(1, e.toString());
      }
      return false;
    }
  }

  public HintCounts counts() {
    return new HintCounts(given.get(), taken.get(), refused.get(), dropped.get(), lastProblem);
  }

  /** The requests that this client makes, for those who want to wait for an answer. */
  public ServiceClient service() {
    return service;
  }

  /** Sends what is there, for no longer than the settings allow, and drops the rest. */
  @Override
  public void close() {
    closed.countDown();
    sender.shutdown();
    try {
      if (!sender.awaitTermination(settings.closeMillis(), TimeUnit.MILLISECONDS)) {
        sender.shutdownNow();
      }
    } catch (InterruptedException e) {
      sender.shutdownNow();
      Thread.currentThread().interrupt();
    }
    drop(drain(Integer.MAX_VALUE).size(), "the client was closed before they were sent");
  }

  private void sendAll() {
    try {
      closed.await(settings.lingerMillis(), TimeUnit.MILLISECONDS);
      for (List<Hint> batch = drain(settings.batch());
          !batch.isEmpty();
          batch = drain(settings.batch())) {
        send(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      // This thread's end would be the host's to hear of.
      lastProblem = e.toString();
    }
  }

  private List<Hint> drain(int most) {
    List<Hint> batch = new ArrayList<>();
    queue.drainTo(batch, most);
    return batch;
  }

  private void send(List<Hint> batch) throws InterruptedException {
    List<Hint> left = batch;
    for (int attempt = 1; ; attempt++) {
      try {
        boolean isLast = attempt >= settings.attempts() || closed.getCount() == 0;
        left = count(left, service.give(left, clock.getAsLong(), false), isLast);
        if (left.isEmpty()) {
          return;
        }
      } catch (ServiceException e) {
        if (!e.error().isRetriable() || attempt >= settings.attempts() || closed.getCount() == 0) {
          drop(left.size(), e.getMessage());
          return;
        }
      } catch (RuntimeException | Error e) {
        drop(left.size(), e.toString());
        return;
      }
      closed.await(settings.retryMillis() << Math.min(attempt - 1, 10), TimeUnit.MILLISECONDS);
    }
  }

  /** What of a batch may be taken yet, where that wasn't the last attempt. */
  private List<Hint> count(List<Hint> batch, List<HintAnswer> answers, boolean isLast) {
    List<Hint> again = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      HintAnswer answer = answers.get(i);
      if (answer.isTaken()) {
        taken.incrementAndGet();
      } else if (answer.error().isRetriable() && !isLast) {
        again.add(batch.get(i));
      } else {
        refused.incrementAndGet();
        lastProblem = answer.message();
      }
    }
    return again;
  }

  private void drop(int hints, String why) {
    if (hints > 0) {
      dropped.addAndGet(hints);
      lastProblem = why;
    }
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "thermocline-hints");
    thread.setDaemon(true);
    return thread;
  }
}
