// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.DataChecksum;

/** Files of HDFS, below a directory. */
public final class HadoopStore implements RemoteStore {

  private static final int BUFFER = 1 << 20;

  private final FileSystem fileSystem;
  private final Path root;

  /**
   * @param directory such as {@code hdfs://remote/archive}
   */
  public static HadoopStore of(String directory, Configuration hadoop) throws IOException {
    Configuration own = new Configuration(hadoop);
    // Of the whole file, whatever its blocks: what the sender computes as it reads.
    own.set("dfs.checksum.combine.mode", "COMPOSITE_CRC");
    Path root = new Path(directory);
    FileSystem fileSystem = FileSystem.newInstance(root.toUri(), own);
    if (!(fileSystem instanceof DistributedFileSystem)) {
      throw new IOException(
          directory + ": expected a directory of HDFS, found " + fileSystem.getScheme());
    }
    return new HadoopStore(fileSystem, root);
  }

  HadoopStore(FileSystem fileSystem, Path root) {
    this.fileSystem = fileSystem;
    this.root = root;
  }

  @Override
  public OptionalLong length(String path) throws IOException {
    try {
      FileStatus status = fileSystem.getFileStatus(full(path));
      if (!status.isFile()) {
        throw new IOException(path + ": expected a file, found a directory");
      }
      return OptionalLong.of(status.getLen());
    } catch (FileNotFoundException e) {
      return OptionalLong.empty();
    }
  }

  @Override
  public Writer create(String path) throws IOException {
    return writer(fileSystem.create(full(path), false));
  }

  /** A file that a dead gateway left open is closed by the NameNode first, which takes seconds. */
  @Override
  public Writer append(String path) throws IOException {
    if (fileSystem instanceof DistributedFileSystem hdfs && !hdfs.recoverLease(full(path))) {
      throw new IOException(path + ": HDFS still recovers what another gateway left; try again");
    }
    return writer(fileSystem.append(full(path)));
  }

  private static Writer writer(FSDataOutputStream out) {
    return new Writer() {
      @Override
      public void write(byte[] data, int from, int length) throws IOException {
        out.write(data, from, length);
      }

      @Override
      public void finish() throws IOException {
        out.hsync();
        out.close();
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  @Override
  public Reader open(String path) throws IOException {
    FSDataInputStream in = fileSystem.open(full(path));
    return new Reader() {
      @Override
      public int read(long position, byte[] into, int length) throws IOException {
        int count = 0;
        while (count < length) {
          int read = in.read(position + count, into, count, length - count);
          if (read < 0) {
            break;
          }
          count += read;
        }
        return count;
      }

      @Override
      public void close() throws IOException {
        in.close();
      }
    };
  }

  /** The DataNodes' own; by reading the file where they use another kind of CRC. */
  @Override
  public int checksum(String path) throws IOException {
    FileChecksum checksum = fileSystem.getFileChecksum(full(path));
    if (checksum instanceof CompositeCrcFileChecksum crc
        && crc.getChecksumOpt().getChecksumType() == DataChecksum.Type.CRC32C) {
      return java.nio.ByteBuffer.wrap(crc.getBytes()).getInt();
    }
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[BUFFER];
    try (FSDataInputStream in = fileSystem.open(full(path))) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        crc.update(buffer, 0, read);
      }
    }
    return (int) crc.getValue();
  }

  @Override
  public void rename(String from, String to) throws IOException {
    if (!fileSystem.rename(full(from), full(to))) {
      if (fileSystem.exists(full(to))) {
        throw new FileAlreadyExistsException(to);
      }
      throw new IOException(from + ": HDFS doesn't rename it to " + to);
    }
  }

  @Override
  public void delete(String path) throws IOException {
    fileSystem.delete(full(path), false);
  }

  private Path full(String path) {
    return new Path(root, new Path(null, null, path));
  }
}
