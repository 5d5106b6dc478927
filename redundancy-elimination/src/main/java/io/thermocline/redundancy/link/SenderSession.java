// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import io.thermocline.redundancy.flow.ChunkingPolicy;
import io.thermocline.redundancy.flow.ChunkingRecord;
import io.thermocline.redundancy.flow.ChunkingRule;
import io.thermocline.redundancy.index.ChunkHasher;
import io.thermocline.redundancy.index.ContentHash;
import io.thermocline.redundancy.index.TenantKey;
import io.thermocline.redundancy.work.WorkerPool;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ObjIntConsumer;
import java.util.zip.CRC32C;

/** The sender's side of one connection: copies files, one after the other. For one thread. */
public final class SenderSession implements Closeable {

  /** Batches under way: at 20 ms each way, enough for more than 1 Gbit/s. */
  private static final int WINDOW = 4;

  /** After so many refusals of one file, the rest of it is sent without references. */
  private static final int MAX_REFUSALS = 3;

  private static final int REPLIES = 64;

  /** Longer files are copied one after the other. */
  static final int MAX_SMALL = 256 << 10;

  /** Small files under way: a round trip would take longer than their bytes. */
  private static final int SMALL_WINDOW = 24;

  /** Seconds that the gateway may take for a reply: it may have a large file to read. */
  private static final long PATIENCE = 300;

  private static final int BUFFER = 1 << 20;

  /** A file as the sender finds it. */
  public interface Content {
    long length();

    /** From its first byte. */
    InputStream open() throws IOException;

    /** Whether it is as it was when its length was taken. */
    boolean isUnchanged() throws IOException;
  }

  /** What became of a file. */
  public enum Result {
    COPIED,
    /** The gateway had the same file of that name. */
    PRESENT,
    /** There is another file of that name, which stays. */
    DIFFERS
  }

  private final Connection connection;
  private final ChunkHasher hasher;
  private final LongSupplier nanos;
  private final BlockingQueue<Object> replies = new ArrayBlockingQueue<>(REPLIES + 1);
  private WorkerPool.Lane lane;
  private RecentChunks recent = new RecentChunks(RecentChunks.SENDER_BYTES);
  private int sequence;

  private SenderSession(Connection connection, TenantKey key, LongSupplier nanos) {
    this.connection = connection;
    this.hasher = new ChunkHasher(key);
    this.nanos = nanos;
  }

  /**
   * Greets the gateway.
   *
   * @param nonce drawn for this connection
   * @param nanos a clock, for how long processing takes
   * @throws LinkException if the gateway doesn't let the sender in
   */
  public static SenderSession begin(
      Connection connection, TenantKey key, byte[] nonce, LongSupplier nanos) throws IOException {
    connection.send(new Message.Hello(Message.VERSION, key.tenant(), nonce));
    Message reply = connection.receive(MessageCodec.MAX_MESSAGE);
    if (!(reply instanceof Message.Challenge challenge)) {
      throw unexpected(reply);
    }
    if (!MessageDigest.isEqual(challenge.proof(), key.proof("gateway", nonce, challenge.nonce()))) {
      throw new ProtocolException("the gateway doesn't know the secret of " + key.tenant());
    }
    connection.send(new Message.Proof(key.proof("sender", nonce, challenge.nonce())));
    Message welcome = connection.receive(MessageCodec.MAX_MESSAGE);
    if (!(welcome instanceof Message.Welcome)) {
      throw unexpected(welcome);
    }
    SenderSession session = new SenderSession(connection, key, nanos);
    Thread thread = new Thread(session::receive, "replies");
    thread.setDaemon(true);
    thread.start();
    return session;
  }

  /** So that the gateway never waits to be heard while the sender waits to be read. */
  private void receive() {
    Object end;
    try {
      while (replies.size() < REPLIES) {
        replies.add(connection.receive(MessageCodec.MAX_MESSAGE));
      }
      end = new ProtocolException("the gateway answers what wasn't asked");
    } catch (IOException e) {
      end = e;
    } catch (RuntimeException e) {
      end = new IOException(e);
    }
    // The queue has room for one more.
    replies.add(end);
  }

