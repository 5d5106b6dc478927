// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import io.thermocline.redundancy.index.ChunkHasher;
import io.thermocline.redundancy.index.ChunkPlace;
import io.thermocline.redundancy.index.ContentHash;
import io.thermocline.redundancy.index.KnownFiles.KnownFile;
import io.thermocline.redundancy.index.TenantKey;
import io.thermocline.redundancy.store.RemoteStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.security.MessageDigest;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The gateway's side of one connection: a message in, at most one out. It creates temporary files and gives complete ones
 * their name. It changes no other file. For one thread.
 */
public final class GatewaySession implements Closeable {

  /** Queries that may wait for their chunks. */
  static final int MAX_PENDING = 32;

  /** Hashes of all of them. */
  private static final int MAX_PENDING_CHUNKS = 4 * BatchReader.MAX_CHUNKS;

  private static final int BUFFER = 1 << 20;

  private enum State {
    NEW,
    CHALLENGED,
    READY,
    WRITING,
    /** After a refusal: what was under way is dropped. */
    DROPPING
  }

  private final GatewayState shared;
  private final byte[] nonce;
  private final PlaceReader places;
  private final RecentChunks recent = new RecentChunks(RecentChunks.GATEWAY_BYTES);
  private final Map<Integer, ContentHash[]> pending = new LinkedHashMap<>();
  private State state = State.NEW;
  private TenantKey key;
  private byte[] senderNonce;
  private ChunkHasher hasher;

  // Of the file that is written.
  private String path;
  private long announced;
  private RemoteStore.Writer writer;
  private CRC32C crc;
  private long written;
  private int file;

  /**
   * @param nonce drawn for this connection
   */
  public GatewaySession(GatewayState shared, byte[] nonce) {
    this.shared = shared;
    this.nonce = nonce;
    this.places = new PlaceReader(shared.store());
  }

  /** How long the next message may be. */
  public int maxMessage() {
    return state == State.NEW || state == State.CHALLENGED
        ? MessageCodec.MAX_GREETING
        : MessageCodec.MAX_MESSAGE;
  }

  /**
   * The reply; null for none. After a {@link Message.Failed} the connection is closed.
   *
   * @throws IOException of the file system; the temporary file stays, as far as it is written
   */
  public Message handle(Message message) throws IOException {
    if (state == State.NEW && message instanceof Message.Hello hello) {
      return greet(hello);
    } else if (state == State.CHALLENGED && message instanceof Message.Proof proof) {
      return admit(proof);
    } else if (state == State.NEW || state == State.CHALLENGED) {
      throw new ProtocolException("greeting: found " + message.getClass().getSimpleName());
    } else if (message instanceof Message.Open open) {
      pending.clear();
      return open(open);
    } else if (message instanceof Message.Query query) {
      return answer(query);
    } else if (message instanceof Message.Chunks chunks) {
      return write(chunks);
    } else if (message instanceof Message.Commit commit) {
      return commit(commit);
    } else if (message instanceof Message.Put put) {
      return put(put);
    }
    throw new ProtocolException("not a sender's message: " + message.getClass().getSimpleName());
  }

  private Message greet(Message.Hello hello) {
    key = shared.keys().get(hello.tenant());
    if (hello.version() != Message.VERSION || key == null) {
      return new Message.Failed(
          hello.version() == Message.VERSION ? Message.Code.DENIED : Message.Code.INVALID,
          hello.version() == Message.VERSION
              ? "unknown tenant or wrong secret"
              : "protocol: expected version " + Message.VERSION + ", found " + hello.version());
    }
    state = State.CHALLENGED;
    senderNonce = hello.nonce();
    return new Message.Challenge(nonce, key.proof("gateway", senderNonce, nonce));
  }

  private Message admit(Message.Proof proof) {
    if (!MessageDigest.isEqual(proof.proof(), key.proof("sender", senderNonce, nonce))) {
      return new Message.Failed(Message.Code.DENIED, "unknown tenant or wrong secret");
    }
    hasher = new ChunkHasher(key);
    state = State.READY;
    return new Message.Welcome();
  }

  private Message open(Message.Open open) throws IOException {
    RemotePath.check(open.path());
    release();
    state = State.READY;
    String wanted = key.tenant() + "/" + open.path();
    if (!shared.lock(wanted)) {
      return new Message.Failed(Message.Code.BUSY, "somebody else writes " + open.path());
    }
    path = wanted;
    String partial = RemotePath.partial(path);
    OptionalLong complete = shared.store().length(path);
    if (complete.isPresent()) {
      // Of a gateway that died between the two steps of a rename.
      shared.store().delete(partial);
      int found = shared.store().checksum(path);
      release();
      return new Message.Opened(true, complete.getAsLong(), found);
    }
    crc = new CRC32C();
    written = 0;
    OptionalLong begun = shared.store().length(partial);
    if (begun.isPresent() && !open.startOver() && begun.getAsLong() <= open.length()) {
      writer = shared.store().append(partial);
      written = readBack(partial);
    } else {
      shared.store().delete(partial);
      writer = shared.store().create(partial);
    }
    announced = open.length();
    file = shared.files().reserve();
    state = State.WRITING;
    return new Message.Opened(false, written, (int) crc.getValue());
  }

  /** What an earlier connection wrote: its checksum is that of what is there. */
  private long readBack(String partial) throws IOException {
    byte[] buffer = new byte[BUFFER];
    long position = 0;
    try (RemoteStore.Reader reader = shared.store().open(partial)) {
      for (int read = reader.read(0, buffer, BUFFER);
          read > 0;
          read = reader.read(position, buffer, BUFFER)) {
        crc.update(buffer, 0, read);
        position += read;
      }
    }
    return position;
  }

