// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The attributes on files and directories that are the service's, or were set for it. Thread-safe. */
public final class HdfsMarks {

  private static final Set<String> MARKS =
      Set.of(PolicyMarks.ATTRIBUTE, ActionMarks.REPLICATION, ActionMarks.CACHE);
  private static final String HINTS = "user.thermocline.";

  private final DistributedFileSystem hdfs;
  private final HintAttributes hints;

  public HdfsMarks(DistributedFileSystem hdfs, HintAttributes hints) {
    this.hdfs = hdfs;
    this.hints = hints;
  }

  /**
   * Names of those that this user sees: only superusers see those that mark what is the service's own.
   *
   * @throws FileNotFoundException if nothing is there
   */
  public Set<String> names(String path) throws IOException {
    Set<String> names = new TreeSet<>(hdfs.getXAttrs(new Path(path)).keySet());
    names.removeIf(name -> !MARKS.contains(name) && !isHint(name));
    return names;
  }

  public static boolean isHint(String name) {
    return name.startsWith(HINTS);
  }

  /**
   * Removes hints from a path.
   *
   * @throws IOException if HDFS still shows one, with what to do
   */
  public void removeHints(String path, Set<String> names) throws IOException {
    for (String name : names) {
      hints.remove(path, name);
    }
    Set<String> still = names(path);
    still.retainAll(names);
    if (!still.isEmpty()) {
      throw new IOException(
          "HDFS doesn't let this user remove its hints. Run as its owner or as an HDFS superuser: "
              + String.join(
                  "; ",
                  still.stream()
                      .map(name -> "hdfs dfs -setfattr -x " + name + " '" + path + "'")
                      .toList()));
    }
  }
}
