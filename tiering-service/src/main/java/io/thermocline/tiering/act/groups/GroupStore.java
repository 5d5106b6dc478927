// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.RedirectTable;
import io.thermocline.placement.model.SystemRuntime;
import io.thermocline.tiering.act.OperationBudget;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * The directory of group files and the redirect table. People may pass it, but not list it; the table may be read by all,
 * each group file by those who may read its originals. Not thread-safe.
 *
 * <p>A group file is the bytes of its members, then a table of this group alone, that table's length and a magic
 * number: so the redirect table can be made again from the group files.
 */
public final class GroupStore {
  /** Begins the names of group files. */
  public static final String PREFIX = "group-";

  private static final Pattern GROUP = Pattern.compile(PREFIX + "\\d+");
  private static final String UNFINISHED = ".unfinished-";
  private static final FsPermission PASS_ONLY = new FsPermission((short) 0711);
  private static final FsPermission READ_ALL = new FsPermission((short) 0644);
  private static final FsPermission OURS = new FsPermission((short) 0600);
  private static final long MAGIC = 0x54434752504631L;
  private static final int TAIL_BYTES = 12;

  /** What was read is wrong, and would be whoever reads it again. */
  static final class DamagedException extends IOException {
    private static final long serialVersionUID = 1;

    private DamagedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private final DistributedFileSystem fs;
  private final Path directory;
  private final LongSupplier ids;
  private final OperationBudget budget;

  /**
   * @param fs as a superuser
   * @param ids of any 64 bits, never twice the same
   * @param budget of the NameNode's calls
   */
  public GroupStore(
      DistributedFileSystem fs, Path directory, LongSupplier ids, OperationBudget budget) {
    this.fs = fs;
    this.directory = directory;
    this.ids = ids;
    this.budget = budget;
  }

  /** With ids of chance: readers keep groups in memory by their ids, so none may come again. */
  @SystemRuntime
  public static GroupStore of(DistributedFileSystem fs, Path directory, OperationBudget budget) {
    return new GroupStore(fs, directory, new SecureRandom()::nextLong, budget);
  }

  /** The same without bounds on calls, for commands. */
  @SystemRuntime
  public static GroupStore of(DistributedFileSystem fs, Path directory) {
    return of(fs, directory, OperationBudget.unlimited());
  }

  /** For one call of the NameNode, which is paid for. */
  DistributedFileSystem fs() {
    budget.take();
    return fs;
  }

  /**
   * Makes the directory.
   *
   * @throws IOException where there is one of somebody else, who could lead readers to what they like
   */
  public void prepare() throws IOException {
    if (fs().mkdirs(directory, PASS_ONLY)) {
      // It may have been there before.
      String owner = fs().getFileStatus(directory).getOwner();
      // Of whom the connection is.
      String us = fs.getHomeDirectory().getName();
      if (!owner.equals(us)) {
        throw new IOException(
            directory
                + " belongs to "
                + owner
                + ", not to "
                + us
                + ": give it to "
                + us
                + " if group files may lie there, or give decide.actions.groups.directory another"
                + " name");
      }
      // And mkdirs takes the umask off.
      fs().setPermission(directory, PASS_ONLY);
    }
  }

  /**
   * The table as it is; empty where there is none.
   *
   * @throws IOException if it is damaged
   */
  public RedirectTable table() throws IOException {
    byte[] bytes;
    try (FSDataInputStream in = fs().open(tablePath())) {
      bytes = in.readNBytes(RedirectTable.MOST_BYTES);
    } catch (FileNotFoundException e) {
      return RedirectTable.empty();
    }
    return RedirectTable.read(bytes);
  }

