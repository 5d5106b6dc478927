// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.NodeAttributesException;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file of node attributes that the NameNode's placement policy reads, or a copy. One thread. */
public final class AttributesFile {
  private static final Logger LOG = LoggerFactory.getLogger(AttributesFile.class);

  private final Path file;
  private NodeAttributes last = NodeAttributes.none();
  private String text = "";
  private String problem = "";

  /**
   * @param file null: there is none, and nothing is said of any storage
   */
  public AttributesFile(Path file) {
    this.file = file;
  }

  /**
   * What the file says now. If it can't be read or has a mistake, what it said before.
   *
   * @throws IOException if a read doesn't end
   */
  public NodeAttributes read() throws IOException {
    if (file == null) {
      return last;
    }
    String now = "";
    try {
      String read = LocalFiles.text(file);
      if (!read.equals(text)) {
        last = NodeAttributes.parse(read);
        text = read;
      }
    } catch (LocalFiles.HangingException e) {
      throw e;
    } catch (IOException | NodeAttributesException e) {
      now = e.toString();
    }
    if (!now.isEmpty() && !now.equals(problem)) {
      LOG.warn("{} can't be used, what it said before counts: {}", file, now);
    }
    problem = now;
    return last;
  }
}
