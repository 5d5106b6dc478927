// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import io.thermocline.hints.redirect.GroupFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Copies small files that are read together into a group file. Not thread-safe. */
public final class GroupWriter {

  /** A block is a multiple of the bytes of a checksum. */
  private static final long BLOCK_UNIT = 1 << 20;

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
   * @param mostBytes of an original
   */
  public GroupWriter(GroupStore store, long mostBytes) {
    this.store = store;
    this.mostBytes = mostBytes;
  }

  private record Candidate(Path path, Original original) {}

  /**
   * Originals that may lie in one file.
   *
   * @param inodes in the order of the paths
   * @param sizes in bytes, in the same order
   */
  public record Part(List<String> paths, List<Long> inodes, List<Long> sizes) {
    private Part with(String path, Original original) {
      return new Part(
          and(paths, path), and(inodes, original.inode()), and(sizes, original.length()));
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

  private static final Part NOTHING = new Part(List.of(), List.of(), List.of());

  /**
   * The members of a group in parts that may lie in one file: with the same readers. What may not be in any, as
   * encrypted files, large ones and ones in directories that aren't open to all, is left out; so are parts of one.
   *
   * @param paths of the originals
   */
  public List<Part> parts(List<String> paths) throws IOException {
    Map<String, Part> parts = new TreeMap<>();
    Map<Long, Boolean> open = new HashMap<>();
    for (String path : paths) {
      Optional<Candidate> candidate = candidate(new Path(path), open);
      if (candidate.isPresent()) {
        Original original = candidate.get().original();
        String readers = original.readers().toString();
        parts.put(readers, parts.getOrDefault(readers, NOTHING).with(path, original));
      }
    }
    return parts.values().stream().filter(part -> part.paths().size() > 1).toList();
  }

  /**
   * @param open directories, as far as they were looked at
   */
  private Optional<Candidate> candidate(Path path, Map<Long, Boolean> open) throws IOException {
    Optional<Original> original = Original.of(store, path);
    if (original.isEmpty()
        || original.get().length() > mostBytes
        || !Original.isOpenToAll(store, original.get().inode(), open)) {
      return Optional.empty();
    }
    return Optional.of(new Candidate(path, original.get()));
  }

  /**
   * Writes the group file. The table doesn't name it yet.
   *
   * @param id not used before
   * @param paths of one of the {@link #parts}
   * @return empty where the originals changed meanwhile, so that fewer than two are left
   */
  public Optional<GroupFile> write(long id, List<String> paths, Wish wish) throws IOException {
    List<Candidate> candidates = new ArrayList<>();
    Map<Long, Boolean> open = new HashMap<>();
    for (String path : paths) {
      candidate(new Path(path), open)
          .filter(
              candidate ->
                  candidates.isEmpty()
                      || candidate
                          .original()
                          .readers()
                          .equals(candidates.get(0).original().readers()))
          .ifPresent(candidates::add);
    }
    if (candidates.size() < 2) {
      return Optional.empty();
    }
    Original.Readers readers = candidates.get(0).original().readers();
    Path unfinished = store.unfinishedPathOf(id);
    try {
      Optional<GroupFile> written = copy(id, candidates, unfinished, wish);
      if (written.isPresent()) {
        store.fs().setOwner(unfinished, readers.owner(), readers.group());
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

  private Optional<GroupFile> copy(long id, List<Candidate> candidates, Path unfinished, Wish wish)
      throws IOException {
    long bytes = candidates.stream().mapToLong(each -> each.original().length()).sum();
    List<GroupFile.Member> members = new ArrayList<>();
    String pool = candidates.get(0).original().block().getBlockPoolId();
    try (FSDataOutputStream out = create(unfinished, bytes + BLOCK_UNIT, wish)) {
      for (Candidate candidate : candidates) {
        byte[] content = read(candidate);
        if (content == null) {
          return Optional.empty();
        }
        CRC32 checksum = new CRC32();
        checksum.update(content);
        Original original = candidate.original();
        members.add(
            new GroupFile.Member(
                original.inode(),
                original.block().getBlockId(),
                original.block().getGenerationStamp(),
                content.length,
                out.getPos(),
                checksum.getValue()));
        out.write(content);
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
   * Its bytes; null where it changed while it was read. Whatever writes to a file raises the block's generation stamp or
   * gives it another block before the first new byte can be read, so bytes read between two looks that
   * show the same are those of it.
   */
  private byte[] read(Candidate candidate) throws IOException {
    byte[] content = new byte[(int) candidate.original().length()];
    try (FSDataInputStream in = store.fs().open(Original.pathOf(candidate.original().inode()))) {
      in.readFully(0, content);
    } catch (IOException e) {
      // Gone, or shorter by now.
      return null;
    }
    return Original.of(store, Original.pathOf(candidate.original().inode()))
        .filter(now -> now.isStill(candidate.original().block(), content.length))
        .map(now -> content)
        .orElse(null);
  }
}
