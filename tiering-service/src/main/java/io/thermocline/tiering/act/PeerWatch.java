// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;

/**
 * Whether somebody that the service waits for answers. One thread calls {@link #look} from time to time and may hang in it;
 * {@link #objection} is for any thread, and never waits.
 */
public final class PeerWatch {

  private static final String STANDBY = StandbyException.class.getName();

  private final String name;
  private final Call call;
  private final LongSupplier nanos;
  private volatile long answeredNanos;
  private volatile String failure = "";

  /** A cheap request. */
  @FunctionalInterface
  public interface Call {
    void ask() throws IOException;
  }

  /**
   * @param name what doesn't answer then, for people: "no NameNode"
   */
  public PeerWatch(String name, Call call, LongSupplier nanos) {
    this.name = name;
    this.call = call;
    this.nanos = nanos;
    this.answeredNanos = nanos.getAsLong();
  }

  /** Asks once. */
  public void look() {
    try {
      call.ask();
      answered();
    } catch (RemoteException e) {
      if (STANDBY.equals(e.getClassName())) {
        failure = "all of them are in standby state";
      } else {
        // It is there, and refuses.
        answered();
      }
    } catch (IOException | RuntimeException e) {
      failure =
          e.getMessage() == null ? e.toString() : e.getMessage().lines().findFirst().orElse("");
    }
  }

  private void answered() {
    answeredNanos = nanos.getAsLong();
    failure = "";
  }

  /** That it hasn't answered for a while; empty where it has. */
  public String objection() {
    long silent = nanos.getAsLong() - answeredNanos;
    String last = failure;
    return silent < PlanWatch.SHOWN_AFTER.toNanos()
        ? ""
        : name
            + " has answered for "
            + silent / 1_000_000_000L
            + " s"
            + (last.isEmpty() ? "" : ": " + last);
  }
}
