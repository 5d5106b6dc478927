// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.net.URI;
import java.util.Optional;

/** Which instance of the service acts; the others answer reads and send changes on. */
@FunctionalInterface
public interface Activity {

  /** Where there is one alone. */
  Activity HERE = () -> new Standing(true, Optional.empty());

  Standing now();

  /**
   * @param acts whether this one does
   * @param active address of the one that acts, where another one does and it is known
   */
  record Standing(boolean acts, Optional<URI> active) {}
}
