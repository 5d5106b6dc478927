// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Files that are copied, of any file system that Hadoop knows. */
public final class Source {

  /**
   * A file.
   *
   * @param path below the directory, or the name of a single file; with '/'
   * @param modified in milliseconds
   */
  public record SourceFile(String path, long length, long modified) {}

  private final FileSystem fileSystem;
  private final Path directory;
  private final boolean isFile;

  private Source(FileSystem fileSystem, Path directory, boolean isFile) {
    this.fileSystem = fileSystem;
    this.directory = directory;
    this.isFile = isFile;
  }

  /**
   * @param path of a directory or a file, such as {@code hdfs://cluster/logs}
   */
  public static Source of(String path, Configuration hadoop) throws IOException {
    Path given = new Path(path);
    FileSystem fileSystem = given.getFileSystem(hadoop);
    Path qualified = fileSystem.makeQualified(given);
    return new Source(fileSystem, qualified, fileSystem.getFileStatus(qualified).isFile());
  }

  /** All files below, by path. Names that start with '.' or '_' are left to those who write them. */
  public List<SourceFile> files() throws IOException {
    List<SourceFile> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = fileSystem.listFiles(directory, true);
    while (all.hasNext()) {
      LocatedFileStatus file = all.next();
      String path = relative(file.getPath());
      if (isFile || !isHidden(path)) {
        files.add(new SourceFile(path, file.getLen(), file.getModificationTime()));
      }
    }
    files.sort(Comparator.comparing(SourceFile::path));
    return files;
  }

  /** A file as it is now. */
  public SourceFile look(SourceFile file) throws FileNotFoundException, IOException {
    var status = fileSystem.getFileStatus(full(file));
    return new SourceFile(file.path(), status.getLen(), status.getModificationTime());
  }

  public InputStream open(SourceFile file) throws IOException {
    return fileSystem.open(full(file));
  }

  /** The directory's own path, without its file system. */
  public String path() {
    return directory.toUri().getPath();
  }

  private Path full(SourceFile file) {
    return isFile ? directory : new Path(directory + "/" + file.path());
  }

  private String relative(Path path) {
    String full = path.toUri().getPath();
    String root = directory.toUri().getPath();
    return isFile ? path.getName() : full.substring(root.equals("/") ? 1 : root.length() + 1);
  }

  private static boolean isHidden(String path) {
    for (String name : path.split("/")) {
      if (name.startsWith(".") || name.startsWith("_")) {
        return true;
      }
    }
    return false;
  }
}
