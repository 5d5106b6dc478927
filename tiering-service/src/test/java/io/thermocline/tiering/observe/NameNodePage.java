// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;

/** The web server of a NameNode as far as its counters go, which the test sets. */
public final class NameNodePage implements Closeable {

  public volatile String state = "active";

  /** When it became that. */
  public volatile long sinceMillis = 1;

  public volatile long fileInfos;
  public volatile long deletes;
  public volatile long renames;

  /** Whether it answers nobody. */
  public volatile boolean isSilent;

  private final HttpServer server;

  public NameNodePage() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/jmx",
        exchange -> {
          byte[] answer =
              answer(exchange.getRequestURI().getQuery()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(isSilent ? 503 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  private String answer(String query) {
    return query.endsWith("name=NameNodeStatus")
        ? "{\"beans\":[{\"State\":\"%s\",\"LastHATransitionTime\":%d}]}"
            .formatted(state, sinceMillis)
        : query.endsWith("name=NameNodeActivity")
            ? "{\"beans\":[{\"FileInfoOps\":%d,\"DeleteFileOps\":%d,\"FilesRenamed\":%d}]}"
                .formatted(fileInfos, deletes, renames)
            : "{\"beans\":[]}";
  }

  public URI web() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  public JmxPage page() {
    return new JmxPage(web(), new Configuration(false));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
