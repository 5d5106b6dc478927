// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file, a directory or a symbolic link of a package. Immutable.
 *
 * @param path relative, with slashes
 * @param mode of the file, for instance 0755; of a link it says nothing
 */
record Entry(String path, int mode, Content content) {

  static final int EXECUTABLE = 0755;
  static final int PLAIN = 0644;

  /** What it is. */
  sealed interface Content {}

  record Directory() implements Content {}

  record Link(String target) implements Content {}

  /** A file's bytes, which are written the same each time. */
  record Data(long size, Writer writer) implements Content {}

  /** Writes bytes; leaves the stream open. */
  @FunctionalInterface
  interface Writer {
    void writeTo(OutputStream out) throws IOException;
  }

  static Entry file(String path, int mode, Path source) throws IOException {
    return new Entry(path, mode, new Data(Files.size(source), out -> Files.copy(source, out)));
  }

  static Entry bytes(String path, int mode, byte[] bytes) {
    return new Entry(path, mode, new Data(bytes.length, out -> out.write(bytes)));
  }

  static Entry text(String path, int mode, String text) {
    return bytes(path, mode, text.getBytes(StandardCharsets.UTF_8));
  }

  static Entry directory(String path, int mode) {
    return new Entry(path, mode, new Directory());
  }

  static Entry link(String path, String target) {
    return new Entry(path, 0777, new Link(target));
  }

  Entry at(String other) {
    return new Entry(other, mode, content);
  }
}
