// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.cluster;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.ServiceModel;
import io.thermocline.tiering.sim.device.SimDevice;

/**
 * The devices of a cluster under load. A file's blocks lie on devices drawn by file, block and tier; an access
 * asks for all its blocks at once, as the tasks of a job do, and ends when the last one has arrived. A block's
 * reader is a node drawn likewise: within the block's rack or in another, it pays that latency, and gets the block
 * no sooner than its link allows.
 *
 * <p>A running move reads and writes its blocks one after the other, evenly over its time.
 */
public final class ClusterDevices implements ServiceModel {
  private static final double MICROS = 1e6;

  private final ClusterSpec cluster;
  private final long seed;
  private final SimDevice[][] devices;
  private Transfer running;
  private long movedBlocks;
  private long requests;

  /** Idle devices. */
  public ClusterDevices(ClusterSpec cluster, long seed) {
    this.cluster = cluster;
    this.seed = seed;
    devices = new SimDevice[cluster.tiers().size()][];
    for (int tier = 0; tier < devices.length; tier++) {
      TierSpec spec = cluster.tiers().get(tier);
      devices[tier] = new SimDevice[cluster.nodes() * spec.devicesPerNode()];
      for (int i = 0; i < devices[tier].length; i++) {
        devices[tier][i] = new SimDevice(spec.device());
      }
    }
  }

  @Override
  public double serve(FileAccess access, double[] shares) {
    moveUntil(access.atMicros());
    double arrival = access.atMicros() / MICROS;
    long blocks = blocks(access.bytes());
    double end = arrival;
    for (long block = 0; block < blocks; block++) {
      int tier = tier(access, block, shares);
      long draw = draw(access.file(), block, tier);
      end =
          Math.max(end, block(draw, tier, arrival, length(access.bytes(), block), access.write()));
    }
    return end - arrival;
  }

  /** Of the shares, which one an access of a block falls into. */
  private int tier(FileAccess access, long block, double[] shares) {
    double left =
        (draw(access.file(), block ^ access.atMicros() << 20, shares.length) >>> 11) * 0x1p-53;
    int tier = shares.length - 1;
    while (tier > 0 && left >= shares[tier]) {
      left -= shares[tier--];
    }
    return tier;
  }

  private double block(long draw, int tier, double arrival, long bytes, boolean write) {
    requests++;
    int device = Math.floorMod((int) draw, devices[tier].length);
    double read = devices[tier][device].serveApart(arrival, bytes, write);
    ClusterSpec.Network network = cluster.network();
    int node = device / cluster.tiers().get(tier).devicesPerNode();
    int reader = Math.floorMod((int) (draw >>> 32), cluster.nodes());
    if (reader == node) {
      return read;
    }
    boolean isSameRack = reader / cluster.nodesPerRack() == node / cluster.nodesPerRack();
    return Math.max(read, arrival + bytes / network.bytesPerSecond())
        + (isSameRack ? network.rackLatencySeconds() : network.crossRackLatencySeconds());
  }

  @Override
  public void moves(Transfer transfer) {
    moveUntil(transfer.beginMicros());
    running = transfer;
    movedBlocks = 0;
  }

  private void moveUntil(long micros) {
    if (running == null) {
      return;
    }
    long blocks = blocks(running.bytes());
    double each = (double) (running.endMicros() - running.beginMicros()) / blocks;
    while (movedBlocks < blocks && running.beginMicros() + movedBlocks * each <= micros) {
      double at = (running.beginMicros() + movedBlocks * each) / MICROS;
      long bytes = length(running.bytes(), movedBlocks);
      move(running.source(), at, bytes, false);
      move(running.target(), at, bytes, true);
      movedBlocks++;
    }
  }

  private void move(int tier, double at, long bytes, boolean write) {
    requests++;
    long draw = draw(running.file(), movedBlocks, tier);
    devices[tier][Math.floorMod((int) draw, devices[tier].length)].serveApart(at, bytes, write);
  }

  private long blocks(long bytes) {
    return Math.max(1, (bytes + cluster.blockBytes() - 1) / cluster.blockBytes());
  }

  private long length(long bytes, long block) {
    return Math.min(cluster.blockBytes(), bytes - block * cluster.blockBytes());
  }

  /** Mixes as SplitMix64 does (Steele, Lea and Flood, OOPSLA 2014). */
  private long draw(int file, long block, int tier) {
    long z = seed + 0x9e3779b97f4a7c15L * (1 + tier + 31L * (block + 0x100000001L * file));
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Requests to devices so far. */
  public long requests() {
    return requests;
  }
}
