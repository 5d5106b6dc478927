// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.commands;

import io.thermocline.redundancy.SystemRuntime;
import io.thermocline.redundancy.link.Gateway;
import io.thermocline.redundancy.link.GatewayState;
import io.thermocline.redundancy.link.Message;
import io.thermocline.redundancy.store.HadoopStore;
import io.thermocline.redundancy.store.LocalStore;
import io.thermocline.redundancy.store.RemoteStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point of the receiver at the remote site. */
@Command(
    name = "thermocline gateway",
    mixinStandardHelpOptions = true,
    description = {
      "Receives files from 'thermocline send' and writes them below a directory of HDFS or of this host, in a directory for each"
          + " tenant. It never replaces, changes or deletes a file that is there. Runs until it is stopped;"
          + " docs/guides/link.md says how to set it up."
    })
public final class GatewayMain implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--listen",
      required = true,
      paramLabel = "HOST:PORT",
      description = "the address to listen on")
  private String listen;

  @Option(
      names = "--directory",
      required = true,
      paramLabel = "URI",
      description = "where files are written, such as hdfs://remote/archive or file:///srv/archive")
  private String directory;

  @Option(
      names = "--keys",
      required = true,
      paramLabel = "FILE",
      description = "a line 'tenant:secret' for each tenant; readable by its owner alone")
  private Path keys;

  @Option(
      names = "--keystore",
      paramLabel = "FILE",
      description = "PKCS12 file with this host's key and certificate, for TLS")
  private Path keyStore;

  @Option(
      names = "--keystore-password",
      paramLabel = "FILE",
      description = "file with the password of the key store")
  private Path keyStorePassword;

  @Option(
      names = "--insecure",
      description = "don't use TLS: whoever can see the traffic can read the files")
  private boolean insecure;

  @Option(
      names = "--index-chunks",
      paramLabel = "N",
      defaultValue = "4000000",
      description = "chunks in the index, 40 bytes of memory each (default: ${DEFAULT-VALUE})")
  private int indexChunks;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "16",
      description = "at most, about 50 MB of memory each (default: ${DEFAULT-VALUE})")
  private int connections;

  public static void main(String[] args) {
    System.exit(Commands.of(new GatewayMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    InetSocketAddress address = Commands.address(spec.commandLine(), "--listen", listen);
    if (insecure == (keyStore != null) || (keyStore == null) != (keyStorePassword == null)) {
      throw new ParameterException(
          spec.commandLine(),
          "give --keystore with --keystore-password, or --insecure, and not both");
    }
    RemoteStore store =
        directory.startsWith("file:")
            ? new LocalStore(Path.of(java.net.URI.create(directory)))
            : HadoopStore.of(directory, new Configuration());
    GatewayState state = GatewayState.of(store, KeyFiles.read(keys), indexChunks);
    ServerSocket server =
        insecure
            ? new ServerSocket(address.getPort(), 50, address.getAddress())
            : Tls.listen(address, keyStore, KeyFiles.password(keyStorePassword));
    run(server, state);
    return 0;
  }

  @SystemRuntime
  private void run(ServerSocket server, GatewayState state) throws IOException {
    SecureRandom random = new SecureRandom();
    PrintWriter out = spec.commandLine().getOut();
    try (Gateway gateway =
        new Gateway(
            server,
            state,
            connections,
            () -> {
              byte[] nonce = new byte[Message.NONCE_BYTES];
              random.nextBytes(nonce);
              return nonce;
            },
            line -> say(out, Instant.now() + " " + line))) {
      say(out, "listening on " + server.getLocalSocketAddress());
      gateway.run();
    }
  }

  private static synchronized void say(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
