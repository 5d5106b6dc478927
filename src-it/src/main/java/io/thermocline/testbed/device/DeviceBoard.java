// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

import io.thermocline.placement.model.StorageType;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All emulated devices of one cluster, by volume directory. Thread-safe.
 *
 * <p>DataNodes are made by reflection from a Configuration, so a board can't be handed to them: each
 * board has an id, which travels in the Configuration under {@link #ID_KEY}, and is found again by it
 * until it is closed.
 *
 * <p>A new board runs at full speed; {@link #pace()} makes requests wait. Counting never stops.
 */
public final class DeviceBoard implements AutoCloseable {

  /** Configuration key of the board's id. */
  public static final String ID_KEY = "thermocline.testbed.device-board";

  private static final ConcurrentMap<String, DeviceBoard> OPEN = new ConcurrentHashMap<>();
  private static final AtomicLong LAST_ID = new AtomicLong();

  private final String id = "board-" + LAST_ID.incrementAndGet();
  private final ConcurrentMap<String, EmulatedDevice> devices = new ConcurrentHashMap<>();
  private final DeviceProfiles profiles;
  private final DeviceTime time;
  private volatile boolean paced;

  private DeviceBoard(DeviceProfiles profiles, DeviceTime time) {
    this.profiles = profiles;
    this.time = time;
  }

  /** A board that is found by its id from now on. */
  public static DeviceBoard open(DeviceProfiles profiles, DeviceTime time) {
    DeviceBoard board = new DeviceBoard(profiles, time);
    OPEN.put(board.id, board);
    return board;
  }

  /** {@link #open(DeviceProfiles, DeviceTime)} on the machine's own time. */
  public static DeviceBoard open(DeviceProfiles profiles) {
    return open(profiles, DeviceTime.system());
  }

  /**
   * The open board of this id.
   *
   * @throws IllegalStateException if there is none
   */
  public static DeviceBoard find(String id) {
    DeviceBoard board = id == null ? null : OPEN.get(id);
    if (board == null) {
      throw new IllegalStateException(
          "No open device board '" + id + "' (" + ID_KEY + "); open are " + OPEN.keySet());
    }
    return board;
  }

  public String id() {
    return id;
  }

  /** From now on requests wait for their device. */
  public void pace() {
    paced = true;
  }

  /** From now on requests only count. Who waits already still waits for its turn. */
  public void fullSpeed() {
    paced = false;
  }

  public boolean isPaced() {
    return paced;
  }

  /**
   * The device behind a volume, new when first asked for.
   *
   * @param volume the volume's directory, unique within the cluster
   * @throws IllegalArgumentException if the profiles lack this type
   */
  public EmulatedDevice device(String volume, StorageType type) {
    return devices.computeIfAbsent(
        volume, key -> new EmulatedDevice(type, profiles.of(type), time, this::isPaced));
  }

  /** What the devices of each type did so far. */
  public DeviceCounts counts() {
    Map<StorageType, IoCounts> byType = new EnumMap<>(StorageType.class);
    devices
        .values()
        .forEach(device -> byType.merge(device.type(), device.counts(), IoCounts::plus));
    return new DeviceCounts(byType);
  }

  /** Lets go of waiting requests' successors and forgets the id. Does nothing the second time. */
  @Override
  public void close() {
    fullSpeed();
    OPEN.remove(id, this);
  }
}
