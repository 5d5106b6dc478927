// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.commands;

import io.thermocline.redundancy.index.TenantKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Files with secrets: only their owner may read them. */
final class KeyFiles {

  private KeyFiles() {}

  /** Keys by tenant: a line each, {@code tenant:secret in hexadecimal digits}; '#' begins a comment. */
  static Map<String, TenantKey> read(Path file) throws IOException {
    Map<String, TenantKey> keys = new LinkedHashMap<>();
    List<String> lines = lines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      TenantKey key;
      try {
        key = TenantKey.parse(line);
      } catch (IllegalArgumentException e) {
        throw new IOException(file + ", line " + (i + 1) + ": " + e.getMessage());
      }
      if (keys.put(key.tenant(), key) != null) {
        throw new IOException(file + ", line " + (i + 1) + ": tenant " + key.tenant() + " twice");
      }
    }
    if (keys.isEmpty()) {
      throw new IOException(
          file
              + ": expected a line 'tenant:secret in hexadecimal digits', such as of 'openssl rand -hex 32'");
    }
    return keys;
  }

  /** The password in the first line. */
  static char[] password(Path file) throws IOException {
    List<String> lines = lines(file);
    return lines.isEmpty() ? new char[0] : lines.get(0).toCharArray();
  }

  /** The open of a FIFO would wait for its writer, and a device has no end. */
  static void requireRegular(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException(file + ": there is no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + ": is no regular file");
    }
  }

  private static List<String> lines(Path file) throws IOException {
    requireRegular(file);
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (permissions.contains(PosixFilePermission.GROUP_READ)
        || permissions.contains(PosixFilePermission.OTHERS_READ)) {
      throw new IOException(file + ": others can read it; run 'chmod 600 " + file + "'");
    }
    return Files.readAllLines(file);
  }
}