  /**
   * Copies a file. If it fails, the next attempt goes on where this one ended.
   *
   * @param path below the tenant's directory at the gateway
   * @param workers that chunk and compress; null for this thread
   * @param monitor hears of each batch
   */
  public Result copy(
      String path,
      Content content,
      ChunkingRule rule,
      WorkerPool.Lane workers,
      Consumer<ChunkingRecord> monitor)
      throws IOException, InterruptedException {
    lane = workers;
    Message.Opened opened = open(path, content, false);
    if (opened.complete()) {
      return isSame(content, opened) ? Result.PRESENT : Result.DIFFERS;
    }
    for (int refusals = 0; ; refusals++) {
      ChunkingRule now = refusals < MAX_REFUSALS ? rule : rule.withPolicy(ChunkingPolicy.NONE);
      try (InputStream in = content.open()) {
        CRC32C crc = skip(in, opened.length());
        if ((int) crc.getValue() != opened.crc()) {
          opened = open(path, content, true);
          if (opened.complete() || opened.length() != 0) {
            throw new ProtocolException("the gateway doesn't start over");
          }
          continue;
        }
        if (send(in, content.length() - opened.length(), crc, now, monitor)) {
          if (!content.isUnchanged()) {
            throw new IOException("the file changed while it was copied");
          }
          if (commit(content.length(), (int) crc.getValue())) {
            return Result.COPIED;
          }
        }
      }
      recent = new RecentChunks(RecentChunks.SENDER_BYTES);
      opened = open(path, content, false);
      if (opened.complete() || refusals > MAX_REFUSALS + 1) {
        throw new ProtocolException("the gateway refuses chunks that it was sent");
      }
    }
  }

  /**
   * A small file, read and looked at.
   *
   * @param data at least one byte
   * @param monitor hears of it
   */
  record Small(String path, byte[] data, ChunkingRule rule, Consumer<ChunkingRecord> monitor) {}

  /** A small file whose reply is due: to its query, or to the file. */
  private record Due(int index, Pending pending, boolean isPut) {}

  /**
   * Copies small files, many of them under way at a time.
   *
   * @param done hears the result of each file by its index; null if it must be copied by {@link #copy}
   */
  void put(List<Small> files, ObjIntConsumer<Result> done)
      throws IOException, InterruptedException {
    lane = null;
    Deque<Due> due = new ArrayDeque<>();
    for (int next = 0; next < files.size() || !due.isEmpty(); ) {
      while (next < files.size() && due.size() < SMALL_WINDOW) {
        Small file = files.get(next);
        BatchReader reader = new BatchReader(new ByteArrayInputStream(file.data()), file.rule());
        Pending pending = prepare(reader, reader.read(), file.rule(), new CRC32C());
        if (pending.hashes() == null) {
          put(file, pending, new BitSet());
        } else {
          connection.send(new Message.Query(pending.sequence(), pending.hashes()));
        }
        due.add(new Due(next++, pending, pending.hashes() == null));
      }
      Due first = due.remove();
      Small file = files.get(first.index());
      Message reply = reply();
      if (first.isPut()) {
        done.accept(result(file, reply), first.index());
      } else {
        put(file, first.pending(), known(first.pending(), reply));
        due.add(new Due(first.index(), first.pending(), true));
      }
    }
  }

  private void put(Small file, Pending pending, BitSet known)
      throws IOException, InterruptedException {
    int crc = crc(file.data());
    transmit(
        pending,
        known,
        file.rule(),
        file.monitor(),
        chunks -> new Message.Put(file.path(), file.data().length, crc, chunks));
  }

  private Result result(Small file, Message reply) throws IOException {
    if (reply instanceof Message.Refused) {
      recent = new RecentChunks(RecentChunks.SENDER_BYTES);
      return null;
    }
    long length = file.data().length;
    int crc = crc(file.data());
    if (reply instanceof Message.Opened opened && opened.complete()) {
      return opened.length() == length && opened.crc() == crc ? Result.PRESENT : Result.DIFFERS;
    }
    if (reply instanceof Message.Committed committed
        && committed.length() == length
        && committed.crc() == crc) {
      return Result.COPIED;
    }
    throw unexpected(reply);
  }

