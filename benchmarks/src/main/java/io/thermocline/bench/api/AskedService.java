// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.api;

import io.thermocline.testbed.process.inside.Tether;
import io.thermocline.tiering.commands.ServiceMain;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A service as a process of its own. */
final class AskedService implements AutoCloseable {

  private static final Pattern ADDRESS = Pattern.compile("REST at (https?://\\S+)/api/v1");
  private static final String PASSWORD = "changeit";
  private static final Duration TICK = Duration.ofMillis(200);

  private final Process process;
  private final Path log;

  /**
   * @param config its thermocline.yaml
   * @param flags of its JVM
   */
  AskedService(Path config, String user, List<String> flags) throws IOException {
    log = config.resolveSibling("service.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(
        List.of(
            "-XX:+UseParallelGC",
            "-Dlog4j.configuration=thermocline-log4j.properties",
            "-cp",
            System.getProperty("java.class.path"),
            // Ends with us, however that is.
            Tether.class.getName(),
            ServiceMain.class.getName(),
            "--config",
            config.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("HADOOP_USER_NAME", user);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    process = builder.start();
  }

  /** Seconds of processors that it took so far, all its threads. */
  double cpuSeconds() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  /** Waits until it listens. */
  URI address() throws IOException, InterruptedException {
    while (process.isAlive()) {
      Matcher address = ADDRESS.matcher(Files.readString(log));
      if (address.find()) {
        return URI.create(address.group(1));
      }
      ServiceRuntime.system().pause().pause(TICK);
    }
    throw new IOException("the service ended: " + Files.readString(log));
  }

  /** Waits until a question is answered with such a text. */
  void await(ApiLoad asked, String path, Pattern text) throws Exception {
    while (process.isAlive()) {
      if (text.matcher(asked.get(path)).find()) {
        return;
      }
      ServiceRuntime.system().pause().pause(TICK);
    }
    throw new IOException("the service ended: " + Files.readString(log));
  }

  /** Makes a certificate for localhost; returns the lines of section api for it. */
  static String certificate(Path directory) throws IOException, InterruptedException {
    Path store = directory.resolve("server.p12");
    Path password = Files.writeString(directory.resolve("server.password"), PASSWORD + "\n");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException(Files.readString(directory.resolve("keytool.log")));
    }
    return "  tls: {keyStore: " + store + ", passwordFile: " + password + "}\n";
  }

  /** For clients that trust that certificate. */
  static SSLContext trusting(Path directory) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(directory.resolve("server.p12"))) {
      store.load(in, PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", store.getCertificate("server"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), new SecureRandom());
    return context;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
