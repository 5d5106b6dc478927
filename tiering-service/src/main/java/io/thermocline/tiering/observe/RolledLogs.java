// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one log: the one being written and those it was rolled into, numbered (hdfs-audit.log.1), dated
 * (hdfs-audit.log.2026-11-20, hdfs-audit-20261120.log), compressed or not. Not thread-safe.
 */
final class RolledLogs {

  private static final Logger LOG = LoggerFactory.getLogger(RolledLogs.class);

  /** Files that are renamed while we look make us look again, at most so often. */
  private static final int ATTEMPTS = 20;

  private static final int UNNUMBERED = -1;

  private final Path live;
  private final Pattern name;
  private final LogTime time;
  private Map<Path, String> listed = Map.of();

  RolledLogs(Path live, ZoneId zone) {
    this.live = live;
    this.time = new LogTime(zone);
    String file = live.getFileName().toString();
    int dot = file.lastIndexOf('.');
    String stem = dot > 0 ? file.substring(0, dot) : file;
    String ending = dot > 0 ? file.substring(dot) : "";
    this.name =
        Pattern.compile(
            Pattern.quote(file)
                + "[-._](?:(?<number>\\d{1,5})|\\d[-\\d_.T:]*)(?:\\.(?:gz|bz2|lz4|zst))?"
                + "|"
                + Pattern.quote(stem)
                + "[-._](?:(?<inner>\\d{1,5})|\\d[-\\d_.T:]*)"
                + Pattern.quote(ending)
                + "(?:\\.(?:gz|bz2|lz4|zst))?");
  }

  /**
   * A file of the log as it was seen.
   *
   * @param head its first bytes, up to {@link LogHead#MOST}
   * @param number as log4j counts backups, the youngest being 1; {@link #UNNUMBERED} for other schemes
   * @param firstMillis time of the first line, or {@link LogTime#NONE}
   */
  record Seen(
      Path path,
      String inode,
      byte[] head,
      int number,
      long firstMillis,
      long modifiedMillis,
      boolean live) {

    boolean is(LogPosition position) {
      return position.head().length() == 0
          ? inode.equals(position.inode())
          : position.head().matches(head, head.length);
    }
  }

  /** All files there are, oldest first, the one being written last, each only once. */
  List<Seen> list() throws IOException {
    for (int attempt = 1; ; attempt++) {
      Map<Path, String> before = inodes();
      List<Seen> seen = new ArrayList<>();
      try {
        for (Map.Entry<Path, String> file : before.entrySet()) {
          look(file.getKey(), file.getValue()).ifPresent(seen::add);
        }
        if (before.equals(inodes())) {
          listed = before;
          return ordered(seen);
        }
      } catch (NoSuchFileException e) {
        // Renamed between listing and opening.
        LOG.debug("{} changes while it is looked at", live, e);
      }
      if (attempt == ATTEMPTS) {
        throw new IOException(
            "the files of " + live + " are renamed faster than they can be listed");
      }
    }
  }

  /** Whether files came, went or were renamed since they were listed. */
  boolean changed() throws IOException {
    return !inodes().equals(listed);
  }

  private Map<Path, String> inodes() throws IOException {
    Map<Path, String> inodes = new HashMap<>();
    Path directory = live.toAbsolutePath().getParent();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        putIfOurs(file, inodes);
      }
    } catch (NoSuchFileException e) {
      return Map.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return inodes;
  }

  /** What isn't a regular file counts only under the name of the live one, where it is an error. */
  private void putIfOurs(Path file, Map<Path, String> inodes) throws IOException {
    try {
      if (isOurs(file) && (isLive(file) || Files.isRegularFile(file))) {
        inodes.put(file, LogFile.inode(file));
      }
    } catch (NoSuchFileException e) {
      // Renamed or removed since it was listed, or a link to nothing.
      LOG.debug("{} is gone", file, e);
    }
  }

  private boolean isOurs(Path file) {
    return isLive(file) || name.matcher(file.getFileName().toString()).matches();
  }

  private boolean isLive(Path file) {
    return file.getFileName().equals(live.getFileName());
  }

  private Optional<Seen> look(Path path, String inode) throws IOException {
    byte[] head = new byte[LogHead.MOST + Long.BYTES];
    int length;
    try (LogFile file = LogFile.open(path)) {
      length = file.head(head, LogHead.MOST);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      if (LogFile.compression(path.getFileName().toString()) == null) {
        throw e;
      }
      // Most likely it is just being compressed, and the original is still there.
      LOG.info("{} can't be read, perhaps it is not complete yet: {}", path, e.toString());
      return Optional.empty();
    }
    boolean isLive = isLive(path);
    if (length == 0 && !isLive) {
      return Optional.empty();
    }
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    return Optional.of(
        new Seen(
            path,
            inode,
            Arrays.copyOf(head, length),
            isLive ? 0 : number(path),
            time.parse(head, 0, length),
            attributes.lastModifiedTime().toMillis(),
            isLive));
  }

  private int number(Path path) {
    Matcher matcher = name.matcher(path.getFileName().toString());
    if (!matcher.matches()) {
      return UNNUMBERED;
    }
    String number = matcher.group("number");
    String digits = number == null ? matcher.group("inner") : number;
    return digits == null ? UNNUMBERED : Integer.parseInt(digits);
  }

  private static List<Seen> ordered(List<Seen> files) {
    List<Seen> once = new ArrayList<>();
    Set<LogHead> heads = new HashSet<>();
    // The one being written before a copy of it, a plain file before its compressed copy, which
    // may be incomplete.
    files.sort(
        Comparator.comparing(
            file ->
                file.live()
                    ? 0
                    : LogFile.compression(file.path().getFileName().toString()) == null ? 1 : 2));
    for (Seen file : files) {
      if (file.head().length == 0 || heads.add(LogHead.of(file.head(), file.head().length))) {
        once.add(file);
      }
    }
    Comparator<Seen> age;
    if (once.stream().allMatch(file -> file.live() || file.number() != UNNUMBERED)) {
      age = Comparator.comparingInt(file -> -file.number());
    } else if (once.stream().allMatch(file -> file.live() || file.firstMillis() != LogTime.NONE)) {
      age = Comparator.comparingLong(Seen::firstMillis);
    } else {
      age = Comparator.comparingLong(Seen::modifiedMillis);
    }
    once.sort(
        Comparator.comparing(Seen::live)
            .thenComparing(age)
            .thenComparing(file -> file.path().getFileName().toString()));
    return once;
  }
}
