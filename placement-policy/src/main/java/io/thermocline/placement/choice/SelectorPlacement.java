// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import io.thermocline.placement.model.DeviceSelector;
import java.util.Objects;
import java.util.function.IntPredicate;

/**
 * Replicas on the first distinct devices that a key leads to, on any algorithm that selects devices.
 * Immutable, safe for any thread.
 */
public final class SelectorPlacement implements ReplicaPlacement {
  /** A device of a thousandth of the capacity is missed by this many draws once in e^8 times. */
  private static final int MAX_TRIES = 8192;

  private final DeviceSelector selector;
  private final SpreadRule rule;

  private SelectorPlacement(DeviceSelector selector, SpreadRule rule) {
    this.selector = selector;
    this.rule = rule;
  }

  public static SelectorPlacement on(DeviceSelector selector) {
    return on(selector, SpreadRule.ANY);
  }

  public static SelectorPlacement on(DeviceSelector selector, SpreadRule rule) {
    return new SelectorPlacement(
        Objects.requireNonNull(selector, "selector"), Objects.requireNonNull(rule, "rule"));
  }

  @Override
  public int place(long key, int[] devices, int from, int to) {
    Next next = new Next(devices, from);
    // More devices than there are can't be distinct, and would cost all tries.
    int end = Math.min(to, from + selector.devices());
    while (next.to < end) {
      int device = selector.select(key, next, MAX_TRIES);
      if (device == DeviceSelector.NONE) {
        break;
      }
      devices[next.to++] = device;
    }
    return next.to - from;
  }

  /** Takes what may be the next replica. */
  private final class Next implements IntPredicate {
    private final int[] devices;
    private final int from;
    private int to;

    Next(int[] devices, int from) {
      this.devices = devices;
      this.from = from;
      this.to = from;
    }

    @Override
    public boolean test(int device) {
      for (int i = from; i < to; i++) {
        if (devices[i] == device) {
          return false;
        }
      }
      return rule.allows(device, devices, from, to);
    }
  }
}
