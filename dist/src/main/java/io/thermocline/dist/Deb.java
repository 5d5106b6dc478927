// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;

/**
 * The same tree as a Debian package: an ar archive of a version, of what dpkg does, and of the files (deb(5)).
 * Needs neither dpkg nor root.
 */
final class Deb {

  private static final String HOME = "usr/lib/thermocline/";
  private static final String CONF = "etc/thermocline/";
  private static final String DOCS = "usr/share/doc/thermocline/";
  private static final List<String> UNITS =
      List.of(
          "conf/thermocline.service",
          "conf/thermocline-mover.service",
          "conf/thermocline-directory-hints.service",
          "conf/thermocline-attributes.service");
  private static final List<String> SCRIPTS = List.of("postinst", "prerm", "postrm");

  private Deb() {}

  static void write(List<Entry> tree, Release release, OutputStream out) throws IOException {
    List<Entry> files = files(tree);
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    TarGz.write(files, "./", release, data);
    ByteArrayOutputStream control = new ByteArrayOutputStream();
    TarGz.write(control(files, release), "./", release, control);
    ArArchiveOutputStream ar = new ArArchiveOutputStream(out);
    member(ar, "debian-binary", "2.0\n".getBytes(StandardCharsets.US_ASCII), release);
    member(ar, "control.tar.gz", control.toByteArray(), release);
    member(ar, "data.tar.gz", data.toByteArray(), release);
    ar.finish();
  }

  private static void member(ArArchiveOutputStream ar, String name, byte[] bytes, Release release)
      throws IOException {
    ar.putArchiveEntry(
        new ArArchiveEntry(name, bytes.length, 0, 0, 0100644, release.time().getEpochSecond()));
    ar.write(bytes);
    ar.closeArchiveEntry();
  }

  private static List<Entry> files(List<Entry> tree) {
    List<Entry> files = new ArrayList<>();
    for (Entry entry : tree) {
      files.add(entry.at(place(entry.path())));
    }
    files.add(Entry.link("usr/bin/thermocline", "../lib/thermocline/" + InstalledTree.LAUNCHER));
    files.add(Entry.directory("var/lib/thermocline", 0700));
    files.add(Entry.directory("var/log/thermocline", 0700));
    files.add(Entry.directory("var/log/thermocline-mover", 0750));
    files.sort(Comparator.comparing(Entry::path));
    return files;
  }

  private static String place(String path) {
    if (UNITS.contains(path)) {
      return "usr/lib/systemd/system/" + path.substring("conf/".length());
    }
    if (path.equals("LICENSE")) {
      return DOCS + "copyright";
    }
    if (path.startsWith("conf/")) {
      return CONF + path.substring("conf/".length());
    }
    return path.startsWith("docs/") || path.equals("README.md") ? DOCS + path : HOME + path;
  }

  private static List<Entry> control(List<Entry> files, Release release) throws IOException {
    long kilobytes =
        files.stream()
            .map(Entry::content)
            .mapToLong(content -> content instanceof Entry.Data data ? data.size() / 1024 + 1 : 1)
            .sum();
    TreeMap<String, Entry> control = new TreeMap<>();
    StringBuilder conffiles = new StringBuilder();
    for (Entry file : files) {
      if (file.path().startsWith(CONF)) {
        conffiles.append('/').append(file.path()).append('\n');
      }
    }
    control.put("conffiles", Entry.text("conffiles", Entry.PLAIN, conffiles.toString()));
    control.put(
        "control",
        Entry.text(
            "control",
            Entry.PLAIN,
            resource("control")
                .replace("@VERSION@", release.debian())
                .replace("@SIZE@", Long.toString(kilobytes))));
    for (String script : SCRIPTS) {
      control.put(script, Entry.text(script, Entry.EXECUTABLE, resource(script)));
    }
    return List.copyOf(control.values());
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Deb.class.getResourceAsStream("debian/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
