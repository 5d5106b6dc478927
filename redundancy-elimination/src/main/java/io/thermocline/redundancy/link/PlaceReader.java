// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import io.thermocline.redundancy.store.RemoteStore;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads chunks out of files that are there. Chunks that follow each other in a batch mostly do so in the file: it reads a
 * window ahead, and keeps the last few files open. For one thread.
 */
final class PlaceReader implements AutoCloseable {

  private static final int WINDOW = 1 << 20;
  private static final int MAX_OPEN = 4;

  private final RemoteStore store;
  private final Map<String, OpenFile> files = new LinkedHashMap<>(8, 0.75f, true);

  private static final class OpenFile {
    final RemoteStore.Reader reader;
    final byte[] window = new byte[WINDOW];
    long start;
    int length;

    OpenFile(RemoteStore.Reader reader) {
      this.reader = reader;
    }
  }

  PlaceReader(RemoteStore store) {
    this.store = store;
  }

  /** Whether that many bytes are there; they aren't checked. */
  boolean read(String path, long offset, byte[] into, int at, int length) throws IOException {
    if (offset < 0 || offset > Long.MAX_VALUE - length) {
      return false;
    }
    OpenFile file = files.get(path);
    if (file == null) {
      file = new OpenFile(store.open(path));
      files.put(path, file);
      if (files.size() > MAX_OPEN) {
        String oldest = files.keySet().iterator().next();
        files.remove(oldest).reader.close();
      }
    }
    int done = 0;
    while (done < length) {
      long position = offset + done;
      if (position < file.start || position >= file.start + file.length) {
        file.start = position;
        file.length = file.reader.read(position, file.window, WINDOW);
        if (file.length <= 0) {
          file.length = 0;
          return false;
        }
      }
      int from = (int) (position - file.start);
      int part = Math.min(length - done, file.length - from);
      System.arraycopy(file.window, from, into, at + done, part);
      done += part;
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    for (OpenFile file : files.values()) {
      file.reader.close();
    }
    files.clear();
  }
}
