// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;

/** Paths as senders name them: checked before the file system sees them. */
final class RemotePath {

  /** Ends the name of a file that isn't complete. */
  static final String PARTIAL = ".thermocline-part";

  /** HDFS and Linux allow 255 bytes. */
  private static final int MAX_NAME = 255;

  private static final int MAX_PATH = 4000;

  private RemotePath() {}

  /**
   * @throws ProtocolException if it isn't a plain relative path
   */
  static void check(String path) throws ProtocolException {
    if (path.isEmpty() || path.getBytes(StandardCharsets.UTF_8).length > MAX_PATH) {
      throw new ProtocolException("path: expected 1 to " + MAX_PATH + " bytes");
    }
    for (String name : path.split("/", -1)) {
      if (name.isEmpty()
          || name.equals(".")
          || name.equals("..")
          || name.endsWith(PARTIAL)
          || name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME
          || name.chars().anyMatch(c -> Character.isISOControl(c) || c == ':' || c == '\\')) {
        throw new ProtocolException(
            "path: expected names of at most 255 bytes with '/' between them, without '.', '..', ':', '\\', control"
                + " characters and names that end with "
                + PARTIAL);
      }
    }
  }

  /** The temporary file: in the same directory, with a name that jobs skip. */
  static String partial(String path) {
    int slash = path.lastIndexOf('/') + 1;
    String name = "." + path.substring(slash) + PARTIAL;
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME) {
      name = "." + Hashing.sha256().hashString(path, StandardCharsets.UTF_8) + PARTIAL;
    }
    return path.substring(0, slash) + name;
  }
}
