// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.commands;

import io.thermocline.redundancy.SystemRuntime;
import io.thermocline.redundancy.flow.ChunkingRule;
import io.thermocline.redundancy.flow.ControllerSettings;
import io.thermocline.redundancy.flow.FlowKey;
import io.thermocline.redundancy.flow.FlowTable;
import io.thermocline.redundancy.index.TenantKey;
import io.thermocline.redundancy.link.Message;
import io.thermocline.redundancy.link.Sender;
import io.thermocline.redundancy.link.SenderSession.Content;
import io.thermocline.redundancy.store.Source;
import io.thermocline.redundancy.store.Source.SourceFile;
import io.thermocline.redundancy.work.WorkerPool;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Entry point of the sender. */
@Command(
    name = "thermocline send",
    mixinStandardHelpOptions = true,
    description = {
      "Copies a directory to a gateway at a remote site, and sends only content that the site doesn't have. Files that are there"
          + " with the same content are skipped, so the command can be repeated until all are there. It changes nothing at"
          + " the source, and replaces nothing at the remote site.",
      "",
      "Exit codes: 0 if all files are there; 3 if some aren't, which it lists; 1 for a failure; 2 for bad usage."
    })
public final class SendMain implements Callable<Integer> {

  /** Some files are not at the remote site. */
  static final int INCOMPLETE = 3;

  private static final int CONNECT_MILLIS = 10_000;
  private static final int MAX_FLOWS = 10_000;

