// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.Paths;
import java.time.Duration;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * On which paths others set a storage policy or a replication factor after the service, as the audit log has it, by the
 * names that the paths have now. Not thread-safe.
 */
public final class OthersSettings {

  /** Without caller contexts a call of the service's user is the service's, unless the mark is older by more. */
  private static final Duration SAME_CALL = Duration.ofMinutes(1);

  /** A call that is older than the mark by more came before it, whatever the clocks of two hosts say. */
  private static final Duration SKEW = Duration.ofMinutes(10);

  /** Of paths; a log of more is no proof. */
  private static final int MOST = 1_000_000;

  private final String mover;
  private final NavigableMap<String, Setting> policies = new TreeMap<>();
  private final NavigableMap<String, Setting> factors = new TreeMap<>();
  private boolean hasContexts;
  private boolean isWhole = true;

  /**
   * @param mayBeOurs whether the service's user made the call, and no caller context says for whom
   */
  private record Setting(Instant at, boolean mayBeOurs) {}

  /**
   * @param mover the user of a mover apart; empty where there is none
   */
  public OthersSettings(String mover) {
    this.mover = mover;
  }

  /** Takes an access of the nameservice; in the order of the log. */
  public void accept(Access access) {
    switch (access.kind()) {
      case POLICY, NO_POLICY -> set(policies, access);
      case REPLICATION -> set(factors, access);
      case CREATE, DELETE -> rename(access.path(), "");
      case RENAME -> rename(access.path(), access.newPath());
      case READ, SCANNED, WRITE, WITHDRAW, RESTORE, ATTRIBUTES -> {
        // They change neither.
      }
    }
  }

  private void set(NavigableMap<String, Setting> all, Access access) {
    if (access.by() == Access.By.SERVICE) {
      hasContexts = true;
      all.remove(access.path());
      return;
    }
    boolean isItsUser =
        access.by() == Access.By.ITS_USER || !hasContexts && access.user().equals(mover);
    if (all.size() < MOST || all.containsKey(access.path())) {
      all.put(access.path(), new Setting(Instant.ofEpochMilli(access.timeMillis()), isItsUser));
    } else {
      isWhole = false;
    }
  }

  private void rename(String path, String to) {
    Paths.rename(policies, path, to);
    Paths.rename(factors, path, to);
  }

  /** Whether it has all that the log told. */
  public boolean isWhole() {
    return isWhole;
  }

  /** Whether somebody set or unset the path's policy after the service marked it. */
  public boolean hasPolicySince(String path, Instant marked) {
    return isSince(policies.get(path), marked);
  }

  /** The same of its replication factor. */
  public boolean hasFactorSince(String path, Instant marked) {
    return isSince(factors.get(path), marked);
  }

  private static boolean isSince(Setting last, Instant marked) {
    return last != null
        && last.at().isAfter(last.mayBeOurs() ? marked.plus(SAME_CALL) : marked.minus(SKEW));
  }
}
