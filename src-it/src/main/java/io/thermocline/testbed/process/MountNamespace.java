// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * File systems that only the programs started inside see: small ones, for what happens when a device is full. Made of
 * Linux's mount namespaces; gone with this process, however that ends. For one thread.
 */
public final class MountNamespace implements AutoCloseable {

  private final Namespace space;

  private MountNamespace(Namespace space) {
    this.space = space;
  }

  /** Whether this machine lets us: for that one has to be root, with util-linux. */
  public static boolean isPossible() {
    try {
      Namespace.run("unshare", "-m", "mount", "-t", "tmpfs", "none", "/tmp");
      Namespace.run("nsenter", "--version");
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  public static MountNamespace open() throws IOException {
    return new MountNamespace(Namespace.open("-m", "mnt"));
  }

  /**
   * An empty file system of its own at a directory, which is made.
   *
   * @param bytes that it has room for
   */
  public void mount(Path directory, long bytes) throws IOException {
    Files.createDirectories(directory);
    space.inside("mount", "-t", "tmpfs", "-o", "size=" + bytes, "none", directory.toString());
  }

  /** Writes a file until nothing more fits. */
  public void fill(Path file) throws IOException {
    byte[] bytes = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(seen(file))) {
      while (true) {
        out.write(bytes);
      }
    } catch (IOException e) {
      if (seen(file).toFile().getUsableSpace() > 0) {
        throw e;
      }
    }
  }

  /** Where this process finds what has that path inside. */
  public Path seen(Path path) {
    return Path.of("/proc/" + space.pid() + "/root" + path);
  }

  /** What a command line begins with whose program is to run inside. */
  public List<String> prefix() {
    return space.prefix();
  }

  /** Takes it down, once what ran inside has ended. */
  @Override
  public void close() {
    space.close();
  }
}
