// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import io.thermocline.placement.model.RegularFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The server's certificate. */
public final class Tls {

  private Tls() {}

  /**
   * A context with what is in a key store.
   *
   * @param keyStore in PKCS #12 or JKS
   * @param password file whose first line is the store's and the key's password
   * @throws IOException where one of the two can't be read, or they don't belong together
   */
  public static SSLContext of(Path keyStore, Path password) throws IOException {
    char[] secret =
        RegularFiles.text(password).lines().findFirst().orElse("").strip().toCharArray();
    try (InputStream in = RegularFiles.stream(keyStore)) {
      // Reads both formats.
      KeyStore keys = KeyStore.getInstance("JKS");
      keys.load(in, secret);
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, secret);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "can't use the key store " + keyStore + " (api.tls): " + e.getMessage(), e);
    } finally {
      Arrays.fill(secret, '\0');
    }
  }
}
