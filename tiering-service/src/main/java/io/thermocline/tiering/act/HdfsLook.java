// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What those who move look at. Thread-safe. */
interface HdfsLook {

  /**
   * The storage policy in force on a file or directory, its own or inherited; empty where nobody set one.
   *
   * @throws IOException also where the path isn't there
   */
  String storagePolicy(String path) throws IOException;

  /** The file as HDFS shows it now; empty where it is gone or open for write. */
  Optional<FileView> file(String path) throws IOException;

  /**
   * Files as HDFS shows them now, by path; those that {@link #file} is empty for are not among
   * them.
   */
  Map<String, FileView> files(Collection<String> paths) throws IOException;

  /**
   * Files as HDFS shows them now, empty those that it doesn't; without those that it can't be
   * asked for.
   */
  default Map<String, Optional<FileView>> views(Collection<String> paths) {
    Map<String, Optional<FileView>> views = new HashMap<>();
    try {
      Map<String, FileView> shown = files(paths);
      paths.forEach(path -> views.put(path, Optional.ofNullable(shown.get(path))));
    } catch (IOException e) {
      // One by one, so that none is in the way of others.
      for (String path : paths) {
        try {
          views.put(path, file(path));
        } catch (IOException again) {
          views.remove(path);
        }
      }
    }
    return views;
  }
}
