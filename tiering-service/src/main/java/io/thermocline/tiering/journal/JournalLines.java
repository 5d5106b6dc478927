// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Entries as lines of JSON, and the order in which a store's segments are read. */
final class JournalLines {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** What was planned and moved longer ago than this isn't needed to decide; older segments still have it. */
  private static final Duration KEPT = Duration.ofDays(31);

  /** How many are kept whatever their age. */
  private static final int LEAST_SEGMENTS = 3;

  private JournalLines() {}

  /**
   * Adds entries as lines.
   *
   * @param before checksum of the line before them
   * @return checksum of the last
   */
  static int add(List<? extends JournalEntry> entries, int before, ByteArrayOutputStream lines)
      throws IOException {
    int chain = before;
    for (JournalEntry entry : entries) {
      byte[] line = JSON.writeValueAsString(entry).getBytes(StandardCharsets.UTF_8);
      lines.write(JournalChain.seal(line, chain));
      lines.write('\n');
      chain = JournalChain.crc(chain, line, line.length);
    }
    return chain;
  }

  /**
   * All that a store has to tell, oldest first, without the repetitions of checkpoints.
   *
   * @throws IOException where a line in the middle is damaged, with what to do
   */
  static void history(JournalStore store, Consumer<? super JournalEntry> sink) throws IOException {
    JournalChain chain = new JournalChain();
    for (String segment : store.segments()) {
      Repeated repeated = new Repeated(sink);
      read(store, segment, chain, repeated);
    }
  }

  /** Passes over a checkpoint. */
  private static final class Repeated implements Consumer<JournalEntry> {
    private final Consumer<? super JournalEntry> sink;
    private long repeated;

    Repeated(Consumer<? super JournalEntry> sink) {
      this.sink = sink;
    }

    @Override
    public void accept(JournalEntry entry) {
      if (entry instanceof JournalEntry.Checkpoint checkpoint) {
        repeated = checkpoint.entries();
      } else if (repeated > 0) {
        repeated--;
      } else {
        sink.accept(entry);
      }
    }
  }

  /**
   * What comes to the same state as all that a store has, from its last whole checkpoint on.
   *
   * @return checksum of the last line
   */
  static int replay(JournalStore store, Consumer<? super JournalEntry> sink) throws IOException {
    JournalChain chain = new JournalChain();
    for (String segment : sinceCheckpoint(store)) {
      read(store, segment, chain, sink);
    }
    return chain.last();
  }

  private static List<String> sinceCheckpoint(JournalStore store) throws IOException {
    List<String> segments = store.segments();
    List<String> chain = new ArrayList<>();
    for (int i = segments.size() - 1; i >= 0; i--) {
      Head head = Head.of(store, segments.get(i));
      if (head.begun == null || head.isWhole()) {
        chain.add(0, segments.get(i));
      }
      if (head.isWhole()) {
        break;
      }
    }
    return chain;
  }

  /**
   * Segments that nothing needs any more: all that is in them is older than the given time, a checkpoint after them says
   * what it came to, and they aren't among the last. They end where a plan does, so that what is left has whole plans.
   */
  static List<String> expired(JournalStore store, Instant horizon) throws IOException {
    List<String> segments = store.segments();
    for (int i = segments.size() - LEAST_SEGMENTS; i > 0; i--) {
      Head head = Head.of(store, segments.get(i));
      if (head.isWhole() && Instant.parse(head.begun.at()).isBefore(horizon)) {
        return List.copyOf(segments.subList(0, i));
      }
    }
    return List.of();
  }

  /** Whether a segment begins with a checkpoint, and a crash left all of it. */
  private static final class Head implements Predicate<JournalEntry> {
    /** Null where it doesn't begin with one. */
    private JournalEntry.Checkpoint begun;

    private long missing;

    static Head of(JournalStore store, String segment) throws IOException {
      Head head = new Head();
      readWhile(store, segment, new JournalChain(), head);
      return head;
    }

    /** Whether there is more to know. */
    @Override
    public boolean test(JournalEntry entry) {
      if (begun != null) {
        missing--;
      } else if (entry instanceof JournalEntry.Checkpoint checkpoint) {
        begun = checkpoint;
        missing = checkpoint.entries();
      }
      return missing > 0;
    }

