// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.thermocline.tiering.decide.Explanation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Who knows how hot files are, and why they are where they are. */
public interface Heats {

  /** Files that decisions are made of, hottest first, as of the last plan. */
  List<HeatOfFile> hottest();

  /** What directories below one hold, hottest first, as of the last plan. */
  List<HeatOfDirectory> directories(String path);

  /**
   * One file; empty before the first plan.
   *
   * @throws IOException where HDFS has to be asked, and can't be
   */
  Optional<Explanation> explain(String path) throws IOException;

  /** What is known exactly of a path, where it is one of the hottest. */
  Optional<FileState.Profile> profile(String path);
}
