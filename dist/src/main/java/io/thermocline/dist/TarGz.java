// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.Deflater;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/** Entries as tar.gz: all of root, all of one time, in the order given, so the same entries give the same bytes. */
final class TarGz {

  private TarGz() {}

  /**
   * @param prefix before each path: empty, or with a slash at its end
   * @param out is left open
   */
  static void write(List<Entry> entries, String prefix, Release release, OutputStream out)
      throws IOException {
    GzipParameters gzip = new GzipParameters();
    gzip.setCompressionLevel(Deflater.DEFAULT_COMPRESSION);
    gzip.setOperatingSystem(255);
    GzipCompressorOutputStream compressed = new GzipCompressorOutputStream(out, gzip);
    TarArchiveOutputStream tar = new TarArchiveOutputStream(compressed, "UTF-8");
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
    Set<String> directories = new LinkedHashSet<>();
    for (Entry entry : entries) {
      String path = prefix + entry.path();
      for (int slash = path.indexOf('/', 2); slash > 0; slash = path.indexOf('/', slash + 1)) {
        if (directories.add(path.substring(0, slash + 1))) {
          put(tar, new TarArchiveEntry(path.substring(0, slash + 1)), Entry.EXECUTABLE, release);
          tar.closeArchiveEntry();
        }
      }
      write(tar, entry, path, release);
    }
    tar.finish();
    compressed.finish();
  }

  private static void write(TarArchiveOutputStream tar, Entry entry, String path, Release release)
      throws IOException {
    if (entry.content() instanceof Entry.Data data) {
      TarArchiveEntry file = new TarArchiveEntry(path);
      file.setSize(data.size());
      put(tar, file, entry.mode(), release);
      data.writer().writeTo(tar);
    } else if (entry.content() instanceof Entry.Link link) {
      TarArchiveEntry symbolic = new TarArchiveEntry(path, TarConstants.LF_SYMLINK);
      symbolic.setLinkName(link.target());
      put(tar, symbolic, entry.mode(), release);
    } else {
      put(tar, new TarArchiveEntry(path + "/"), entry.mode(), release);
    }
    tar.closeArchiveEntry();
  }

  private static void put(
      TarArchiveOutputStream tar, TarArchiveEntry entry, int mode, Release release)
      throws IOException {
    entry.setMode(
        mode | (entry.isDirectory() ? 040000 : entry.isSymbolicLink() ? 0120000 : 0100000));
    entry.setIds(0, 0);
    entry.setNames("root", "root");
    entry.setModTime(release.time().toEpochMilli());
    tar.putArchiveEntry(entry);
  }
}
