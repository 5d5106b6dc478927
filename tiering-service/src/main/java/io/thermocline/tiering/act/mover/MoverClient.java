// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.tiering.act.BusyDataNodeException;
import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.HeldBackException;
import io.thermocline.tiering.act.Pause;
import io.thermocline.tiering.act.SlowCopyException;
import io.thermocline.tiering.cluster.DataNodeReport;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The service's end of a mover's socket: a connection for each request. Thread-safe. */
public final class MoverClient {

  private static final Duration WITHIN = Duration.ofMinutes(2);

  /**
   * Of a mover that is there and takes no connection: all its places are taken, and the queue
   * before them is full.
   */
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(30);

  private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);

  /** From one line of the answer to the next; a DataNode is waited for five minutes ({@code DirectedMoves}). */
  private static final Duration COPY_WITHIN = Duration.ofMinutes(10);

  /** A mover that gives no sign of life for so long hangs. */
  static final Duration SILENT_AFTER = MoverServer.BEAT.multipliedBy(4);

  private final Path socket;
  private final String user;
  private final Terms terms;
  private final LongSupplier nanos;
  private final Pause pause;

  /** Of another version otherwise. */
  private volatile boolean saysPhases = true;

  // Guarded by this. Null before the first look.
  private FileTime lastBeat;
  private long beatNanos;

  /** What follows where the mover isn't there, or does nothing now. */
  public enum Away {
    /** {@link HeldBackException}: somebody looks when it is back. */
    WAIT,
    /** A failure like others. */
    FAIL
  }

  /**
   * How to ask.
   *
   * @param epoch of the service, by which a mover tells it from one that acts since
   */
  public record Terms(Away away, long epoch) {}

  /**
   * @param user whose process must be at the other end
   */
  public MoverClient(Path socket, String user, Terms terms, LongSupplier nanos, Pause pause) {
    this.socket = socket;
    this.user = user;
    this.terms = terms;
    this.nanos = nanos;
    this.pause = pause;
  }

  /** As a {@link DataNodeReport.Source}. */
  public List<DataNodeReport> reports() throws IOException {
    return List.of(required(new MoverRequest.Storages(), DataNodeReport[].class));
  }

  /**
   * As a {@link DataNodeStates.Source}.
   *
   * @param acting whether changes are to follow
   * @throws HeldBackException also where the mover would make none now
   */
  public DataNodeStates states(boolean acting) throws IOException {
    return required(new MoverRequest.Nodes(acting), DataNodeStates.class);
  }

  /** What it lets itself be asked. */
  MoverLimits limits() throws IOException {
    return required(new MoverRequest.Limits(), MoverLimits.class);
  }

  /** No changes follow. */
  public void release() throws IOException {
    ask(new MoverRequest.Release());
  }

  /**
   * Looks at its sign of life, without asking it.
   *
   * @throws HeldBackException where it has given none for a while
   */
  synchronized void checkBeat() throws IOException {
    FileTime beat;
    try {
      beat = Files.getLastModifiedTime(socket);
    } catch (IOException e) {
      throw away(e);
    }
    long now = nanos.getAsLong();
    if (!beat.equals(lastBeat)) {
      lastBeat = beat;
      beatNanos = now;
    }
    long silent = now - beatNanos;
    if (silent >= SILENT_AFTER.toNanos()) {
      throw held(
          "the mover at "
              + socket
              + " has given no sign of life for "
              + silent / 1_000_000_000
              + " s: it hangs, or was killed",
          null);
    }
  }

  /**
   * @throws HeldBackException where the mover isn't there, or does nothing now
   * @throws UnknownRequestException where the mover doesn't know such a request
   * @throws BusyDataNodeException where the DataNode has no place for a copy
   * @throws SlowCopyException where a copy took all the time that it may
   * @throws ChangedSinceException where somebody changed the file since it was planned for
   * @throws IOException where the mover refuses, or HDFS does, with their words
   */
  JsonNode ask(MoverRequest request) throws IOException {
    return value(answer(request, phase -> {}));
  }

  /**
   * The same, of a copy.
   *
   * @param progress hears what is waited for, where the mover says that
   */
  void copy(MoverRequest.Copy copy, Consumer<String> progress) throws IOException {
    if (saysPhases) {
      try {
        value(answer(new MoverRequest.CopyWithPhases(copy), progress));
        return;
      } catch (UnknownRequestException e) {
        saysPhases = false;
      }
    }
    ask(copy);
  }

  private MoverAnswer answer(MoverRequest request, Consumer<String> progress) throws IOException {
    try {
      return exchange(request, progress);
    } catch (JsonProcessingException e) {
      throw unknown(e);
    } catch (IOException e) {
      throw away(e);
    }
  }

  private JsonNode value(MoverAnswer answer) throws IOException {
    return switch (answer.outcome()) {
      case DONE -> answer.value();
      case WAITING -> throw new IllegalStateException("an answer follows");
      case LATER -> throw held(answer.message(), null);
      case CHANGED -> throw new ChangedSinceException(answer.message());
      case BUSY -> throw new BusyDataNodeException(answer.message());
      case REFUSED ->
          throw answer.message().startsWith(MoverServer.UNKNOWN)
              ? new UnknownRequestException("the mover refuses: " + answer.message())
              : new IOException("the mover refuses: " + answer.message());
      case FAILED ->
          throw MoverAnswer.SLOW.equals(answer.value())
              ? new SlowCopyException(answer.message())
              : new IOException(answer.message());
    };
  }

  /** What is answered; empty where that is nothing. */
  <T> Optional<T> ask(MoverRequest request, Class<T> type) throws IOException {
    JsonNode value = ask(request);
    try {
      return Optional.ofNullable(LineChannel.JSON.treeToValue(value, type));
    } catch (JsonProcessingException e) {
      throw unknown(e);
    }
  }

  private <T> T required(MoverRequest request, Class<T> type) throws IOException {
    Optional<T> answer = ask(request, type);
    if (answer.isEmpty()) {
      throw unknown(new JsonMappingException(null, "no value"));
    }
    return answer.get();
  }

  private MoverAnswer exchange(MoverRequest request, Consumer<String> progress) throws IOException {
    SocketChannel channel = connect();
    try (LineChannel line = new LineChannel(channel, nanos)) {
      String peer = LineChannel.peer(channel);
      if (!peer.equals(user)) {
        throw new IOException("it is " + peer + " who listens there, not " + user);
      }
      line.write(
          LineChannel.JSON.writeValueAsString(new MoverRequest.Line(terms.epoch(), request)),
          WITHIN);
      boolean isCopy =
          request instanceof MoverRequest.Copy || request instanceof MoverRequest.CopyWithPhases;
      while (true) {
        MoverAnswer answer =
            LineChannel.JSON.readValue(
                line.read(LineChannel.MOST_ANSWER, isCopy ? COPY_WITHIN : WITHIN),
                MoverAnswer.class);
        if (answer.outcome() != MoverAnswer.Outcome.WAITING) {
          return answer;
        }
        progress.accept(answer.message());
      }
    }
  }

  /**
   * Where the queue is full, the kernel says so to who doesn't wait, and lets others wait
   * without end.
   */
  private SocketChannel connect() throws IOException {
    long deadline = nanos.getAsLong() + CONNECT_WITHIN.toNanos();
    while (true) {
      SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        channel.configureBlocking(false);
        channel.connect(UnixDomainSocketAddress.of(socket));
        return channel;
      } catch (IOException e) {
        channel.close();
        // A full queue is an error without a class of its own, unlike what is nobody's, gone or
        // not for us.
        if (e instanceof ConnectException || !Files.isWritable(socket)) {
          throw e;
        }
        if (nanos.getAsLong() - deadline > 0) {
          throw new SocketTimeoutException(
              "it took no connection for " + CONNECT_WITHIN.toSeconds() + " s");
        }
      }
      try {
        pause.pause(BETWEEN_TRIES);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  private IOException away(IOException e) {
    return held(
        "the mover doesn't answer at "
            + socket
            + ": "
            + (e.getMessage() == null ? e.toString() : e.getMessage())
            + ". Is 'thermocline mover' running?",
        e);
  }

  private IOException unknown(JsonProcessingException e) {
    return held(
        "the mover at "
            + socket
            + " is of another version, whose answer isn't known here: install the same version of"
            + " both ("
            + e.getOriginalMessage()
            + ")",
        e);
  }

  private IOException held(String message, IOException cause) {
    return terms.away() == Away.WAIT
        ? new HeldBackException(message, cause)
        : new IOException(message, cause);
  }
}
