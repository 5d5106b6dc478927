// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.tiering.act.LeverActions;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

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
  public void cache(String path, int copies, Consumer<Directive> made) throws IOException {
    JsonNode directive = mover.ask(new MoverRequest.Cache(path, copies));
    if (directive == null || directive.isNull()) {
      throw new IOException(
          "the mover doesn't say which cache directive it made: give it this service's version");
    }
    made.accept(LineChannel.JSON.convertValue(directive, Directive.class));
  }

  @Override
  public void uncache(String path, Directive ours) throws IOException {
    mover.ask(new MoverRequest.Uncache(path, ours));
  }

  @Override
  public Optional<Cached> cached(String path, Directive ours) throws IOException {
    return looks.cached(path, ours);
  }

  @Override
  public Optional<FileView> file(String path) throws IOException {
    return looks.file(path);
  }
}
