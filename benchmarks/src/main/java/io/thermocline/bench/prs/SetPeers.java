// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.HarFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;

/**
 * The same files in a Hadoop archive (HAR), and in one SequenceFile with a record for each file, set by set. Clients read
 * the archive by Hadoop's own file system, and know where each set begins in the SequenceFile. The archive is written
 * here, as the tool for it needs YARN.
 */
final class SetPeers {
  private static final Path ARCHIVE = new Path("/peers/sets.har");
  private static final Path SEQUENCE_FILE = new Path("/peers/sets.seq");
  private static final long BLOCK_BYTES = 16 << 20;
  private static final String PART = "part-0";

  private final SetScale scale;
  private final DistributedFileSystem fs;
  private final long[] starts;

  SetPeers(SetScale scale, DistributedFileSystem fs) {
    this.scale = scale;
    this.fs = fs;
    this.starts = new long[scale.sets()];
  }

  void write() throws IOException {
    StringBuilder index = new StringBuilder();
    index.append("%2F dir 0+0+0+0 0 0 sets\n");
    try (OutputStream part = create(new Path(ARCHIVE, PART));
        SequenceFile.Writer sequence =
            SequenceFile.createWriter(
                fs.getConf(),
                SequenceFile.Writer.file(SEQUENCE_FILE),
                SequenceFile.Writer.blockSize(BLOCK_BYTES),
                SequenceFile.Writer.keyClass(Text.class),
                SequenceFile.Writer.valueClass(BytesWritable.class),
                SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE))) {
      long offset = 0;
      for (int set = 0; set < scale.sets(); set++) {
        starts[set] = sequence.getLength();
        for (int file = 0; file < SetScale.FILES; file++) {
          String path = SetScale.file(set, file);
          byte[] content = read(path);
          part.write(content);
          sequence.append(new Text(path), new BytesWritable(content));
          index.append(
              "%s file %s %d %d %s \n"
                  .formatted(
                      encoded(path),
                      PART,
                      offset,
                      content.length,
                      encoded("0 420 thermocline supergroup")));
          offset += content.length;
        }
      }
    }
    byte[] bytes = index.toString().getBytes(StandardCharsets.UTF_8);
    write(new Path(ARCHIVE, "_index"), bytes);
    write(
        new Path(ARCHIVE, "_masterindex"),
        ("3 \n0 " + Integer.MAX_VALUE + " 0 " + bytes.length + " \n")
            .getBytes(StandardCharsets.UTF_8));
  }

  private byte[] read(String path) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  private OutputStream create(Path path) throws IOException {
    return fs.create(path, true, 1 << 16, fs.getDefaultReplication(path), BLOCK_BYTES);
  }

  private void write(Path path, byte[] content) throws IOException {
    try (OutputStream out = create(path)) {
      out.write(content);
    }
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  /** So that an open says where all blocks lie, as it does for a file of a few large ones. */
  static void prefetch(Configuration conf) {
    conf.setLong(HdfsClientConfigKeys.Read.PREFETCH_SIZE_KEY, 1L << 30);
  }

  /** The archive, for one client. */
  FileSystem archive(FileSystem of) throws IOException {
    URI hdfs = of.getUri();
    HarFileSystem archive = new HarFileSystem(of);
    archive.initialize(
        URI.create("har://hdfs-" + hdfs.getAuthority() + ARCHIVE), new Configuration(of.getConf()));
    return archive;
  }

  /** Path of a file in the archive. */
  static Path inArchive(FileSystem archive, int set, int file) {
    return new Path(archive.getUri().getPath() + SetScale.file(set, file))
        .makeQualified(archive.getUri(), ARCHIVE);
  }

  /** Reads a set's records. */
  void readSequence(FileSystem of, int set) throws IOException {
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(of.getConf(), SequenceFile.Reader.stream(of.open(SEQUENCE_FILE)))) {
      reader.seek(starts[set]);
      Text key = new Text();
      BytesWritable value = new BytesWritable();
      for (int file = 0; file < SetScale.FILES; file++) {
        if (!reader.next(key, value)
            || value.getLength() != SetScale.FILE_BYTES
            || !key.toString().equals(SetScale.file(set, file))) {
          throw new IOException("the SequenceFile has another record than " + set + "/" + file);
        }
      }
    }
  }
}
