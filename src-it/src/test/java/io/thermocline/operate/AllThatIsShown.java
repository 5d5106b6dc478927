// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;

/** Everything that a secure cluster and a service on it show to people: logs, pages, errors, commands, environments. */
final class AllThatIsShown {

  private static final String JOURNAL = "/thermocline/journal";

  private final SecureSetting setting;
  private final Host host;
  private final SecureRest rest;
  private final StringBuilder seen = new StringBuilder();

  AllThatIsShown(SecureSetting setting, Host host, SecureRest rest) {
    this.setting = setting;
    this.host = host;
    this.rest = rest;
  }

  /**
   * Reads all of it.
   *
   * @param password and
   * @param ticket that are shown to the service, where they don't belong too
   */
  String read(String password, String ticket) throws Exception {
    seen.append(host.said()).append(host.moverSaid());
    seen.append(
        host.run(
            "runuser -u thermocline -- /opt/thermocline/bin/thermocline doctor"
                + " --config /opt/thermocline/conf/thermocline.yaml 2>&1 || true"));
    processes();
    answers(password, ticket);
    for (String log :
        new String[] {
          "/opt/thermocline/logs", "/opt/thermocline/logs-mover", "/var/lib/thermocline"
        }) {
      if (Files.exists(host.path(log)) || SecureSetting.IS_MOVER_APART) {
        files(host.path(log));
      }
    }
    files(setting.cluster().directory().resolve("logs"));
    FileSystem hdfs = setting.cluster().client();
    for (FileStatus segment : hdfs.listStatus(new org.apache.hadoop.fs.Path(JOURNAL))) {
      try (InputStream in = hdfs.open(segment.getPath())) {
        seen.append(new String(in.readAllBytes(), UTF_8));
      }
    }
    return seen.toString();
  }

  /** Of commands that people run, too, while they run. */
  private void processes() throws Exception {
    host.environment(
        "KRB5CCNAME", setting.site().ticketCache("vera", Duration.ofHours(1)).toString());
    CompletableFuture<String> status =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return host.run(
                    "/opt/thermocline/bin/thermocline status --service " + setting.service());
              } catch (IOException | InterruptedException e) {
                throw new CompletionException(e);
              }
            });
    Set<String> commands = new HashSet<>();
    do {
      commands.addAll(commandsAndEnvironments());
    } while (!status.isDone());
    seen.append(commands).append(status.get());
  }

  private void answers(String password, String ticket) throws Exception {
    seen.append(rest.send("Negotiate " + password, "GET", "/state", null).body());
    seen.append(rest.send(ticket, "GET", "/state?password=/warehouse", null).body());
    seen.append(rest.post("ann", "/plans/1/approve", "{\"why\": 7}").body());
    seen.append(rest.post("ann", "/hints", "[{\"op\": \"NONE\"}]").body());
    for (String page : List.of("/ui/", "/ui/main.js", "/metrics", "/nothing")) {
      String ann = SecureRest.ticketOf(setting.user("ann"));
      seen.append(rest.sendTo(ann, "GET", setting.service() + page, null).body());
    }
    for (String page : List.of("/state", "/plans", "/tasks", "/config", "/hints", "/nothing")) {
      seen.append(rest.get("ann", page).body());
    }
  }

  private void files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        seen.append(Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
  }

  /**
   * Of all processes that the test started, and theirs, as root sees them; each with its
   * environment.
   */
  private static List<String> commandsAndEnvironments() {
    return ProcessHandle.current()
        .descendants()
        .map(
            process -> {
              Path files = Path.of("/proc", Long.toString(process.pid()));
              try {
                return Files.readString(files.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                    + Files.readString(files.resolve("environ"), StandardCharsets.ISO_8859_1);
              } catch (IOException e) {
                // It has ended.
                return "";
              }
            })
        .toList();
  }
}
