// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was decided and done, one JSON object a line, appended and never changed. Thread-safe; locked
 * against a second process.
 *
 * <p>What it keeps so far: every decision that became moves, every policy set, every change of a move, every lever.
 * From it a restart knows which files' policies are its own, and the number of the next plan. It does
 * not keep heat, nor the position in the audit logs: after a restart heat is learned again. Lines are
 * handed to the operating system at once and reach the disk when that writes them, so a power failure
 * can cost the last ones, never the order.
 */
public final class Journal implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** Null where there is no file to read. */
  private final FileChannel channel;

  /** By path, the last two policies set: the last may have been recorded and not set before a crash. */
  private final Map<String, List<String>> policies = new HashMap<>();

  private final LeversUp levers = new LeversUp();
  private final HintsKept hints = new HintsKept();
  private final PastPlans plans = new PastPlans();

  private JournalEntry.Steered steered;
  private long lastPlan;
  private List<JournalEntry> untaken = new ArrayList<>();

  private Journal(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Opens the journal of a directory, creating both where they are not there, and replays it.
   *
   * @throws IOException also where another process has it open, or a line in its middle is damaged;
   *     both with what to do
   */
  public static Journal open(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path file = directory.resolve("journal.jsonl");
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      lock(channel, file);
      // All through this one channel: closing another one of the same file would give up the lock.
      cutUnfinishedLine(channel, file);
      Journal journal = new Journal(channel);
      journal.replay(file);
      return journal;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Reads the journal of a directory that another process may have open; nothing can be appended to it. One that isn't
   * there is empty.
   *
   * @throws IOException where a line in its middle is damaged
   */
  public static Journal read(Path directory) throws IOException {
    Path file = directory.resolve("journal.jsonl");
    if (!Files.exists(file)) {
      return new Journal(null);
    }
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      Journal journal = new Journal(channel);
      journal.replay(file);
      return journal;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void lock(FileChannel channel, Path file) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw new IOException(
          file
              + " is in use: another Thermocline runs with this journal. Stop it, or give this one"
              + " a journal.directory of its own.");
    }
  }

  /** A crash can leave half a line at the end, which was never acted upon. */
  private static void cutUnfinishedLine(FileChannel channel, Path file) throws IOException {
    long keep = channel.size();
    ByteBuffer last = ByteBuffer.allocate(1);
    while (keep > 0 && channel.read(last.clear(), keep - 1) == 1 && last.get(0) != '\n') {
      keep--;
    }
    if (keep < channel.size()) {
      LOG.warn("{}: cut {} bytes of an unfinished last line", file, channel.size() - keep);
      channel.truncate(keep);
    }
  }

  /** Leaves the channel at its end. */
  private void replay(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Channels.newInputStream(channel));
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long number = 0;
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next != '\n') {
        line.write(next);
        continue;
      }
      number++;
      try {
        JournalEntry entry = JSON.readValue(line.toByteArray(), JournalEntry.class);
        if (entry == null) {
          throw damaged(file, number, "null");
        }
        remember(entry);
      } catch (JsonProcessingException e) {
        throw damaged(file, number, e.getOriginalMessage());
      }
      line.reset();
    }
    channel.position(channel.size());
  }

  private static IOException damaged(Path file, long number, String why) {
    return new IOException(
        file
            + ":"
            + number
            + ": not a journal entry: "
            + why
            + ". Move the file away to begin a new one; what it forgets is which files'"
            + " storage policies are Thermocline's own.");
  }

  private void remember(JournalEntry entry) {
    if (entry instanceof JournalEntry.PolicySet set) {
      policies.merge(
          set.path(),
          List.of(set.policy()),
          (before, now) -> List.of(before.get(before.size() - 1), set.policy()));
    } else if (entry instanceof JournalEntry.Planned planned) {
      lastPlan = Math.max(lastPlan, planned.plan());
    } else if (entry instanceof JournalEntry.PlanChanged changed) {
      lastPlan = Math.max(lastPlan, changed.plan());
    } else if (entry instanceof JournalEntry.Steered last) {
      steered = last;
    }
    levers.remember(entry);
    hints.remember(entry);
    plans.remember(entry);
    if (entry instanceof JournalEntry.Planned || entry instanceof JournalEntry.Moved) {
      untaken.add(entry);
    }
  }

  /** What was planned and moved since this was last asked, or ever, in order. */
  public synchronized List<JournalEntry> takeMoves() {
    List<JournalEntry> taken = untaken;
    untaken = new ArrayList<>();
    return taken;
  }

  /** Appends an entry; when this returns, it survives the end of this process. */
  public synchronized void append(JournalEntry entry) throws IOException {
    ByteBuffer line =
        ByteBuffer.wrap((JSON.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8));
    long start = channel.position();
    try {
      while (line.hasRemaining()) {
        channel.write(line);
      }
    } catch (IOException e) {
      // A full disk takes half a line; what comes after it would make that a damaged one.
      if (channel.isOpen()) {
        channel.truncate(start);
      }
      throw e;
    }
    remember(entry);
  }

  /**
   * Whether a file's storage policy may be of our setting: the last one recorded for the path or for a directory
   * above it, or the one before, as a crash can come between recording and setting.
   */
  public synchronized boolean maySet(String path, String policy) {
    for (String at = path; !at.isEmpty(); at = at.substring(0, at.lastIndexOf('/'))) {
      if (policies.getOrDefault(at, List.of()).contains(policy)) {
        return true;
      }
    }
    return false;
  }

  /** The last policy recorded for this very path. */
  public synchronized Optional<String> lastSet(String path) {
    List<String> set = policies.get(path);
    return set == null ? Optional.empty() : Optional.of(set.get(set.size() - 1));
  }

  /** Whether a policy was ever recorded for this very path. */
  public synchronized boolean hasSet(String path) {
    return policies.containsKey(path);
  }

  /** Files that are cached by us, with how many copies of each block. */
  public synchronized Map<String, Integer> cached() {
    return levers.cached();
  }

  /** Replication factors that we raised, by path. */
  public synchronized Map<String, Raised> raised() {
    return levers.raised();
  }

  /** Hints that were given and have not ended, in their order. */
  public synchronized List<KeptHint> hints() {
    return hints.hints();
  }

  /** How often owners' hints came true, and how often not. */
  public synchronized Map<String, Judged> hintOwners() {
    return hints.owners();
  }

  /** Streams by path. */
  public synchronized Map<String, String> streams() {
    return hints.streams();
  }

  /** A hint, with how many reads were recorded of what it is about. */
  public record KeptHint(JournalEntry.HintGiven given, long reads) {}

  /** Hints of an owner that came true, and that did not. */
  public record Judged(long right, long wrong) {}

  /**
   * A replication factor.
   *
   * @param before what it was before we changed it first
   * @param now what we made it
   */
  public record Raised(int before, int now) {}

  /** What somebody said last of whether the service may act; empty where nobody has. */
  public synchronized Optional<JournalEntry.Steered> steered() {
    return Optional.ofNullable(steered);
  }

  /** The last plans, oldest first. */
  public synchronized List<PastPlan> plans() {
    return plans.all();
  }

  /**
   * What is recorded of a plan.
   *
   * @param changes in their order; the first is that it was made
   * @param files what was begun of it
   */
  public record PastPlan(
      long number, List<JournalEntry.PlanChanged> changes, List<JournalEntry.Planned> files) {}

  /** Number of the last plan that was made; 0 where there is none. */
  public synchronized long lastPlan() {
    return lastPlan;
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
