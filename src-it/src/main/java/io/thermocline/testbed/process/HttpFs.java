// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Hadoop's HttpFS as it is published, in a process of its own: a gateway that reads HDFS for many users. */
public final class HttpFs implements AutoCloseable {

  /** The user of HDFS that it is, who must be allowed to act for others. */
  public static final String USER = "httpfs";

  /** The last version that is published. */
  private static final String VERSION = "3.4.1";

  private static final String MAIN = "org.apache.hadoop.fs.http.server.HttpFSServerWebServer";
  private static final Duration STARTS = Duration.ofMinutes(2);
  private static final int NOT_FOUND = 404;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path home;
  private final URI address;
  private final Process process;

  private HttpFs(Path home, int port, Process process) {
    this.home = home;
    this.address = URI.create("http://127.0.0.1:" + port + "/webhdfs/v1");
    this.process = process;
  }

  /**
   * Starts it, and returns when it answers.
   *
   * @param home for its files
   * @param kept where {@link PublishedJars} keeps what Maven said
   */
  public static HttpFs start(Path home, URI nameNode, Path kept)
      throws IOException, UnresolvedHadoopException {
    List<Path> jars =
        PublishedJars.resolve(
            HttpFs.class.getResource("httpfs.xml"), "httpfs " + VERSION, VERSION, kept);
    int port = freePort();
    HttpFs started = new HttpFs(home, port, process(home, jars, port, nameNode));
    try {
      Deadline.await(STARTS, "HttpFS answers", started::answers, started::out);
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private static Process process(Path home, List<Path> jars, int port, URI nameNode)
      throws IOException {
    Path conf = Files.createDirectories(home.resolve("conf"));
    for (String needed : List.of("logs", "temp")) {
      Files.createDirectories(home.resolve(needed));
    }
    Site.of(Map.of("fs.defaultFS", nameNode.toString())).write(conf);
    Files.writeString(
        conf.resolve("httpfs-site.xml"),
        Site.of(
                Map.of(
                    "httpfs.http.hostname",
                    "127.0.0.1",
                    "httpfs.http.port",
                    Integer.toString(port),
                    "httpfs.hadoop.config.dir",
                    conf.toString()))
            .xml(key -> true));
    Files.writeString(conf.resolve("httpfs-signature.secret"), "signs cookies");
    String classPath =
        conf
            + File.pathSeparator
            + jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + home.resolve("temp"),
                "-Dhttpfs.home.dir=" + home,
                "-Dhttpfs.config.dir=" + conf,
                "-Dhttpfs.log.dir=" + home.resolve("logs"),
                "-Dhttpfs.temp.dir=" + home.resolve("temp"),
                "-cp",
                classPath,
                MAIN)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(home.resolve("out").toFile());
    builder.environment().put("HADOOP_USER_NAME", USER);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("HADOOP_CONF_DIR");
    return Reaper.watch(builder.start());
  }

  private boolean answers() throws IOException {
    if (!process.isAlive()) {
      throw new IOException("HttpFS has ended: " + out());
    }
    try {
      return get(USER, "/", "GETFILESTATUS").statusCode() < NOT_FOUND;
    } catch (ConnectException e) {
      return false;
    }
  }

  /** Reads a whole file as a user. */
  public byte[] read(String user, String path) throws IOException {
    HttpResponse<byte[]> answer = get(user, path, "OPEN");
    if (answer.statusCode() != 200) {
      throw new IOException(
          path + ": " + new String(answer.body(), StandardCharsets.UTF_8) + "; " + out());
    }
    return answer.body();
  }

  private HttpResponse<byte[]> get(String user, String path, String operation) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(address + path + "?op=" + operation + "&user.name=" + user))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("Interrupted in reading").initCause(e);
    }
  }

  /** The end of what it printed and logged. */
  private String out() {
    List<String> all = new ArrayList<>();
    try {
      all.addAll(Files.readAllLines(home.resolve("out")));
    } catch (IOException e) {
      throw new UncheckedIOException("the output of HttpFS can't be read", e);
    }
    return String.join("\n", all.subList(Math.max(0, all.size() - 40), all.size()));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    Reaper.kill(process);
  }
}
