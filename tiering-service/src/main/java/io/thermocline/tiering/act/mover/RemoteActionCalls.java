// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the calls of actions to a mover. Thread-safe. */
public final class RemoteActionCalls implements ActionCalls {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteActionCalls.class);

  private final MoverClient mover;
  private final ActionCalls looks;

  /**
   * @param looks who is only asked what is there
   */
  public RemoteActionCalls(MoverClient mover, ActionCalls looks) {
    this.mover = mover;
    this.looks = looks;
  }

  @Override
  public void setReplication(String path, int factor) throws IOException {
    mover.ask(new MoverRequest.Replication(path, factor));
  }

  @Override
  public void setReplication(String path, int factor, int planned) throws IOException {
    mover.ask(new MoverRequest.PlannedReplication(path, factor, planned));
  }

  @Override
  public void cache(String path, int copies, Consumer<Directive> made) throws IOException {
    made.accept(
        mover
            .ask(new MoverRequest.Cache(path, copies), Directive.class)
            .orElseThrow(
                () ->
                    new IOException(
                        "the mover doesn't say which cache directive it made: give it this"
                            + " service's version")));
  }

  @Override
  public void uncache(String path, Directive ours) throws IOException {
    mover.ask(new MoverRequest.Uncache(path, ours));
  }

  @Override
  public Marks marks(String path) throws IOException {
    return mover.ask(new MoverRequest.ActionMarks(path), Marks.class).orElse(Marks.NONE);
  }

  @Override
  public void unmarkReplication(String path) throws IOException {
    try {
      mover.ask(new MoverRequest.UnmarkReplication(path));
    } catch (UnknownRequestException e) {
      LOG.debug("a mover of this version marks nothing", e);
    }
  }

  @Override
  public Optional<Cached> cached(String path, Directive ours) throws IOException {
    return looks.cached(path, ours);
  }

  @Override
  public boolean isAltered(String path, Directive ours) throws IOException {
    return looks.isAltered(path, ours);
  }

  @Override
  public Optional<FileView> file(String path) throws IOException {
    return looks.file(path);
  }
}
