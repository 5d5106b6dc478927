// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.tiering.observe.FileView;
import java.util.List;

/** Is shown all files that are managed, one after the other, and says which of them a plan is made of. */
public interface Selection {

  /** May have no blocks: then where they are is asked only if it is selected. */
  void pass(FileView file);

  /** Once all have passed. */
  List<FileView> selected();

  /** Whether none was left out. */
  boolean isAll();
}
