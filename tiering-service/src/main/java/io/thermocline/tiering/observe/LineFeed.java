// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.ZoneId;

/**
 * Audit lines that somebody else fetched, made into accesses as those of a file are. One for each sequence of lines
 * that keeps its order (a partition of a topic). One thread gives lines; the counts may be read from any.
 */
public final class LineFeed {

  private final AccessRules rules;
  private final LineReader reader;
  private volatile LineCounts counts = LineCounts.NONE;

  /** @param zone of the times in the lines */
  public LineFeed(String nameservice, AccessSettings settings, ZoneId zone) {
    rules = new AccessRules(PathKey.nameservice(nameservice), settings);
    reader = new LineReader(rules, zone);
  }

  /**
   * Takes a line, without its newline.
   *
   * @param otherwise its time, where neither it nor a line before says one: milliseconds since 1970
   */
  public void line(byte[] bytes, int from, int to, long otherwise, AccessSink sink) {
    reader.look(bytes, from, to, otherwise);
    reader.accept(sink);
  }

  /** Makes the counts of now visible to other threads. */
  public void publish() {
    counts = reader.counts(0).plus(rules.counts());
  }

  public LineCounts counts() {
    return counts;
  }

  /** By the thread that gives lines. */
  CompletenessMeter.Audited audited() {
    return CompletenessMeter.Audited.of(reader);
  }

  /** What is remembered of the lines so far for the sake of those to come. */
  public byte[] windows() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      reader.write(out);
      rules.write(out);
    }
    return bytes.toByteArray();
  }

  /** Goes on as the one that gave these. */
  public void restore(byte[] windows) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(windows));
    reader.read(in);
    rules.read(in);
    publish();
  }
}
