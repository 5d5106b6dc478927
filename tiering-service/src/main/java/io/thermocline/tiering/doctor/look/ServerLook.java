// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Seen;
import io.thermocline.tiering.observe.ConfPage;
import io.thermocline.tiering.observe.HadoopWeb;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** Asks NameNodes and DataNodes at their web servers: /conf, /jmx and /logLevel. Thread-safe. */
public final class ServerLook {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int AT_ONCE = 32;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern LEVEL = Pattern.compile("Effective Level: <b>(\\w+)</b>");

  private final HadoopWeb pages;
  private final Clock clock;

  /** What a kind of server is asked. */
  public enum Kind {
    NAME_NODE(
        "NameNode",
        "org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit",
        List.of("NameNodeInfo", "FSNamesystem", "ThermoclinePlacement")),
    DATA_NODE(
        "DataNode",
        "org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace",
        List.of("DataNodeInfo"));

    private final String service;
    private final String logger;
    private final List<String> beans;

    Kind(String service, String logger, List<String> beans) {
      this.service = service;
      this.logger = logger;
      this.beans = beans;
    }
  }

  /**
   * @param conf of TLS and of the login
   */
  public ServerLook(Configuration conf, Clock clock) {
    this.pages = new HadoopWeb(conf, PATIENCE);
    this.clock = clock;
  }

  /** Asks all of them, some at a time. */
  public List<Facts.Server> ask(List<URI> webs, Kind kind) throws InterruptedException {
    ExecutorService askers =
        Executors.newFixedThreadPool(Math.max(1, Math.min(AT_ONCE, webs.size())));
    try {
      List<Future<Facts.Server>> answers =
          webs.stream().map(web -> askers.submit(() -> ask(web, kind))).toList();
      List<Facts.Server> servers = new ArrayList<>();
      for (Future<Facts.Server> answer : answers) {
        servers.add(answer.get());
      }
      return servers;
    } catch (ExecutionException e) {
      // Whatever a server does is part of its answer.
      throw new IllegalStateException(e.getCause());
    } finally {
      askers.shutdownNow();
    }
  }

  private Facts.Server ask(URI web, Kind kind) {
    String name = web.getAuthority();
    Seen<Page> first = page(web, "/jmx?qry=java.lang:type=Runtime");
    if (first.value().isEmpty()) {
      // One that doesn't answer is waited for once.
      return Facts.Server.unseen(name, first.why());
    }
    return new Facts.Server(
        name,
        read(page(web, "/conf"), page -> ConfPage.pairs(page.path("properties"))),
        read(first, page -> ConfPage.pairs(page.path("beans").path(0).path("SystemProperties"))),
        status(web, kind),
        first.value().get().skew(),
        level(page(web, "/logLevel?log=" + kind.logger)));
  }

  /**
   * A page, and the server's clock against ours when it was made.
   */
  private record Page(String text, Seen<Duration> skew) {}

  private Seen<Page> page(URI web, String path) {
    URI page = web.resolve(path);
    try {
      long before = clock.millis();
      HttpURLConnection connection = pages.open(page);
      try {
        // By this /conf tells JSON from XML.
        connection.setRequestProperty("Accept", "application/json");
        int status = connection.getResponseCode();
        if (status != HttpURLConnection.HTTP_OK) {
          return Seen.not(page.getPath() + " answered with status " + status);
        }
        try (InputStream in = connection.getInputStream()) {
          String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
          long date = connection.getDate();
          long middle = (before + clock.millis()) / 2;
          return Seen.of(
              new Page(
                  text,
                  date == 0
                      ? Seen.not("it says no date")
                      : Seen.of(Duration.ofMillis(date - middle))));
        }
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return Seen.not("it doesn't answer: " + e.getMessage());
    }
  }

  @FunctionalInterface
  private interface Reading<T> {
    T of(JsonNode page);
  }

  private static <T> Seen<T> read(Seen<Page> page, Reading<T> reading) {
    if (page.value().isEmpty()) {
      return Seen.not(page.why());
    }
    try {
      return Seen.of(reading.of(MAPPER.readTree(page.value().get().text())));
    } catch (IOException e) {
      return Seen.not("its answer is no JSON");
    }
  }

  private Seen<Map<String, String>> status(URI web, Kind kind) {
    Map<String, String> status = new HashMap<>();
    for (String name : kind.beans) {
      Seen<JsonNode> bean =
          read(
              page(web, "/jmx?qry=Hadoop:service=" + kind.service + ",name=" + name),
              page -> page.path("beans").path(0));
      if (bean.value().isEmpty()) {
        return Seen.not(bean.why());
      }
      Stream.of(
              "SoftwareVersion",
              "Safemode",
              "PostponedMisreplicatedBlocks",
              "PlacementStopped",
              "AttributesBad",
              "BadSetting",
              "DirectoryHintsBad")
          .filter(bean.value().get()::has)
          .forEach(key -> status.put(key, bean.value().get().path(key).asText()));
    }
    return Seen.of(status);
  }

  private static Seen<String> level(Seen<Page> page) {
    if (page.value().isEmpty()) {
      return Seen.not(page.why());
    }
    Matcher level = LEVEL.matcher(page.value().get().text());
    return level.find() ? Seen.of(level.group(1)) : Seen.not("/logLevel says no level");
  }
}
