// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import com.fasterxml.jackson.databind.JsonNode;
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
    JsonNode reached = mover.ask(new MoverRequest.Mark());
    return reached == null || reached.isNull()
        ? Optional.empty()
        : Optional.of(LineChannel.JSON.convertValue(reached, Reached.class));
  }

  @Override
  public void write(Reached now) throws IOException {
    mover.ask(new MoverRequest.SetMark(now));
  }
}
