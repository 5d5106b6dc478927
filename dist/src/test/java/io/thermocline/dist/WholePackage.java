// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.OutputStream;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The real packages, packed twice: {@code -Dtest=WholePackage}, half a minute, after {@code bin/thermocline build}. */
class WholePackage {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();

  @Test
  void twoBuildsAreTheSame() throws Exception {
    Release release = Release.of(ROOT);
    assertEquals(
        digest(out -> InstalledTree.tarGz(ROOT, path -> true, out)),
        digest(out -> InstalledTree.tarGz(ROOT, path -> true, out)));
    assertEquals(
        digest(out -> Deb.write(InstalledTree.of(ROOT, release), release, out)),
        digest(out -> Deb.write(InstalledTree.of(ROOT, release), release, out)));
  }

  private static String digest(Entry.Writer writer) throws Exception {
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    writer.writeTo(new DigestOutputStream(OutputStream.nullOutputStream(), sha));
    return HexFormat.of().formatHex(sha.digest());
  }
}
