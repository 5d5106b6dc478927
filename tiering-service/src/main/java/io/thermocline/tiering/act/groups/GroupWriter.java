// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import io.thermocline.hints.redirect.GroupFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Copies small files, and blocks of larger ones, that are read together into a group file. Not
 * thread-safe.
 */
public final class GroupWriter {

  /** A block is a multiple of the bytes of a checksum. */
  private static final long BLOCK_UNIT = 1 << 20;

  /** Bytes that are copied in one go. */
  private static final int PIECE = 1 << 20;

  private static final Part NOTHING = new Part(List.of(), List.of(), List.of(), List.of());

  private static final long ANY_INODE = 0;

  private final GroupStore store;
  private final long mostBytes;

  /**
   * Where the replicas go, and what the table tells of the group.
   *
   * @param nodes host and port for data of each; as many replicas. HDFS takes them as wishes
   * @param storagePolicy name of one whose replicas all lie on the type that was chosen; null for the directory's
   * @param pattern local or global
   * @param sequence as random_small
   */
  public record Wish(
      List<InetSocketAddress> nodes, String storagePolicy, String pattern, String sequence) {
    public Wish {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * Originals that may lie in one file.
   *
   * @param paths of files, or {@link MemberName} of blocks
   * @param inodes in the order of the paths
   * @param blocks the one block of each, in the same order
   * @param sizes in bytes, in the same order
   */
  public record Part(List<String> paths, List<Long> inodes, List<Long> blocks, List<Long> sizes) {
    private Part with(String path, Original original) {
      if (blocks.contains(original.block().getBlockId())) {
        // By another name.
        return this;
      }
      return new Part(
          and(paths, path),
          and(inodes, original.inode()),
          and(blocks, original.block().getBlockId()),
          and(sizes, original.length()));
    }

    private static <T> List<T> and(List<T> list, T one) {
      List<T> more = new ArrayList<>(list);
      more.add(one);
      return more;
    }

    /** Of all. */
    public long bytes() {
      return sizes.stream().mapToLong(Long::longValue).sum();
    }

    /** Bytes of the largest. */
    public long largest() {
      return sizes.stream().mapToLong(Long::longValue).max().orElse(0);
    }
  }

  /**
   * @param mostBytes of an original: a file of one block, or a block
   */
  public GroupWriter(GroupStore store, long mostBytes) {
    this.store = store;
    this.mostBytes = mostBytes;
  }

  /**
   * The members of a group in parts that may lie in one file: with the same readers. What may not be in any, as
   * encrypted files, large ones and ones in directories that aren't open to all, is left out; so are parts of one.
   *
   * @param paths of the originals: {@link MemberName}
   */
  public List<Part> parts(List<String> paths) throws IOException {
    Map<String, Part> parts = new TreeMap<>();
    Map<Long, Boolean> open = new HashMap<>();
    for (String path : paths) {
      Optional<Original> original = candidate(path, open);
      if (original.isPresent()) {
        String readers = original.get().readers().toString();
        parts.put(readers, parts.getOrDefault(readers, NOTHING).with(path, original.get()));
      }
    }
    return parts.values().stream().filter(part -> part.paths().size() > 1).toList();
  }

  /**
   * @param open directories, as far as they were looked at
   */
  private Optional<Original> candidate(String name, Map<Long, Boolean> open) throws IOException {
    Optional<Original> original = Original.of(store, MemberName.of(name));
    if (original.isEmpty()
        || original.get().length() > mostBytes
        || !Original.isOpenToAll(store, original.get().inode(), open)) {
      return Optional.empty();
    }
    return original;
  }

  /** Writes the group file of whatever is called so now. */
  public Optional<GroupFile> write(long id, List<String> paths, Wish wish) throws IOException {
    return write(id, paths, Collections.nCopies(paths.size(), ANY_INODE), wish, () -> {});
  }

  /**
   * Writes the group file. The table doesn't name it yet.
   *
   * @param id not used before
   * @param paths of one of the {@link #parts}
   * @param inodes of these: another file that has the name by now is left out
   * @param progressed runs for each original that is looked at, and for each piece that is copied
   * @return empty where the originals changed meanwhile, so that fewer than two are left
   */
  public Optional<GroupFile> write(
      long id, List<String> paths, List<Long> inodes, Wish wish, Runnable progressed)
      throws IOException {
    List<Original> originals = new ArrayList<>();
    Map<Long, Boolean> open = new HashMap<>();
    for (int i = 0; i < paths.size(); i++) {
      long inode = inodes.get(i);
      progressed.run();
      candidate(paths.get(i), open)
          .filter(original -> inode == ANY_INODE || original.inode() == inode)
          .filter(original -> originals.stream().noneMatch(original::hasSameBlock))
          .filter(
              original ->
                  originals.isEmpty() || original.readers().equals(originals.get(0).readers()))
          .ifPresent(originals::add);
    }
    if (originals.size() < 2) {
      return Optional.empty();
    }
    Original.Readers readers = originals.get(0).readers();
    Path unfinished = store.unfinishedPathOf(id);
    try {
      Optional<GroupFile> written = copy(id, originals, unfinished, wish, progressed);
      if (written.isPresent()) {
        if (readers.owner() != null) {
          // Else it stays ours: who owns a file may give himself the right to write it.
          store.fs().setOwner(unfinished, readers.owner(), readers.group());
        }
        store.fs().setPermission(unfinished, readers.permission());
        if (!store.fs().rename(unfinished, store.pathOf(id))) {
          throw new IOException("no group file could be put at " + store.pathOf(id));
        }
        return written;
      }
    } catch (IOException e) {
      store.fs().delete(unfinished, false);
      throw e;
    }
    store.fs().delete(unfinished, false);
    return Optional.empty();
  }

  private Optional<GroupFile> copy(
      long id, List<Original> originals, Path unfinished, Wish wish, Runnable progressed)
      throws IOException {
    long bytes = originals.stream().mapToLong(Original::length).sum();
    List<GroupFile.Member> members = new ArrayList<>();
    String pool = originals.get(0).block().getBlockPoolId();
    try (FSDataOutputStream out = create(unfinished, bytes + BLOCK_UNIT, wish)) {
      for (Original original : originals) {
        long offset = out.getPos();
        OptionalLong checksum = copy(original, out, progressed);
        if (checksum.isEmpty()) {
          return Optional.empty();
        }
        members.add(
            new GroupFile.Member(
                original.inode(),
                original.block().getBlockId(),
                original.block().getGenerationStamp(),
                original.length(),
                offset,
                checksum.getAsLong()));
      }
      GroupFile group =
          new GroupFile(
              id,
              store.pathOf(id).toUri().getPath(),
              out.getPos(),
              wish.pattern(),
              wish.sequence(),
              members);
      out.write(GroupStore.tail(pool, group));
      return Optional.of(group);
    }
  }

  private FSDataOutputStream create(Path path, long bytes, Wish wish) throws IOException {
    DistributedFileSystem fs = store.fs();
    long block = (Math.max(bytes, fs.getDefaultBlockSize(path)) + BLOCK_UNIT - 1) / BLOCK_UNIT;
    DistributedFileSystem.HdfsDataOutputStreamBuilder builder =
        fs.createFile(path)
            .overwrite(true)
            .replicate()
            .permission(store.unfinishedPermission())
            .blockSize(block * BLOCK_UNIT);
    if (!wish.nodes().isEmpty()) {
      builder
          .replication((short) wish.nodes().size())
          .favoredNodes(wish.nodes().toArray(new InetSocketAddress[0]));
    }
    if (wish.storagePolicy() != null) {
      builder.storagePolicyName(wish.storagePolicy());
    }
    return builder.build();
  }

  /**
   * Copies its bytes.
   *
   * @return their checksum; empty where it changed while it was read. Whatever writes to a file
   *     raises the block's
   *     generation stamp or gives it another block before the first new byte can be read, so
   *     bytes read between two looks that show the same are those of it
   */
  private OptionalLong copy(Original original, FSDataOutputStream out, Runnable progressed)
      throws IOException {
    CRC32 checksum = new CRC32();
    byte[] piece = new byte[(int) Math.min(PIECE, original.length())];
    try (FSDataInputStream in = open(original)) {
      for (long done = 0; in != null && done < original.length(); done += piece.length) {
        int length = (int) Math.min(piece.length, original.length() - done);
        if (!isRead(in, original.offset() + done, piece, length)) {
          return OptionalLong.empty();
        }
        checksum.update(piece, 0, length);
        out.write(piece, 0, length);
        progressed.run();
      }
      boolean isStill =
          in != null
              && Original.of(store, original.inode(), original.block().getBlockId())
                  .filter(now -> now.isStill(original.block(), original.length()))
                  .isPresent();
      return isStill ? OptionalLong.of(checksum.getValue()) : OptionalLong.empty();
    }
  }

  /** Null where it is gone. */
  private FSDataInputStream open(Original original) {
    try {
      return store.fs().open(Original.pathOf(original.inode()));
    } catch (IOException e) {
      return null;
    }
  }

  /** False where it is gone, or shorter by now. */
  private static boolean isRead(FSDataInputStream in, long at, byte[] piece, int length) {
    try {
      in.readFully(at, piece, 0, length);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