  /**
   * Puts a table of these groups, whose files are there, in the place of the one before, in one step.
   *
   * @throws IOException if an original is in two groups; the table stays as it was
   */
  public void publish(List<GroupFile> groups) throws IOException {
    String pool = "";
    if (!groups.isEmpty()) {
      pool = poolOf(groups);
    }
    RedirectTable table;
    try {
      table = RedirectTable.of(pool, groups);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    Path unfinished = new Path(directory, UNFINISHED + RedirectTable.FILE_NAME);
    try (FSDataOutputStream out = fs().create(unfinished, true)) {
      out.write(table.toBytes());
    }
    fs().setPermission(unfinished, READ_ALL);
    fs().rename(unfinished, tablePath(), Options.Rename.OVERWRITE);
  }

  /** As the NameNode says: no DataNode needs to be up. */
  private String poolOf(List<GroupFile> groups) throws IOException {
    for (GroupFile group : groups) {
      HdfsLocatedFileStatus file = fs().getClient().getLocatedFileInfo(group.path(), false);
      // One may be gone: it goes from the table with the next check.
      if (file != null) {
        return file.getLocatedBlocks().get(0).getBlock().getBlockPoolId();
      }
    }
    throw new FileNotFoundException("none of " + groups.size() + " group files is there");
  }

  private Path tablePath() {
    return new Path(directory, RedirectTable.FILE_NAME);
  }

  /** Path of the group file of an id. */
  Path pathOf(long id) {
    return new Path(directory, PREFIX + id);
  }

  /** A path that no reader knows, for a file until it is complete. */
  Path unfinishedPathOf(long id) {
    return new Path(directory, UNFINISHED + id);
  }

  /** What may read a file until it is complete. */
  FsPermission unfinishedPermission() {
    return OURS;
  }

  /** What follows the members in a group file. */
  static byte[] tail(String pool, GroupFile group) {
    byte[] index = RedirectTable.of(pool, List.of(group)).toBytes();
    return ByteBuffer.allocate(index.length + TAIL_BYTES)
        .put(index)
        .putInt(index.length)
        .putLong(MAGIC)
        .array();
  }

  /**
   * What a group file says of itself.
   *
   * @param length of the file
   * @throws DamagedException if it is damaged; another one where it can't be read now
   */
  RedirectTable index(Path path, long length) throws IOException {
    try (FSDataInputStream in = fs().open(path)) {
      byte[] end = new byte[TAIL_BYTES];
      if (length < TAIL_BYTES) {
        throw new DamagedException(path + " is cut short", null);
      }
      in.readFully(length - TAIL_BYTES, end);
      ByteBuffer tail = ByteBuffer.wrap(end);
      int indexLength = tail.getInt();
      if (tail.getLong() != MAGIC || indexLength < 0 || indexLength > length - TAIL_BYTES) {
        throw new DamagedException(path + " is no group file, or cut short", null);
      }
      byte[] index = new byte[indexLength];
      in.readFully(length - TAIL_BYTES - indexLength, index);
      return indexOf(path, index);
    }
  }

  private static RedirectTable indexOf(Path path, byte[] bytes) throws DamagedException {
    try {
      return RedirectTable.read(bytes);
    } catch (IOException e) {
      throw new DamagedException(path + ": " + e.getMessage(), e);
    }
  }

  /** Deletes the file of a group; the table should no longer name it. */
  public void delete(GroupFile group) throws IOException {
    delete(new Path(group.path()));
  }

  void delete(Path path) throws IOException {
    if (!path.getParent().toUri().getPath().equals(directory.toUri().getPath())) {
      throw new IOException(path + " is not in " + directory + ": not deleted");
    }
    fs().delete(path, false);
  }

  /**
   * Group files and what was to become one, by name. Whatever else lies there isn't ours: nobody
   * may lose files to a slip in a configuration.
   */
  List<FileStatus> files() throws IOException {
    FileStatus[] found;
    try {
      found = fs().listStatus(directory);
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return Stream.of(found)
        .filter(FileStatus::isFile)
        .filter(file -> isUnfinished(file.getPath()) || isGroup(file.getPath()))
        .sorted(Comparator.comparing(FileStatus::getPath))
        .toList();
  }

  static boolean isUnfinished(Path path) {
    return path.getName().startsWith(UNFINISHED);
  }

  private static boolean isGroup(Path path) {
    return GROUP.matcher(path.getName()).matches();
  }

  /** An id that no group has had or will have, and that nobody can guess. */
  public long newId() {
    return ids.getAsLong() & Long.MAX_VALUE;
  }

  /** Bytes on all devices that group files take. */
  public long bytes() throws IOException {
    return files().stream().mapToLong(file -> file.getLen() * file.getReplication()).sum();
  }

  /** Removes the table's groups, and all files of ours but the table: readers go to the originals. */
  public void removeAll() throws IOException {
    publish(List.of());
    for (FileStatus file : files()) {
      delete(file.getPath());
    }
  }

  /** Removes the empty table too, and the directory if nothing else lies there. */
  public void removeDirectory() throws IOException {
    fs().delete(tablePath(), false);
    try {
      if (fs().listStatus(directory).length == 0) {
        fs().delete(directory, false);
      }
    } catch (FileNotFoundException e) {
      // There never was one.
    }
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
