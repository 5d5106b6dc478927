// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.image;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeDirectorySection.DirEntry;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.NameSystemSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.StringTableSection;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * An image of a warehouse, drawn from a seed and written with Hadoop's own messages: databases, tables, partitions by
 * day, files of Zipf-like numbers and log-normal sizes. Ids as a NameNode gives them: in sequence, three of five gone
 * again. Inodes in the order of a NameNode's hash table, in which far ids are neighbours.
 */
public final class GeneratedImage {
  private static final long ROOT = 16385;
  private static final long BLOCK = 128L << 20;
  private static final int TABLE_ENTRIES = 1 << 22;
  private static final int POLICY_NUMBER = 1;
  private static final int POLICY_ATTRIBUTE = 3 << 30 | POLICY_NUMBER << 6;
  private static final int[] POLICIES = {2, 5, 7, 10, 12};
  private static final long PERMISSION = 1L << 40 | 1L << 16 | 0644;

  /** What a reader must find. Sums wrap. */
  public record Totals(
      long files, long directories, long bytes, long paths, long policies, long times) {}

  private record Directory(long id, int parent, String name, int policy) {}

  private final SplittableRandom random;
  private final int fileCount;
  private final CompressionCodec codec;
  private final List<Directory> directories = new ArrayList<>();
  private final List<String> paths = new ArrayList<>();
  private final List<Integer> effective = new ArrayList<>();
  private final long[] fileIds;
  private final int[] fileDirectories;
  private long nextId = ROOT;
  private int files;

  private long bytes;
  private long pathSum;
  private long policySum;
  private long timeSum;

  private GeneratedImage(int fileCount, long seed, CompressionCodec codec) {
    this.random = new SplittableRandom(seed);
    this.fileCount = fileCount;
    this.codec = codec;
    this.fileIds = new long[fileCount];
    this.fileDirectories = new int[fileCount];
  }

  /**
   * @param codec null for none
   */
  public static Totals write(Path image, int files, long seed, CompressionCodec codec)
      throws IOException {
    return new GeneratedImage(files, seed, codec).write(image);
  }

  private long id() {
    long id = nextId;
    nextId += 1 + (random.nextInt(5) < 3 ? random.nextInt(5) : 0);
    return id;
  }

  private int directory(int parent, String name) {
    // One in twelve has a policy of its own.
    int policy =
        parent > 0 && random.nextInt(12) == 0 ? POLICIES[random.nextInt(POLICIES.length)] : 0;
    directories.add(new Directory(id(), parent, name, policy));
    paths.add(parent < 0 ? "/" : paths.get(parent) + name + "/");
    effective.add(policy != 0 || parent < 0 ? policy : effective.get(parent));
    return directories.size() - 1;
  }

  private void plant() {
    int warehouse =
        directory(directory(directory(directory(-1, ""), "warehouse"), "tablespace"), "external");
    while (files < fileCount) {
      int database = directory(warehouse, "db" + directories.size());
      int tables = 1 + random.nextInt(40);
      for (int t = 0; t < tables && files < fileCount; t++) {
        int table = directory(database, "table_é" + t);
        int partitions = 1 + random.nextInt(200);
        int most = 1 + (int) Math.min(5000, 4 / (random.nextDouble() + 0.0008));
        for (int p = 0; p < partitions && files < fileCount; p++) {
          int partition =
              directory(
                  table,
                  "dt=20%02d-%02d-%02d".formatted(20 + p / 336, 1 + p / 28 % 12, 1 + p % 28));
          for (int f = random.nextInt(most + 1); f > 0 && files < fileCount; f--) {
            fileDirectories[files] = partition;
            fileIds[files++] = id();
          }
        }
      }
    }
  }

  private Totals write(Path image) throws IOException {
    plant();
    FileSummary.Builder summary =
        FileSummary.newBuilder().setOndiskVersion(1).setLayoutVersion(-66);
    if (codec != null) {
      summary.setCodec(codec.getClass().getName());
    }
    try (Sections out =
        new Sections(new BufferedOutputStream(Files.newOutputStream(image), 1 << 20), codec)) {
      out.raw("HDFSIMG1".getBytes(StandardCharsets.US_ASCII));
      out.message(
          NameSystemSection.newBuilder().setNamespaceId(1).setTransactionId(nextId).build());
      out.commit(summary, "NS_INFO");
      writeInodes(out);
      out.commit(summary, "INODE");
      writeChildren(out);
      out.commit(summary, "INODE_DIR");
      out.commit(summary, "INODE_REFERENCE");
      writeStrings(out);
      out.commit(summary, "STRING_TABLE");
      out.finish(summary.build());
    }
    return new Totals(files, directories.size(), bytes, pathSum, policySum, timeSum);
  }

  private void writeStrings(Sections out) throws IOException {
    out.message(StringTableSection.newBuilder().setNumEntry(3).setMaskBits(3).build());
    string(out, 1 << 29 | 1, "hive");
    string(out, 2 << 29 | 1, "hadoop");
    string(out, 3 << 29 | POLICY_NUMBER, "hsm.block.storage.policy.id");
  }

  private static void string(Sections out, int id, String text) throws IOException {
    out.message(StringTableSection.Entry.newBuilder().setId(id).setStr(text).build());
  }

