// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.simulated;

import io.thermocline.tiering.journal.JournalStore;
import java.io.InputStream;
import java.util.List;

/** Keeps nothing: a simulated service never restarts. */
final class NoJournal implements JournalStore {

  @Override
  public List<String> segments() {
    return List.of();
  }

  @Override
  public InputStream read(String segment) {
    return InputStream.nullInputStream();
  }

  @Override
  public void append(byte[] lines) {
    // Nobody reads it.
  }

  @Override
  public void sync() {
    // Nothing is kept.
  }

  @Override
  public void roll(byte[] head) {
    // Nothing is kept.
  }

  @Override
  public void delete(String segment) {
    // Nothing is kept.
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
