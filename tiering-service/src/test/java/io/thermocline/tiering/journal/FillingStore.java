// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/** A local directory whose disk fills up. */
public final class FillingStore implements JournalStore {

  private final LocalJournalStore store;

  /** Whether it has. */
  public volatile boolean isFull;

  public FillingStore(Path directory) throws IOException {
    this.store = LocalJournalStore.open(directory);
  }

  @Override
  public List<String> segments() throws IOException {
    return store.segments();
  }

  @Override
  public InputStream read(String segment) throws IOException {
    return store.read(segment);
  }

  @Override
  public void append(byte[] lines) throws IOException {
    if (isFull) {
      throw new IOException("No space left on device");
    }
    store.append(lines);
  }

  @Override
  public void sync() throws IOException {
    store.sync();
  }

  @Override
  public void roll(byte[] head) throws IOException {
    store.roll(head);
  }

  @Override
  public void delete(String segment) throws IOException {
    store.delete(segment);
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