  /** By the low bits of their ids, as their hash table holds them. */
  private void writeInodes(Sections out) throws IOException {
    out.message(
        INodeSection.newBuilder()
            .setLastInodeId(nextId)
            .setNumInodes((long) files + directories.size())
            .build());
    long runs = nextId / TABLE_ENTRIES + 1;
    int[] nextFile = new int[(int) runs];
    int[] nextDirectory = new int[(int) runs];
    for (int run = 0; run < runs; run++) {
      nextFile[run] = firstFile((long) run * TABLE_ENTRIES);
      nextDirectory[run] = firstDirectory((long) run * TABLE_ENTRIES);
    }
    for (int entry = 0; entry < TABLE_ENTRIES; entry++) {
      for (int run = 0; run < runs; run++) {
        long id = (long) run * TABLE_ENTRIES + entry;
        if (nextFile[run] < files && fileIds[nextFile[run]] == id) {
          out.message(file(nextFile[run]++));
        } else if (nextDirectory[run] < directories.size()
            && directories.get(nextDirectory[run]).id() == id) {
          out.message(directory(directories.get(nextDirectory[run]++)));
        }
      }
    }
  }

  private int firstFile(long id) {
    int at = java.util.Arrays.binarySearch(fileIds, 0, files, id);
    return at < 0 ? -at - 1 : at;
  }

  private int firstDirectory(long id) {
    int low = 0;
    int high = directories.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (directories.get(middle).id() < id) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private INodeSection.INode file(int file) {
    long id = fileIds[file];
    String name =
        "part-%05d-%016x-%08x-c000.snappy.parquet"
            .formatted(file % 1000, random.nextLong(), random.nextInt());
    long modified = 1_700_000_000_000L + random.nextLong(90_000_000_000L);
    long accessed = modified + random.nextLong(9_000_000_000L);
    int policy = random.nextInt(100) == 0 ? POLICIES[random.nextInt(POLICIES.length)] : 0;
    INodeSection.INodeFile.Builder builder =
        INodeSection.INodeFile.newBuilder()
            .setReplication(3)
            .setModificationTime(modified)
            .setAccessTime(accessed)
            .setPreferredBlockSize(BLOCK)
            .setPermission(PERMISSION)
            .setStoragePolicyID(policy);
    // Median 32 MB.
    double normal = random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
    long length = (long) (Math.exp(4 * normal) * (32L << 20));
    for (long rest = length; rest > 0; rest -= BLOCK) {
      builder.addBlocks(
          BlockProto.newBuilder()
              .setBlockId((1L << 30) + 8 * id)
              .setGenStamp(id)
              .setNumBytes(Math.min(rest, BLOCK)));
    }
    int directory = fileDirectories[file];
    bytes += length;
    pathSum += hash(paths.get(directory) + name);
    policySum += policy != 0 ? policy : effective.get(directory);
    timeSum += 31 * modified + accessed;
    return INodeSection.INode.newBuilder()
        .setType(INodeSection.INode.Type.FILE)
        .setId(id)
        .setName(ByteString.copyFromUtf8(name))
        .setFile(builder)
        .build();
  }

  /** What {@link Totals#paths} is the sum of. */
  public static long hash(String path) {
    return path.hashCode() * 0x9e3779b97f4a7c15L;
  }

  private static INodeSection.INode directory(Directory directory) {
    INodeSection.INodeDirectory.Builder builder =
        INodeSection.INodeDirectory.newBuilder()
            .setModificationTime(1_700_000_000_000L)
            .setNsQuota(-1)
            .setDsQuota(-1)
            .setPermission(PERMISSION);
    if (directory.policy() != 0) {
      builder.setXAttrs(
          INodeSection.XAttrFeatureProto.newBuilder()
              .addXAttrs(
                  INodeSection.XAttrCompactProto.newBuilder()
                      .setName(POLICY_ATTRIBUTE)
                      .setValue(ByteString.copyFrom(new byte[] {(byte) directory.policy()}))));
    }
    return INodeSection.INode.newBuilder()
        .setType(INodeSection.INode.Type.DIRECTORY)
        .setId(directory.id())
        .setName(ByteString.copyFromUtf8(directory.name()))
        .setDirectory(builder)
        .build();
  }

  private void writeChildren(Sections out) throws IOException {
    List<DirEntry.Builder> entries = new ArrayList<>();
    for (Directory directory : directories) {
      entries.add(DirEntry.newBuilder().setParent(directory.id()));
    }
    for (Directory directory : directories) {
      if (directory.parent() >= 0) {
        entries.get(directory.parent()).addChildren(directory.id());
      }
    }
    for (int file = 0; file < files; file++) {
      entries.get(fileDirectories[file]).addChildren(fileIds[file]);
    }
    for (DirEntry.Builder entry : entries) {
      if (entry.getChildrenCount() > 0) {
        out.message(entry.build());
      }
    }
  }

  /** Sections one after the other, each compressed by itself. */
  private static final class Sections implements AutoCloseable {
    private final Counted out;
    private final CompressionCodec codec;
    private OutputStream section;
    private long from;

    Sections(OutputStream out, CompressionCodec codec) {
      this.out = new Counted(out);
      this.codec = codec;
    }

    void raw(byte[] bytes) throws IOException {
      out.write(bytes);
      begin();
    }

    void message(Message message) throws IOException {
      message.writeDelimitedTo(section);
    }

    void commit(FileSummary.Builder summary, String name) throws IOException {
      if (section instanceof CompressionOutputStream compressed) {
        compressed.finish();
      }
      section.flush();
      summary.addSections(
          FileSummary.Section.newBuilder()
              .setName(name)
              .setOffset(from)
              .setLength(out.written - from));
      begin();
    }

    private void begin() throws IOException {
      from = out.written;
      section = codec == null ? out : codec.createOutputStream(out);
    }

    void finish(FileSummary summary) throws IOException {
      long before = out.written;
      summary.writeDelimitedTo(out);
      int length = (int) (out.written - before);
      out.write(
          new byte[] {
            (byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length
          });
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  private static final class Counted extends FilterOutputStream {
    private long written;

    Counted(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      written++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
      written += length;
    }
  }
}
