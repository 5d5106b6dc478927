// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The settings of a process, and the configuration directory that holds them for it. Immutable. */
final class Site {

  private static final String LOGGING =
      """
      log4j.rootLogger=INFO, out
      log4j.appender.out=org.apache.log4j.ConsoleAppender
      log4j.appender.out.layout=org.apache.log4j.PatternLayout
      log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %-5p %c{2}: %m%n
      """;

  private final Map<String, String> settings;

  private Site(Map<String, String> settings) {
    this.settings = settings;
  }

  static Site of(Map<String, String> settings) {
    return new Site(new TreeMap<>(settings));
  }

  Site with(Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(settings);
    all.putAll(more);
    return new Site(all);
  }

  Map<String, String> settings() {
    return Map.copyOf(settings);
  }

  /** Writes core-site.xml, hdfs-site.xml, the logging and what the web servers look for. */
  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Predicate<String> hdfs = key -> key.startsWith("dfs.") || key.startsWith("thermocline.");
    Files.writeString(directory.resolve("core-site.xml"), xml(hdfs.negate()));
    Files.writeString(directory.resolve("hdfs-site.xml"), xml(hdfs));
    Files.writeString(directory.resolve("log4j.properties"), LOGGING);
    // Hadoop's jars on Maven Central lack their pages, and a daemon ends without the directories.
    for (String server : new String[] {"hdfs", "datanode", "secondary", "journal", "static"}) {
      Files.createDirectories(directory.resolve("webapps").resolve(server));
    }
  }

  /** Of the settings with these keys. */
  String xml(Predicate<String> keys) {
    return settings.entrySet().stream()
        .filter(entry -> keys.test(entry.getKey()))
        .map(
            entry ->
                "  <property><name>%s</name><value>%s</value></property>%n"
                    .formatted(escaped(entry.getKey()), escaped(entry.getValue())))
        .collect(Collectors.joining("", "<configuration>\n", "</configuration>\n"));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
