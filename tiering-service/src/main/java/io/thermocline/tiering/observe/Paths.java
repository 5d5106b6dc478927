// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;

/** Where one path of HDFS lies to another, by their names. */
public final class Paths {

  private Paths() {}

  /** Whether it is the directory's own path, or one below it. */
  public static boolean isAtOrBelow(String path, String directory) {
    return path.equals(directory) || isBelow(path, directory);
  }

  /** Whether it is that of one of the directories, or below one. */
  public static boolean isAtOrBelowAny(String path, Collection<String> directories) {
    for (String directory : directories) {
      if (isAtOrBelow(path, directory)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is below the directory, at any depth, and not the directory's own. */
  public static boolean isBelow(String path, String directory) {
    int end = directory.endsWith("/") ? directory.length() - 1 : directory.length();
    return path.length() > end + 1 && path.charAt(end) == '/' && path.startsWith(directory);
  }

  /** Of paths in order, the directory's own and those below it: a look at no other. */
  public static List<String> atOrBelow(NavigableMap<String, ?> paths, String directory) {
    String prefix = directory.endsWith("/") ? directory : directory + "/";
    List<String> found = new ArrayList<>();
    if (paths.containsKey(directory)) {
      found.add(directory);
    }
    // What follows a slash in the order of characters ends what begins with the prefix.
    String end = prefix.substring(0, prefix.length() - 1) + (char) ('/' + 1);
    found.addAll(paths.subMap(prefix, false, end, false).keySet());
    return found;
  }
}
