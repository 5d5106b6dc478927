// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How much of each {@link Cap} is taken while decisions are made. Not thread-safe. */
final class CapLedger {

  private final List<Cap> caps;
  private final Map<Cap, Long> taken = new HashMap<>();

  /**
   * @param files all there are, also those that may not be moved
   */
  CapLedger(List<Cap> caps, List<HotFile> files) {
    this.caps = List.copyOf(Set.copyOf(caps)).stream().sorted(CapLedger::compare).toList();
    for (Cap cap : this.caps) {
      if (cap.taken() != Cap.COUNTED) {
        taken.put(cap, cap.taken());
      }
    }
    if (this.caps.stream().anyMatch(cap -> cap.taken() == Cap.COUNTED)) {
      files.forEach(hot -> count(hot.file()));
    }
  }

  private static int compare(Cap a, Cap b) {
    return a.toString().compareTo(b.toString());
  }

  private void count(FileView file) {
    Layout layout = null;
    for (Cap cap : caps) {
      if (cap.taken() == Cap.COUNTED && cap.scope().covers(file)) {
        layout = layout == null ? Layout.of(file) : layout;
        taken.merge(cap, layout.bytesOn(cap.type()), Long::sum);
      }
    }
  }

  private static long bytes(Cap cap, Layout layout) {
    if (cap.type() == null) {
      return layout.space();
    }
    return cap.isQuota() ? layout.charged(cap.type()) : layout.bytesOn(cap.type());
  }

  /** A file lies otherwise now. */
  void changed(FileView file, Layout before, Layout after) {
    for (Cap cap : caps) {
      long more = bytes(cap, after) - bytes(cap, before);
      if (more != 0 && cap.scope().covers(file)) {
        taken.merge(cap, more, Long::sum);
      }
    }
  }

  /** A cap that a change would exceed, and by how many bytes. */
  record Excess(Cap cap, long bytes) {}

  /** The caps that a change would exceed; one that takes no more of a type exceeds none on it. */
  List<Excess> exceeded(FileView file, Layout before, Layout after) {
    List<Excess> exceeded = new ArrayList<>();
    for (Cap cap : caps) {
      long more = bytes(cap, after) - bytes(cap, before);
      long over = taken.getOrDefault(cap, 0L) + more - cap.most();
      if (more > 0 && over > 0 && cap.scope().covers(file)) {
        exceeded.add(new Excess(cap, over));
      }
    }
    return exceeded;
  }
}