  private static int crc(byte[] data) {
    CRC32C crc = new CRC32C();
    crc.update(data, 0, data.length);
    return (int) crc.getValue();
  }

  private static BitSet known(Pending pending, Message reply) throws IOException {
    if (!(reply instanceof Message.Answer answer)
        || answer.sequence() != pending.sequence()
        || answer.count() != pending.hashes().length) {
      throw unexpected(reply);
    }
    return answer.known();
  }

  private Message.Opened open(String path, Content content, boolean startOver)
      throws IOException, InterruptedException {
    connection.send(new Message.Open(path, content.length(), startOver));
    while (true) {
      Message reply = reply();
      if (reply instanceof Message.Opened opened) {
        if (!opened.complete() && opened.length() > content.length()) {
          throw new ProtocolException("the gateway has more of the file than there is");
        }
        return opened;
      }
      // After a refusal, answers to what was under way.
      if (!(reply instanceof Message.Answer) && !(reply instanceof Message.Refused)) {
        throw unexpected(reply);
      }
    }
  }

  private static boolean isSame(Content content, Message.Opened opened) throws IOException {
    if (content.length() != opened.length()) {
      return false;
    }
    try (InputStream in = content.open()) {
      return (int) skip(in, content.length()).getValue() == opened.crc();
    }
  }

