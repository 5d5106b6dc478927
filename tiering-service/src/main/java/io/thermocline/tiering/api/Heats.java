// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.rules.Impact;
import io.thermocline.tiering.rules.RuleSet;
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

  /** What rules are about, and would change, of the files that the last plan was made of. */
  Impact impact(RuleSet rules);

  /** How a file is accessed, as far as that is known. */
  AccessMix access(FileView file);

  /** The hints in force on a file. */
  List<HintResource.HintView> hints(String path);

  /** What is known exactly of a path, where it is one of the hottest. */
  Optional<FileState.Profile> profile(String path);
}
