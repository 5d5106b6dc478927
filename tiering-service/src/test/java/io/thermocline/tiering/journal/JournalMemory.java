// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Segments in memory, which outlive whoever writes them; an append can be cut off in the middle. */
public final class JournalMemory {

  private final List<ByteArrayOutputStream> segments = new ArrayList<>();
  private Runnable boundary = () -> {};
  private IOException failure;
  private Object writer;

  /** Runs before an append, in its middle and after it. */
  public void boundary(Runnable run) {
    boundary = run;
  }

  /** Appends fail so; null: they don't. */
  public void fail(IOException with) {
    failure = with;
  }

  /** Takes over from whoever writes. */
  public JournalStore open() {
    segments.add(new ByteArrayOutputStream());
    Store store = new Store();
    writer = store;
    return store;
  }

  /** What follows goes to another segment, as in HDFS after an append that failed. */
  public void nextSegment() {
    segments.add(new ByteArrayOutputStream());
  }

  private final class Store implements JournalStore {
    @Override
    public List<String> segments() {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < segments.size(); i++) {
        names.add("/" + SegmentNames.of(i));
      }
      return names;
    }

    @Override
    public InputStream read(String segment) {
      return new ByteArrayInputStream(
          segments.get((int) SegmentNames.number(segment)).toByteArray());
    }

    @Override
    public void append(byte[] lines) throws IOException {
      boundary.run();
      if (writer != this) {
        throw new FencedException("another writes", null);
      }
      if (failure != null) {
        throw failure;
      }
      ByteArrayOutputStream last = segments.get(segments.size() - 1);
      last.write(lines, 0, lines.length / 2);
      boundary.run();
      last.write(lines, lines.length / 2, lines.length - lines.length / 2);
      boundary.run();
    }

    @Override
    public void sync() {
      // Nothing outlives the test.
    }

    @Override
    public void roll(byte[] head) throws IOException {
      segments.add(new ByteArrayOutputStream());
      append(head);
    }

    @Override
    public void delete(String segment) {
      throw new UnsupportedOperationException("nothing here is old");
    }

    @Override
    public void close() {
      // Bytes outlive it.
    }
  }
}
