// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Files among the test resources. */
public final class TestFiles {

  private TestFiles() {}

  public static Path resource(String name) {
    try {
      return Path.of(TestFiles.class.getResource(name).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(name, e);
    }
  }
}
