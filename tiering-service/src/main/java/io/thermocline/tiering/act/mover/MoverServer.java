// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mover's end of its socket: one request a connection, of one user's processes alone; who is at the
 * other end the kernel says. Others are closed before anything of theirs is read.
 */
public final class MoverServer implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(MoverServer.class);

  /** One request, of somebody who has it ready. */
  private static final Duration TO_ASK = Duration.ofSeconds(10);

  private static final Duration TO_HEAR = Duration.ofSeconds(60);

  /** From one sign of life to the next: the time of the socket's last change. */
  static final Duration BEAT = Duration.ofSeconds(2);

  /** How a refusal begins of what isn't in {@link MoverRequest}, of movers of all versions. */
  static final String UNKNOWN = "no request that is known";

  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

  private final Path socket;
  private final String user;
  private final MoverHandler moverHandler;
  private final LongSupplier nanos;
  private final ServerSocketChannel listening;
  private final ExecutorService workers;
  private final ScheduledExecutorService beating;
  private final Semaphore places;
  private long warnedNanos;
  private boolean hasWarned;

  /**
   * Listens from now on.
   *
   * @param user the one whose processes are answered
   * @param most requests at a time; others wait
   * @throws IOException where another process listens there, or the socket can't be made
   */
  public MoverServer(
      Path socket,
      String user,
      MoverHandler moverHandler,
      int most,
      ThreadFactory threads,
      LongSupplier nanos)
      throws IOException {
    this.socket = socket;
    this.user = user;
    this.moverHandler = moverHandler;
    this.nanos = nanos;
    this.places = new Semaphore(most);
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(socket);
    checkDirectory(socket.getParent());
    removeLeft(socket, address);
    this.listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listening.bind(address);
      // Whoever can reach it may knock; who is answered is another matter.
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    } catch (IOException e) {
      listening.close();
      throw new IOException("can't listen at " + socket + ": " + e.getMessage(), e);
    }
    // One accepts.
    this.workers = Executors.newFixedThreadPool(most + 1, threads);
    workers.execute(this::accept);
    this.beating = Executors.newSingleThreadScheduledExecutor(threads);
    long first = Files.getLastModifiedTime(socket).toMillis();
    long began = nanos.getAsLong();
    beating.scheduleWithFixedDelay(
        () -> beat(first + (nanos.getAsLong() - began) / 1_000_000),
        BEAT.toMillis(),
        BEAT.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** So a process that is frozen is told from one that has much to do, whose places are all taken. */
  private void beat(long millis) {
    try {
      Files.setLastModifiedTime(socket, FileTime.fromMillis(millis));
    } catch (IOException e) {
      warn("no sign of life can be given at " + socket + ": " + e);
    }
  }

  /** Whoever may write there could put another file in the socket's place while it is made; who owns it may let himself. */
  private static void checkDirectory(Path directory) throws IOException {
    String owner = Files.getOwner(directory).getName();
    String own = System.getProperty("user.name");
    if (!owner.equals(own) && !owner.equals("root")) {
      throw new IOException(
          directory
              + " belongs to "
              + owner
              + ": give the socket a directory of "
              + own
              + "'s own, or of root, with mode 0755");
    }
    Set<PosixFilePermission> rights = Files.getPosixFilePermissions(directory);
    if (rights.contains(PosixFilePermission.GROUP_WRITE)
        || rights.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException(
          directory
              + " may be written to by others: give the socket a directory of the mover's own, with"
              + " mode 0755");
    }
  }

  /** What a mover left that was killed. */
  private static void removeLeft(Path socket, UnixDomainSocketAddress address) throws IOException {
    try {
      if (!Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isOther()) {
        throw new IOException(socket + " is there and no socket: name another path");
      }
    } catch (NoSuchFileException e) {
      return;
    }
    boolean answers;
    try (SocketChannel other = SocketChannel.open(address)) {
      answers = other.isConnected();
    } catch (IOException e) {
      answers = false;
    }
    if (answers) {
      throw new IOException("another process listens at " + socket + ": stop that mover first");
    }
    Files.delete(socket);
  }

  private void accept() {
    while (listening.isOpen()) {
      try {
        places.acquire();
        take(listening.accept());
      } catch (ClosedChannelException | RejectedExecutionException e) {
        // So it ends.
        return;
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        // Also where no thread can be begun. Without its acceptor a mover would live and say
        // nothing.
        places.release();
        warn("a connection could not be taken: " + e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void take(SocketChannel channel) throws IOException {
    String peer;
    try {
      peer = LineChannel.peer(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    if (peer.equals(user)) {
      workers.execute(() -> serve(channel));
    } else {
      channel.close();
      places.release();
      warn("not answered: a process of user " + peer + ", who is not " + user);
    }
  }

  private void warn(String what) {
    long now = nanos.getAsLong();
    if (!hasWarned || now - warnedNanos > BETWEEN_WARNINGS.toNanos()) {
      LOG.warn("{}", what);
      hasWarned = true;
      warnedNanos = now;
    }
  }

  private void serve(SocketChannel channel) {
    try (LineChannel line = new LineChannel(channel, nanos)) {
      String asked = line.read(LineChannel.MOST_REQUEST, TO_ASK);
      write(line, answer(asked, phase -> tell(line, phase)));
    } catch (IOException | RuntimeException e) {
      LOG.warn("a request was not answered: {}", e.toString());
    } finally {
      places.release();
    }
  }

  private static void write(LineChannel line, MoverAnswer answer) throws IOException {
    line.write(LineChannel.JSON.writeValueAsString(answer), TO_HEAR);
  }

  /** The copy goes on, whether anybody hears of it or not. */
  private static void tell(LineChannel line, String phase) {
    try {
      write(line, MoverAnswer.not(MoverAnswer.Outcome.WAITING, phase));
    } catch (IOException e) {
      LOG.debug("nobody hears any more that a copy is {}", phase, e);
    }
  }

  private MoverAnswer answer(String asked, Consumer<String> progress) {
    MoverRequest.Line line;
    try {
      line = LineChannel.JSON.readValue(asked, MoverRequest.Line.class);
    } catch (JsonProcessingException e) {
      return moverHandler.misunderstood(UNKNOWN + ": " + e.getOriginalMessage());
    }
    return line == null
        ? moverHandler.misunderstood("no request")
        : moverHandler.answer(line, progress);
  }

  /** Copies under way go on inside the DataNodes. */
  @Override
  public void close() throws IOException {
    listening.close();
    beating.shutdownNow();
    workers.shutdownNow();
    Files.deleteIfExists(socket);
  }
}
