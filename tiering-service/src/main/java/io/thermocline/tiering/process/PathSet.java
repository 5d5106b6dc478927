// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import io.thermocline.tiering.observe.PathGlob;
import java.util.List;

/** Paths that an administrator names by patterns: those that match, and all below them. Immutable. */
public final class PathSet {

  private final List<PathGlob> patterns;

  public PathSet(List<String> globs) {
    this.patterns =
        globs.stream()
            .map(glob -> new PathGlob(glob.endsWith("**") ? glob : glob + "/**"))
            .toList();
  }

  public boolean contains(String path) {
    // A slash more, so that what is named itself matches as what lies below it does.
    String closed = path + '/';
    return patterns.stream().anyMatch(pattern -> pattern.matches(closed));
  }
}
