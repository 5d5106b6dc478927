// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.commands;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** TLS 1.3 by the JDK. */
final class Tls {

  private static final String[] VERSIONS = {"TLSv1.3"};

  private Tls() {}

  /**
   * @param keyStore PKCS12, with the key and the certificate of this host
   */
  static ServerSocket listen(InetSocketAddress address, Path keyStore, char[] password)
      throws IOException {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(load(keyStore, password), password);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      SSLServerSocket server =
          (SSLServerSocket) context.getServerSocketFactory().createServerSocket();
      server.setEnabledProtocols(VERSIONS);
      server.bind(address);
      return server;
    } catch (GeneralSecurityException e) {
      throw new IOException(keyStore + ": " + e.getMessage(), e);
    }
  }

  /**
   * @param trustStore PKCS12, with the certificates to trust; null for the JDK's
   * @param password of the trust store; null for none
   */
  static SSLContext trusting(Path trustStore, char[] password) throws IOException {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trustStore == null ? null : load(trustStore, password));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(trustStore + ": " + e.getMessage(), e);
    }
  }

  /** Checks the certificate's name too. */
  static Socket connect(SSLContext context, Socket plain, String host, int port)
      throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    parameters.setProtocols(VERSIONS);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private static KeyStore load(Path file, char[] password)
      throws IOException, GeneralSecurityException {
    KeyFiles.requireRegular(file);
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password);
    }
    return store;
  }
}
