// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.fs.FileUtil;

/** Directories with all that is in them. */
final class Trees {

  private Trees() {}

  static void delete(Path directory) throws IOException {
    if (!FileUtil.fullyDelete(directory.toFile())) {
      throw new IOException(directory + " could not be deleted");
    }
  }
}