    boolean isWhole() {
      return begun != null && missing == 0;
    }
  }

  /** The entries of a checkpoint: what comes to the same state. */
  static List<JournalEntry> checkpoint(JournalStore store, JournalState state, Instant now)
      throws IOException {
    Set<String> open =
        state.open().stream().map(JournalEntry.Moved::move).collect(Collectors.toSet());
    Instant horizon = now.minus(KEPT);
    List<JournalEntry> entries = new ArrayList<>(state.entries());
    replay(
        store,
        entry -> {
          if (isKept(entry, state, open, horizon)
              || (entry instanceof JournalEntry.Answered answered
                  && state.answers().needs(answered, now))) {
            entries.add(entry);
          }
        });
    entries.add(0, new JournalEntry.Checkpoint(now.toString(), entries.size(), state.changes()));
    return entries;
  }

  private static boolean isKept(
      JournalEntry entry, JournalState state, Set<String> open, Instant horizon) {
    if (entry instanceof JournalEntry.Started started) {
      return started.epoch() == state.epoch();
    }
    if (entry instanceof JournalEntry.PlanEnded ended) {
      return ended.plan() == state.lastBegun();
    }
    if (entry instanceof JournalEntry.Planned planned) {
      return planned.plan() == state.lastBegun() || Instant.parse(planned.at()).isAfter(horizon);
    }
    if (entry instanceof JournalEntry.Moved moved) {
      return open.contains(moved.move())
          || (moved.state().equals("VERIFIED") && Instant.parse(moved.at()).isAfter(horizon));
    }
    if (entry instanceof JournalEntry.PlanChanged changed) {
      return state.plans().has(changed.plan());
    }
    return state.hints().needs(entry);
  }

  private static void read(
      JournalStore store, String segment, JournalChain chain, Consumer<? super JournalEntry> sink)
      throws IOException {
    readWhile(
        store,
        segment,
        chain,
        entry -> {
          sink.accept(entry);
          return true;
        });
  }

  /** An unfinished last line is passed over: a crash left it, and it was never acted upon. */
  private static void readWhile(
      JournalStore store, String segment, JournalChain chain, Predicate<? super JournalEntry> sink)
      throws IOException {
    chain.beginSegment();
    try (InputStream in = new BufferedInputStream(store.read(segment))) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      long number = 0;
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next != '\n') {
          line.write(next);
          continue;
        }
        number++;
        JournalEntry entry;
        try {
          entry = JSON.readValue(chain.open(line.toByteArray()), JournalEntry.class);
        } catch (JournalChain.DamagedException e) {
          throw damaged(segment, number, e.getMessage());
        } catch (JsonProcessingException e) {
          throw isOfANewerVersion(e)
              ? newer(segment, number, e)
              : damaged(segment, number, "not a journal entry: " + e.getOriginalMessage());
        }
        if (entry == null) {
          throw damaged(segment, number, "not a journal entry: null");
        }
        if (!sink.test(entry)) {
          return;
        }
        line.reset();
      }
    }
  }

  private static boolean isOfANewerVersion(JsonProcessingException e) {
    return e instanceof UnrecognizedPropertyException
        || e instanceof InvalidTypeIdException type && type.getTypeId() != null;
  }

  private static IOException newer(String segment, long number, JsonProcessingException e) {
    return new IOException(
        segment
            + ":"
            + number
            + ": this version doesn't know the entry ("
            + e.getOriginalMessage()
            + "): a newer version wrote it. Start that version, or put back the copy of the journal from before the"
            + " upgrade and start once with --accept-journal.");
  }

  private static IOException damaged(String segment, long number, String why) {
    return new IOException(
        segment
            + ":"
            + number
            + ": "
            + why
            + ". What the journal says from here on can't be believed. Put back a copy of the journal as it was when the"
            + " service ended, or move all its files away and start once with --accept-journal: the service then"
            + " knows what it set by its marks in HDFS, and leaves the rest as it is.");
  }
}
