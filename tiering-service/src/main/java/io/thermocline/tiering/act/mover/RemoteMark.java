// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import io.thermocline.tiering.act.JournalMark;
import java.io.IOException;
import java.util.Optional;

/** Has a mover read and write the mark of the journal. Thread-safe. */
public final class RemoteMark implements JournalMark {

  private final MoverClient mover;

  public RemoteMark(MoverClient mover) {
    this.mover = mover;
  }

  /**
   * @throws UnknownRequestException where the mover is of a version that marks nothing
   */
  @Override
  public Optional<Reached> read() throws IOException {
    return mover.ask(new MoverRequest.Mark(), Reached.class);
  }

  @Override
  public void write(Reached now) throws IOException {
    mover.ask(new MoverRequest.SetMark(now));
  }
}