  private Message answer(Message.Query query) throws ProtocolException {
    if (state == State.DROPPING) {
      return null;
    }
    int waiting = pending.values().stream().mapToInt(hashes -> hashes.length).sum();
    if (pending.size() >= MAX_PENDING || waiting + query.hashes().length > MAX_PENDING_CHUNKS) {
      throw new ProtocolException("too many queries without their chunks");
    }
    BitSet known = new BitSet(query.hashes().length);
    for (int i = 0; i < query.hashes().length; i++) {
      known.set(i, place(query.hashes()[i]).isPresent());
    }
    if (pending.put(query.sequence(), query.hashes()) != null) {
      throw new ProtocolException("query " + query.sequence() + " twice");
    }
    return new Message.Answer(query.sequence(), query.hashes().length, known);
  }

  private record Found(KnownFile file, ChunkPlace place) {}

  private Optional<Found> place(ContentHash hash) {
    ChunkPlace place = shared.index().find(hash);
    if (place == null) {
      return Optional.empty();
    }
    return shared.files().find(key.tenant(), place.file()).map(known -> new Found(known, place));
  }

  private Message write(Message.Chunks chunks) throws IOException {
    if (state == State.DROPPING) {
      return null;
    }
    if (state != State.WRITING) {
      throw new ProtocolException("chunks without a file");
    }
    ContentHash[] hashes = pending.remove(chunks.sequence());
    int[] lengths = chunks.lengths();
    if (hashes == null ? !chunks.references().isEmpty() : hashes.length != lengths.length) {
      throw new ProtocolException("chunks: other ones than in query " + chunks.sequence());
    }
    int total = 0;
    for (int length : lengths) {
      total += length;
    }
    if (total > announced - written) {
      throw new ProtocolException("chunks: more than the file's " + announced + " bytes");
    }
    byte[] data = chunks.data().raw();
    byte[] batch = new byte[total];
    int from = 0;
    int at = 0;
    int reference = 0;
    for (int i = 0; i < lengths.length; i++) {
      if (chunks.references().get(i)) {
        if (!take(hashes[i], batch, at, lengths[i], chunks.fingerprints()[reference++])) {
          return refuse();
        }
      } else {
        System.arraycopy(data, from, batch, at, lengths[i]);
        if (hashes != null) {
          ContentHash hash = hasher.hash(data, from, lengths[i]);
          recent.put(hash, new RecentChunks.Place(data, from, lengths[i]));
          shared.index().put(hash, new ChunkPlace(file, written + at, lengths[i]));
        }
        from += lengths[i];
      }
      at += lengths[i];
    }
    recent.endBatch(data.length);
    writer.write(batch, 0, total);
    crc.update(batch, 0, total);
    written += total;
    return null;
  }

  /** Whether the chunk was found, and is what the sender has. */
  private boolean take(ContentHash hash, byte[] into, int at, int length, byte[] fingerprint) {
    RecentChunks.Place near = recent.find(hash);
    if (near != null && near.length() == length) {
      System.arraycopy(near.data(), near.from(), into, at, length);
      if (MessageDigest.isEqual(hasher.fingerprint(into, at, length), fingerprint)) {
        return true;
      }
    }
    Optional<Found> found = place(hash);
    if (found.isPresent() && found.get().place().length() == length) {
      long offset = found.get().place().offset();
      try {
        if (places.read(found.get().file().path(), offset, into, at, length)
            && MessageDigest.isEqual(hasher.fingerprint(into, at, length), fingerprint)) {
          return true;
        }
      } catch (IOException e) {
        // The file is gone, or can't be read: the sender has the chunk.
      }
    }
    shared.index().remove(hash);
    return false;
  }

  private Message refuse() throws IOException {
    release();
    state = State.DROPPING;
    return new Message.Refused();
  }

  private Message commit(Message.Commit commit) throws IOException {
    if (state == State.DROPPING) {
      return null;
    }
    if (state != State.WRITING) {
      throw new ProtocolException("commit without a file");
    }
    String partial = RemotePath.partial(path);
    boolean isWhole =
        commit.length() == announced
            && written == announced
            && (int) crc.getValue() == commit.crc();
    writer.finish();
    writer = null;
    if (!isWhole
        || shared.store().length(partial).orElse(-1) != announced
        || shared.store().checksum(partial) != commit.crc()) {
      shared.store().delete(partial);
      release();
      return new Message.Failed(
          Message.Code.FAILED, "the file isn't what was sent: it is deleted; try again");
    }
    try {
      shared.store().rename(partial, path);
    } catch (FileAlreadyExistsException e) {
      shared.store().delete(partial);
      release();
      return new Message.Failed(Message.Code.INVALID, "there is a file of that name by now");
    }
    shared.files().add(file, new KnownFile(key.tenant(), path));
    release();
    return new Message.Committed(commit.length(), commit.crc());
  }

  private Message put(Message.Put put) throws IOException {
    if (state != State.READY) {
      throw new ProtocolException("a small file within another");
    }
    Message begun = open(new Message.Open(put.path(), put.length(), true));
    if (state != State.WRITING) {
      pending.remove(put.chunks().sequence());
      return begun;
    }
    Message refused = write(put.chunks());
    if (refused != null) {
      state = State.READY;
      return refused;
    }
    return commit(new Message.Commit(put.length(), put.crc()));
  }

  /** Leaves the file, with what is written of it. */
  private void release() throws IOException {
    RemoteStore.Writer open = writer;
    writer = null;
    if (state == State.WRITING) {
      state = State.READY;
    }
    try {
      if (open != null) {
        open.close();
      }
    } finally {
      if (path != null) {
        shared.unlock(path);
        path = null;
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      release();
    } finally {
      places.close();
    }
  }
}
