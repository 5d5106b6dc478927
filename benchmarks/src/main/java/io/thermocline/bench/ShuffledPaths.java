// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.testbed.workload.Zipf;
import java.util.SplittableRandom;

/**
 * What no cluster does, as the worst case: files are renamed onto each other, replaced and deleted by the same
 * popularity as they are read.
 */
final class ShuffledPaths implements AuditPaths {
  private final SplittableRandom random;
  private final Zipf popularity;
  private final String[] paths;
  private String source;
  private String destination;

  ShuffledPaths(int files, SplittableRandom random) {
    this.random = random;
    this.popularity = new Zipf(files, DataSet.EXPONENT);
    this.paths = new String[files];
    for (int i = 0; i < files; i++) {
      paths[i] = DataSet.partition(random) + "/" + DataSet.file(i, random);
    }
  }

  @Override
  public void choose(AuditCommand command) {
    source = paths[popularity.draw(random)];
    destination = command.renames() ? paths[popularity.draw(random)] : null;
  }

  @Override
  public int user() {
    return random.nextInt(40);
  }

  @Override
  public int application() {
    return random.nextInt(1000);
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public String destination() {
    return destination;
  }
}
