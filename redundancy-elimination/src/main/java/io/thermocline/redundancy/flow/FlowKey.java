// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.flow;

import io.thermocline.redundancy.content.FileKind;

/**
 * What files have in common that get the same chunking.
 *
 * @param application caller context or job
 * @param pathPrefix a directory
 * @param destination host and port of the gateway
 */
public record FlowKey(String application, String pathPrefix, FileKind kind, String destination) {

  /** The first directories of a path: files of one dataset usually resemble each other. */
  public static String prefix(String path, int directories) {
    int end = 0;
    for (int i = 0; i < directories; i++) {
      int next = path.indexOf('/', end + 1);
      if (next < 0) {
        break;
      }
      end = next;
    }
    return path.substring(0, end);
  }

  @Override
  public String toString() {
    return application + " " + pathPrefix + "/ " + kind + " to " + destination;
  }
}
