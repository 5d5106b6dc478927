// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    List<String> found = new ArrayList<>();
    if (paths.containsKey(directory)) {
      found.add(directory);
    }
    found.addAll(below(paths, directory).keySet());
    return found;
  }

  /** Whether a map has the path, or one below it. */
  public static boolean hasAtOrBelow(NavigableMap<String, ?> map, String path) {
    return map.containsKey(path) || !below(map, path).isEmpty();
  }

  /**
   * Takes a path and all below it to another, in place of what is there.
   *
   * @param to empty: they go
   */
  public static <V> void rename(NavigableMap<String, V> map, String from, String to) {
    Map<String, V> moved = new HashMap<>(below(map, from));
    if (map.containsKey(from)) {
      moved.put(from, map.get(from));
    }
    map.keySet().removeAll(moved.keySet());
    if (!to.isEmpty()) {
      map.remove(to);
      below(map, to).clear();
      moved.forEach((path, value) -> map.put(to + path.substring(from.length()), value));
    }
  }

  private static <V> NavigableMap<String, V> below(NavigableMap<String, V> map, String path) {
    String directory = path.endsWith("/") ? path : path + '/';
    // What follows the slash.
    String end = directory.substring(0, directory.length() - 1) + '0';
    return map.subMap(directory, false, end, false);
  }

  /** The directory that a path is in; null of the root. */
  public static String above(String path) {
    int slash = path.lastIndexOf('/');
    return path.length() <= 1 ? null : slash <= 0 ? "/" : path.substring(0, slash);
  }
}