  /** The checksum of that many bytes. */
  private static CRC32C skip(InputStream in, long length) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[(int) Math.min(BUFFER, Math.max(1, length))];
    for (long left = length; left > 0; ) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new EOFException("the file got shorter while it was copied");
      }
      crc.update(buffer, 0, read);
      left -= read;
    }
    return crc;
  }

  /** A batch that waits for the gateway's answer. */
  private record Pending(int sequence, Batch batch, ContentHash[] hashes, long nanos) {}

  /** False if the gateway refused a chunk. */
  private boolean send(
      InputStream in, long length, CRC32C crc, ChunkingRule rule, Consumer<ChunkingRecord> monitor)
      throws IOException, InterruptedException {
    Deque<Pending> pending = new ArrayDeque<>();
    BatchReader reader = new BatchReader(new Limited(in, length), rule);
    long read = 0;
    boolean atEnd = false;
    while (true) {
      while (!atEnd && pending.size() < WINDOW) {
        byte[] data = reader.read();
        Pending next = work(() -> prepare(reader, data, rule, crc));
        if (next == null) {
          atEnd = true;
        } else if (next.hashes() == null) {
          read += next.batch().length();
          transmit(next, new BitSet(), rule, monitor, chunks -> chunks);
          if (isRefused()) {
            return false;
          }
        } else {
          read += next.batch().length();
          connection.send(new Message.Query(next.sequence(), next.hashes()));
          pending.add(next);
        }
      }
      if (pending.isEmpty()) {
        if (read != length) {
          throw new EOFException("the file got shorter while it was copied");
        }
        return true;
      }
      Message reply = reply();
      if (reply instanceof Message.Refused) {
        return false;
      }
      Pending first = pending.remove();
      transmit(first, known(first, reply), rule, monitor, chunks -> chunks);
    }
  }

  /** Of a flow without chunks nothing is answered: but earlier references may be refused. */
  private boolean isRefused() throws IOException {
    Object reply = replies.peek();
    if (reply instanceof Message.Refused) {
      replies.remove();
      return true;
    }
    if (reply instanceof IOException || reply instanceof Message.Failed) {
      throw failure(reply);
    }
    return false;
  }

  private Pending prepare(BatchReader reader, byte[] data, ChunkingRule rule, CRC32C crc) {
    long start = nanos.getAsLong();
    Batch batch = reader.split(data);
    if (batch == null) {
      return null;
    }
    crc.update(batch.data(), 0, batch.length());
    ContentHash[] hashes = null;
    if (rule.policy() != ChunkingPolicy.NONE) {
      hashes = new ContentHash[batch.chunks().length];
      int at = 0;
      for (int i = 0; i < hashes.length; i++) {
        hashes[i] = hasher.hash(batch.data(), at, batch.chunks()[i]);
        at += batch.chunks()[i];
      }
    }
    return new Pending(sequence++, batch, hashes, nanos.getAsLong() - start);
  }

  private void transmit(
      Pending pending,
      BitSet known,
      ChunkingRule rule,
      Consumer<ChunkingRecord> monitor,
      Function<Message.Chunks, Message> message)
      throws IOException, InterruptedException {
    long before = connection.sent();
    long start = nanos.getAsLong();
    Message.Chunks chunks = work(() -> chunks(pending, known, rule));
    long took = pending.nanos() + nanos.getAsLong() - start;
    connection.send(message.apply(chunks));
    long query =
        pending.hashes() == null ? 0 : (long) pending.hashes().length * Payload.QUERY_BYTES;
    long sent = connection.sent() - before + query;
    long uncompressed = sent - chunks.data().bytes().length + chunks.data().rawLength();
    monitor.accept(new ChunkingRecord(pending.batch().length(), took, uncompressed, sent));
  }

  private Message.Chunks chunks(Pending pending, BitSet known, ChunkingRule rule) {
    Batch batch = pending.batch();
    if (pending.hashes() == null) {
      recent.endBatch(batch.length());
      Payload all = Payload.of(batch.data(), batch.length(), rule.compress());
      return new Message.Chunks(
          pending.sequence(), batch.chunks(), new BitSet(), new byte[0][], all);
    }
    BitSet references = new BitSet();
    List<byte[]> fingerprints = new ArrayList<>();
    byte[] missing = new byte[batch.length()];
    int length = 0;
    int at = 0;
    for (int i = 0; i < batch.chunks().length; i++) {
      int chunk = batch.chunks()[i];
      if (known.get(i) || recent.find(pending.hashes()[i]) != null) {
        references.set(i);
        fingerprints.add(hasher.fingerprint(batch.data(), at, chunk));
      } else {
        System.arraycopy(batch.data(), at, missing, length, chunk);
        recent.put(pending.hashes()[i], new RecentChunks.Place(null, length, chunk));
        length += chunk;
      }
      at += chunk;
    }
    recent.endBatch(length);
    return new Message.Chunks(
        pending.sequence(),
        batch.chunks(),
        references,
        fingerprints.toArray(byte[][]::new),
        Payload.of(missing, length, rule.compress()));
  }

  /** False if the gateway refused a chunk. */
  private boolean commit(long length, int crc) throws IOException, InterruptedException {
    connection.send(new Message.Commit(length, crc));
    Message reply = reply();
    if (reply instanceof Message.Refused) {
      return false;
    }
    if (!(reply instanceof Message.Committed committed)
        || committed.length() != length
        || committed.crc() != crc) {
      throw unexpected(reply);
    }
    return true;
  }

  private Message reply() throws IOException, InterruptedException {
    Object reply = replies.poll(PATIENCE, TimeUnit.SECONDS);
    if (reply == null) {
      throw new IOException("the gateway didn't answer for " + PATIENCE + " s");
    }
    if (reply instanceof IOException || reply instanceof Message.Failed) {
      throw failure(reply);
    }
    return (Message) reply;
  }

  private static IOException failure(Object reply) {
    return reply instanceof Message.Failed failed
        ? new LinkException(failed.code(), failed.text())
        : new IOException("connection to the gateway: " + cause((IOException) reply));
  }

  private static String cause(IOException e) {
    return e instanceof EOFException ? "it ended" : e.getMessage();
  }

  private static IOException unexpected(Message reply) {
    return reply instanceof Message.Failed failed
        ? new LinkException(failed.code(), failed.text())
        : new ProtocolException(
            "the gateway's " + reply.getClass().getSimpleName() + " wasn't expected");
  }

  private <T> T work(Callable<T> task) throws IOException, InterruptedException {
    try {
      return lane == null ? task.call() : lane.submit(task).get();
    } catch (InterruptedException e) {
      throw e;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }

  /** The first bytes of a stream. */
  private static final class Limited extends InputStream {
    private final InputStream in;
    private long left;

    Limited(InputStream in, long length) {
      this.in = in;
      this.left = length;
    }

    @Override
    public int read() throws IOException {
      throw new UnsupportedOperationException("arrays only");
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (left == 0) {
        return -1;
      }
      int read = in.read(into, from, (int) Math.min(length, left));
      left -= Math.max(0, read);
      return read;
    }
  }
}
