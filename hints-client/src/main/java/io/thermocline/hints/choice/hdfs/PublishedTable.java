// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.choice.hdfs;

import io.thermocline.hints.choice.Server;
import io.thermocline.hints.choice.ServerTable;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.IOUtils;

/**
 * The table of servers as a file on HDFS: published by one, read by all. Safe for any thread; two that
 * publish at once may lose one of the two updates, so let only one do it.
 */
public final class PublishedTable {
  private final DistributedFileSystem fs;
  private final Path path;

  public PublishedTable(DistributedFileSystem fs, Path path) {
    this.fs = fs;
    this.path = path;
  }

  /**
   * The table that is published.
   *
   * @throws FileNotFoundException if none is
   * @throws IOException if it can't be read, or is no table
   */
  public ServerTable read() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (FSDataInputStream in = fs.open(path)) {
      IOUtils.copyBytes(in, bytes, 8192);
      return ServerTable.parse(new String(bytes.toByteArray(), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }

  /**
   * Publishes the table for the DataNodes that are in service now: the one before, gone on. Readers see the
   * old one or the new one, whole. Needs a superuser.
   */
  public ServerTable publish() throws IOException {
    List<Server> servers = ChosenFiles.servers(fs);
    ServerTable table;
    try {
      ServerTable before = read();
      table = before.with(servers);
      if (table.text().equals(before.text())) {
        return before;
      }
    } catch (FileNotFoundException e) {
      table = ServerTable.of(servers);
    }
    Path next = path.suffix(".next");
    try (FSDataOutputStream out = fs.create(next, true)) {
      out.write(table.text().getBytes(StandardCharsets.UTF_8));
      out.hsync();
    }
    fs.rename(next, path, Options.Rename.OVERWRITE);
    return table;
  }
}
