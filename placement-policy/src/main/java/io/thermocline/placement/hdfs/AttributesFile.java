// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.NodeAttributesException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node attributes of a file: what it said when it last could be used. {@link #poll} is for one
 * thread, the rest for any.
 */
final class AttributesFile {
  private static final Logger LOG = LoggerFactory.getLogger(ThermoclinePlacementPolicy.class);
  private static final int MOST_PROBLEMS_SHOWN = 20;
  private static final long MOST_BYTES = 64 << 20;

  /** Null where no file is configured. */
  private final Path path;

  private final PlacementCounters counters;

  private volatile NodeAttributes attributes = NodeAttributes.none();

  /** What is wrong with the file now; null if nothing is. */
  private volatile String complaint;

  /** Of the content that was dealt with; null where the file has to be looked into. */
  private String stamp;

  AttributesFile(Path path, PlacementCounters counters) {
    this.path = path;
    this.counters = counters;
  }

  NodeAttributes attributes() {
    return attributes;
  }

  /** Whether the file can't be used as it is now, so that earlier attributes stay in force. */
  boolean isBad() {
    return complaint != null;
  }

  /** Reads the file if it changed since the last call. */
  void poll() {
    if (path == null) {
      return;
    }
    try {
      String now = stampNow();
      if (now.equals(stamp)) {
        return;
      }
      String text = read();
      if (!now.equals(stampNow())) {
        // Written meanwhile: the next call finds it as it then is.
        return;
      }
      stamp = now;
      attributes = NodeAttributes.parse(text);
      complaint = null;
      counters.count(PlacementCounters.Event.ATTRIBUTES_LOADED);
      LOG.info("node attributes read from {}", path);
    } catch (NodeAttributesException e) {
      reject(shown(e.problems()));
    } catch (NoSuchFileException e) {
      stamp = null;
      reject("there is no such file");
    } catch (CharacterCodingException e) {
      stamp = null;
      reject("it is not UTF-8 text");
    } catch (IOException e) {
      stamp = null;
      reject(e.toString());
    }
  }

  private void reject(String why) {
    if (why.equals(complaint)) {
      return;
    }
    complaint = why;
    counters.count(PlacementCounters.Event.ATTRIBUTES_REJECTED);
    LOG.error(
        "the node attributes file {} can't be used, what it said before stays in force: {}",
        path,
        why);
  }

  private String read() throws IOException {
    long size = Files.size(path);
    if (size > MOST_BYTES) {
      throw new IOException("it has " + size + " bytes, more than " + MOST_BYTES);
    }
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(Files.readAllBytes(path)))
        .toString();
  }

  private String stampNow() throws IOException {
    BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
    return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
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
