// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.commands;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(60)
class CommandsTest {

  @TempDir Path directory;

  private record Ran(int status, String out, String err) {}

  /** Both commands, with TLS: a stranger's certificate is rejected, ours is trusted. */
  @Test
  void sendsADirectoryToAGatewayOverTls() throws Exception {
    Path keys = secret("keys", "blue:000102030405060708090a0b0c0d0e0f\n# nobody else\n");
    Path password = secret("password", "changeit\n");
    Path store = directory.resolve("store.p12");
    Path stranger = directory.resolve("stranger.p12");
    makeCertificate(store);
    makeCertificate(stranger);
    Path source = Files.createDirectories(directory.resolve("source/day"));
    byte[] text = "some log lines\n".repeat(20_000).getBytes();
    Files.write(source.resolve("log"), text);
    Files.write(source.resolve("empty"), new byte[0]);
    Files.write(source.resolve("_temporary"), text);
    Path archive = directory.resolve("archive");

    CompletableFuture<String> address = new CompletableFuture<>();
    Thread gateway =
        new Thread(
            () ->
                run(
                    new GatewayMain(),
                    new Listening(address),
                    "--listen=127.0.0.1:0",
                    "--directory=" + archive.toUri(),
                    "--keys=" + keys,
                    "--keystore=" + store,
                    "--keystore-password=" + password,
                    "--index-chunks=1000"));
    gateway.setDaemon(true);
    gateway.start();
    String port = address.get(20, TimeUnit.SECONDS).replaceAll(".*:", "");

    String[] send = {
      source.getParent().toUri().toString(),
      "--to=localhost:" + port,
      "--as=copies",
      "--key=" + keys,
      "--truststore=" + store,
      "--truststore-password=" + password
    };
    Ran first = run(new SendMain(), send);
    assertEquals(0, first.status(), first::toString);
    assertTrue(first.out().contains("2 files copied, 0 were there, 0 are not there"), first.out());
    assertArrayEquals(text, Files.readAllBytes(archive.resolve("blue/copies/day/log")));
    Ran second = run(new SendMain(), send);
    assertTrue(second.out().contains("0 files copied, 2 were there"), second.out());

    Files.writeString(source.resolve("log"), "changed");
    Ran third = run(new SendMain(), send);
    assertEquals(SendMain.INCOMPLETE, third.status(), third::toString);
    assertTrue(third.out().contains("another file of that name"), third.out());
    assertArrayEquals(text, Files.readAllBytes(archive.resolve("blue/copies/day/log")));
  }

  @Test
  void certificatesOfStrangersAreRejected() throws Exception {
    Path store = directory.resolve("store.p12");
    Path stranger = directory.resolve("stranger.p12");
    makeCertificate(store);
    makeCertificate(stranger);
    char[] password = "changeit".toCharArray();
    try (var server = Tls.listen(new java.net.InetSocketAddress("localhost", 0), store, password)) {
      Thread accepting =
          new Thread(
              () -> {
                try (var socket = server.accept()) {
                  socket.getInputStream().read();
                } catch (java.io.IOException e) {
                  // The client hung up.
                }
              });
      accepting.setDaemon(true);
      accepting.start();
      try (var plain = new java.net.Socket("localhost", server.getLocalPort())) {
        Exception e =
            org.junit.jupiter.api.Assertions.assertThrows(
                javax.net.ssl.SSLException.class,
                () ->
                    Tls.connect(
                        Tls.trusting(stranger, password),
                        plain,
                        "localhost",
                        server.getLocalPort()));
        assertTrue(e.getMessage().contains("PKIX"), e.getMessage());
      }
    }
  }

  @Test
  void badUsageAndBadKeyFilesAreOneLine() throws Exception {
    Path open =
        Files.writeString(directory.resolve("open"), "blue:000102030405060708090a0b0c0d0e0f");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    assertFails(2, "expected a rate", new EstimateMain(), "x", "--bandwidth=fast");
    assertFails(2, "expected host:port", new SendMain(), "x", "--to=here", "--key=" + open);
    assertFails(1, "others can read it", new SendMain(), "x", "--to=h:1", "--key=" + open);
    assertFails(1, "no such file", new SendMain(), "x", "--to=h:1", "--key=/nowhere");
    Path fifo = directory.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    assertFails(1, "no regular file", new SendMain(), "x", "--to=h:1", "--key=" + fifo);
    String why =
        assertThrows(IOException.class, () -> Tls.trusting(fifo, new char[0])).getMessage();
    assertEquals(fifo + ": is no regular file", why);
    assertFails(
        1, "line 1: expected", new SendMain(), "x", "--to=h:1", "--key=" + secret("k", "blue"));
    assertFails(
        2,
        "give --keystore",
        new GatewayMain(),
        "--listen=h:1",
        "--directory=file:///x",
        "--keys=" + open);
  }

  private void assertFails(int status, String expected, Object command, String... args) {
    Ran ran = run(command, args);
    assertEquals(status, ran.status(), ran::toString);
    assertTrue(ran.err().contains(expected), ran.err());
    assertEquals(1, ran.err().lines().count(), ran.err());
  }

  private static Ran run(Object command, String... args) {
    return run(command, new StringWriter(), args);
  }

  private static Ran run(Object command, Writer out, String... args) {
    StringWriter err = new StringWriter();
    CommandLine line = Commands.of(command);
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err, true));
    int status = line.execute(args);
    return new Ran(status, out.toString(), err.toString());
  }

  private Path secret(String name, String text) throws Exception {
    Path file = Files.writeString(directory.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  private static void makeCertificate(Path store) throws Exception {
    Process keytool =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/keytool",
                "-genkeypair",
                "-alias",
                "gateway",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    assertEquals(0, keytool.waitFor(), said);
  }

  /** Hears the address that the gateway listens on. */
  private static final class Listening extends StringWriter {
    private final CompletableFuture<String> address;

    Listening(CompletableFuture<String> address) {
      this.address = address;
    }

    @Override
    public void flush() {
      String said = toString();
      if (said.startsWith("listening on ") && said.contains("\n")) {
        address.complete(said.lines().findFirst().orElseThrow());
      }
    }
  }
}