  /** Directories whose files are taken for alike. */
  private static final int PREFIX = 3;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      description = "a directory or a file, such as hdfs://cluster/logs")
  private String path;

  @Option(names = "--to", required = true, paramLabel = "HOST:PORT", description = "the gateway")
  private String to;

  @Option(
      names = "--as",
      paramLabel = "PATH",
      defaultValue = "",
      description = "directory at the gateway, below the tenant's (default: the tenant's own)")
  private String target;

  @Option(
      names = "--key",
      required = true,
      paramLabel = "FILE",
      description = "the tenant's line of the gateway's key file; readable by its owner alone")
  private Path key;

  @Option(
      names = "--truststore",
      paramLabel = "FILE",
      description =
          "PKCS12 file with the certificate of the gateway or of who signed it (default: the JDK's)")
  private Path trustStore;

  @Option(
      names = "--truststore-password",
      paramLabel = "FILE",
      description = "file with the password of the trust store")
  private Path trustStorePassword;

  @Option(names = "--insecure", description = "don't use TLS, as the gateway doesn't")
  private boolean insecure;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "4",
      description = "files that are copied at a time (default: ${DEFAULT-VALUE})")
  private int connections;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "threads that chunk and compress (default: ${DEFAULT-VALUE})")
  private int workers;

  @Option(
      names = "--bandwidth",
      paramLabel = "RATE",
      converter = Commands.BitsPerSecond.class,
      defaultValue = "1Gbit",
      description =
          "of the link; a flow whose chunking is slower gets larger chunks (default: ${DEFAULT-VALUE})")
  private long bandwidth;

  @Option(
      names = "--interval-seconds",
      paramLabel = "N",
      defaultValue = "600",
      description =
          "after which the controller looks at each flow's throughput and redundancy (default: ${DEFAULT-VALUE})")
  private long interval;

  @Option(
      names = "--application",
      paramLabel = "NAME",
      defaultValue = "send",
      description =
          "of which flows are, with directory, kind of file and gateway (default: ${DEFAULT-VALUE})")
  private String application;

  public static void main(String[] args) {
    System.exit(Commands.of(new SendMain()).execute(args));
  }

  @Override
  @SystemRuntime
  public Integer call() throws IOException, InterruptedException {
    InetSocketAddress address = Commands.address(spec.commandLine(), "--to", to);
    if (connections < 1 || workers < 1 || interval < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--connections, --workers and --interval-seconds: expected at least 1");
    }
    Map<String, TenantKey> keys = KeyFiles.read(key);
    if (keys.size() != 1) {
      throw new IOException(key + ": expected one tenant, found " + keys.size());
    }
    TenantKey tenant = keys.values().iterator().next();
    PrintWriter out = spec.commandLine().getOut();
    Consumer<String> say =
        line -> {
          synchronized (out) {
            out.println(line);
            out.flush();
          }
        };
    Source source = Source.of(path, new Configuration());
    FlowTable flows =
        new FlowTable(
            ControllerSettings.DEFAULT
                .withInterval(Duration.ofSeconds(interval))
                .withMinThroughput(bandwidth / 8.0),
            MAX_FLOWS,
            ChunkingRule::first,
            change -> say.accept(change.toString()));
    SecureRandom random = new SecureRandom();
    Sender.Runtime runtime =
        new Sender.Runtime(
            System::currentTimeMillis,
            System::nanoTime,
            Thread::sleep,
            () -> {
              byte[] nonce = new byte[Message.NONCE_BYTES];
              random.nextBytes(nonce);
              return nonce;
            });
    try (WorkerPool pool = new WorkerPool(workers, workers)) {
      Sender sender =
          new Sender(
              connector(address),
              tenant,
              flows,
              pool,
              new Sender.Settings(application, to, connections, 8, 1000),
              runtime,
              say);
      return report(sender.send(items(source)), flows, say);
    }
  }

  private Sender.Connector connector(InetSocketAddress address) throws IOException {
    SSLContext tls =
        insecure
            ? null
            : Tls.trusting(
                trustStore,
                trustStorePassword == null ? null : KeyFiles.password(trustStorePassword));
    return () -> {
      Socket socket = new Socket();
      try {
        socket.connect(address, CONNECT_MILLIS);
        return tls == null
            ? socket
            : Tls.connect(tls, socket, address.getHostString(), address.getPort());
      } catch (IOException e) {
        socket.close();
        throw new IOException("gateway " + to + ": " + e.getMessage(), e);
      }
    };
  }

  private List<Sender.Item> items(Source source) throws IOException {
    List<Sender.Item> items = new ArrayList<>();
    String prefix = target.isEmpty() || target.endsWith("/") ? target : target + "/";
    for (SourceFile file : source.files()) {
      String full = source.path() + "/" + file.path();
      items.add(
          new Sender.Item(
              prefix + file.path(), FlowKey.prefix(full, PREFIX), content(source, file)));
    }
    return items;
  }

  private static Content content(Source source, SourceFile file) {
    return new Content() {
      @Override
      public long length() {
        return file.length();
      }

      @Override
      public InputStream open() throws IOException {
        return source.open(file);
      }

      @Override
      public boolean isUnchanged() throws IOException {
        return source.look(file).equals(file);
      }
    };
  }

  private static int report(Sender.Report report, FlowTable flows, Consumer<String> say) {
    flows
        .flows()
        .forEach(
            flow ->
                say.accept(
                    String.format(
                        Locale.ROOT,
                        "%s: %s; %,d bytes, %,d sent, RE %.1f %%, processed at %.0f MB/s",
                        flow.key(),
                        flow.state().rule(),
                        flow.total().dataSize(),
                        flow.total().sendingSize(),
                        100 * flow.total().ratio(),
                        flow.total().throughput() / 1e6)));
    say.accept(
        String.format(
            Locale.ROOT,
            "%,d files copied, %,d were there, %,d are not there; %,d bytes, %,d sent",
            report.copied(),
            report.present(),
            report.failed(),
            report.sent().dataSize(),
            report.sent().sendingSize()));
    if (flows.forgotten() > 0) {
      say.accept(
          String.format(
              Locale.ROOT,
              "%,d flows were forgotten: there were more than %,d",
              flows.forgotten(),
              MAX_FLOWS));
    }
    report.problems().forEach(say);
    return report.failed() == 0 ? 0 : INCOMPLETE;
  }
}
