// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.NodeAttributesException;
import java.nio.file.Path;
import java.util.List;

/** The node attributes of a file: what it said when it last could be used. */
final class AttributesFile {
  private static final int MOST_PROBLEMS_SHOWN = 20;
  private static final long MOST_BYTES = 64 << 20;

  private AttributesFile() {}

  /**
   * @param path null where no file is configured
   */
  static WatchedFile<NodeAttributes> at(Path path, PlacementCounters counters) {
    return new WatchedFile<>(
        path,
        new WatchedFile.Kind<>(
            "node attributes",
            MOST_BYTES,
            NodeAttributes.none(),
            AttributesFile::parsed,
            true,
            PlacementCounters.Event.ATTRIBUTES_LOADED,
            PlacementCounters.Event.ATTRIBUTES_REJECTED),
        counters);
  }

  private static NodeAttributes parsed(String text) throws WatchedFile.BadText {
    try {
      return NodeAttributes.parse(text);
    } catch (NodeAttributesException e) {
      throw new WatchedFile.BadText(shown(e.problems()));
    }
  }

  private static String shown(List<NodeAttributesException.Problem> problems) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(problems.size(), MOST_PROBLEMS_SHOWN); i++) {
      text.append('\n').append(problems.get(i));
    }
    if (problems.size() > MOST_PROBLEMS_SHOWN) {
      text.append("\nand ").append(problems.size() - MOST_PROBLEMS_SHOWN).append(" more");
    }
    return text.toString();
  }
}
