// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The Python client as pip installs it: a wheel of one pure package (Python's binary distribution format, PEP 427). The same
 * sources give the same bytes.
 */
final class Wheel {

  private final String project;

  private Wheel(String project) {
    this.project = project;
  }

  /**
   * @param python directory of the package's pyproject.toml
   */
  static Entry of(Path python, String directory, Release release) throws IOException {
    Wheel wheel = new Wheel(Files.readString(python.resolve("pyproject.toml")));
    return Entry.bytes(
        directory + "/" + wheel.name() + "-py3-none-any.whl",
        Entry.PLAIN,
        wheel.bytes(python.resolve("src"), release));
  }

  private String name() throws IOException {
    return text("name").replace('-', '_') + "-" + text("version");
  }

  private byte[] bytes(Path sources, Release release) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(sources)) {
      for (Path file : all.filter(path -> path.toString().endsWith(".py")).toList()) {
        files.put(sources.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
      }
    }
    String info = name() + ".dist-info/";
    files.put(info + "METADATA", utf8(metadata()));
    files.put(
        info + "WHEEL",
        utf8(
            "Wheel-Version: 1.0\nGenerator: thermocline\nRoot-Is-Purelib: true\n"
                + "Tag: py3-none-any\n"));
    StringBuilder record = new StringBuilder();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      record.append(file.getKey()).append(",sha256=").append(digest(file.getValue()));
      record.append(',').append(file.getValue().length).append('\n');
    }
    files.put(info + "RECORD", utf8(record + info + "RECORD,,\n"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        ZipEntry entry = new ZipEntry(file.getKey());
        entry.setTimeLocal(release.time().atZone(ZoneOffset.UTC).toLocalDateTime());
        zip.putNextEntry(entry);
        zip.write(file.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private String metadata() throws IOException {
    StringBuilder lines = new StringBuilder("Metadata-Version: 2.1\n");
    lines.append("Name: ").append(text("name")).append('\n');
    lines.append("Version: ").append(text("version")).append('\n');
    lines.append("Summary: ").append(text("description")).append('\n');
    lines.append("License: ").append(first("license = \\{text = \"([^\"]+)\"")).append('\n');
    lines.append("Requires-Python: ").append(text("requires-python")).append('\n');
    lines.append("Provides-Extra: fsspec\nRequires-Dist: ");
    lines.append(first("(?m)^fsspec = \\[\"([^\"]+)\"\\]")).append("; extra == \"fsspec\"\n");
    return lines.toString();
  }

  private String text(String key) throws IOException {
    return first("(?m)^" + key + " = \"([^\"]+)\"");
  }

  private String first(String pattern) throws IOException {
    Matcher found = Pattern.compile(pattern).matcher(project);
    if (!found.find()) {
      throw new IOException("pyproject.toml has nothing like " + pattern);
    }
    return found.group(1);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String digest(byte[] bytes) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
