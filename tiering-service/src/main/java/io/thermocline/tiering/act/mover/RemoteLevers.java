// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import io.thermocline.tiering.act.LeverActions;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.util.Optional;

/** Has a mover pull levers. Thread-safe. */
public final class RemoteLevers implements LeverActions {

  private final MoverClient mover;
  private final LeverActions looks;

  /**
   * @param looks who is only asked what is there
   */
  public RemoteLevers(MoverClient mover, LeverActions looks) {
    this.mover = mover;
    this.looks = looks;
  }

  @Override
  public void setReplication(String path, int factor) throws IOException {
    mover.ask(new MoverRequest.Replication(path, factor));
  }

  @Override
  public void cache(String path, int copies) throws IOException {
    mover.ask(new MoverRequest.Cache(path, copies));
  }

  @Override
  public void uncache(String path) throws IOException {
    mover.ask(new MoverRequest.Uncache(path));
  }

  @Override
  public Optional<Cached> cached(String path) throws IOException {
    return looks.cached(path);
  }

  @Override
  public Optional<FileView> file(String path) throws IOException {
    return looks.file(path);
  }
}
