// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import io.thermocline.redundancy.index.ChunkIndex;
import io.thermocline.redundancy.index.KnownFiles;
import io.thermocline.redundancy.index.TenantKey;
import io.thermocline.redundancy.store.RemoteStore;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What all connections of a gateway share.
 *
 * @param keys by tenant
 * @param writing paths that somebody writes now
 */
public record GatewayState(
    RemoteStore store,
    Map<String, TenantKey> keys,
    ChunkIndex index,
    KnownFiles files,
    Set<String> writing) {

  private static final int MAX_FILES = 1 << 20;

  /**
   * @param chunks capacity of the index
   */
  public static GatewayState of(RemoteStore store, Map<String, TenantKey> keys, int chunks) {
    return new GatewayState(
        store, keys, new ChunkIndex(chunks), new KnownFiles(MAX_FILES), new HashSet<>());
  }

  boolean lock(String path) {
    synchronized (writing) {
      return writing.add(path);
    }
  }

  void unlock(String path) {
    synchronized (writing) {
      writing.remove(path);
    }
  }
}
