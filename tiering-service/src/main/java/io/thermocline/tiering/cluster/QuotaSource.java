// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import java.io.IOException;
import java.util.Collection;

/** Where quotas of directories come from. */
@FunctionalInterface
public interface QuotaSource {

  /** Looks at directories, and at those above them. */
  Quotas.Look look(Collection<String> directories) throws IOException;
}
