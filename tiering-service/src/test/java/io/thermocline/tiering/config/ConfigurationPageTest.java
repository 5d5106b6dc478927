// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.api.ConfigResource;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/reference/configuration.md has every key of thermocline.yaml, no other, and the defaults that the readers of the file have. */
class ConfigurationPageTest extends ConfigFileCase {

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([\\w.<>\\[\\]]+)` \\| (.*?) \\| (.+) \\|$");
  private static final List<String> TYPES = List.of("NVDIMM", "SSD", "DISK", "ARCHIVE");
  private static final Pattern TYPE = Pattern.compile("\\.(NVDIMM|SSD|DISK|ARCHIVE)\\.");

  /** What only a file has, since there is no default. */
  private static final String REQUIRED = "required";

  /** With all sections between them; some exclude each other. */
  private static final List<String> FILES =
      List.of(
          LEAST + "mover: {}\napi: {}\n",
          """
          hdfs: {kerberos: {principal: a/_HOST@B, keytab: /k}}
          observe:
            kafka: {topics: [a], bootstrapServers: ["k:9092"], client: {security.protocol: SASL_SSL}}
            image: {from: /fsimage}
          heat: {checkpoint: /h}
          manage: {paths: [/warehouse]}
          decide:
            caps: [{user: a, max: 1 TB}, {group: a, max: 1 TB}, {path: /a, max: 1 TB}]
            actions: {cache: {maxBytes: 10 GB}, replicas: {}, groups: {maxBytes: 100 GB, raise: {}}}
            firstPart: {}
          act: {perType: {NVDIMM: {}, SSD: {}, DISK: {}, ARCHIVE: {}}}
          journal: {directory: "hdfs://n/journal"}
          hints: {wakeup: {webhooks: {etl: "https://etl.example.org/hints"}}}
          api:
            listen: 127.0.0.1:8480
            kerberos: {principal: HTTP/_HOST@B, keytab: /k}
            roles: {viewer: {}, operator: {}, administrator: {}}
            tls: {keyStore: /k, passwordFile: /p}
            rateLimits: {}
          ha: {zooKeeper: "zk1:2181", id: node1}
          """);

  private record Row(Pattern key, String text, List<String> defaults) {

    /** What the page says is the key's default, without its font; in words where nothing is in code font. */
    String defaultOf(String key) {
      Matcher type = TYPE.matcher(key);
      return defaults.size() == 1 || !type.find()
          ? defaults.get(0)
          : defaults.get(TYPES.indexOf(type.group(1)));
    }
  }

  @Test
  void hasEveryKeyWithItsDefault() throws Exception {
    List<Row> rows = rows();
    List<String> wrong = new ArrayList<>();
    Set<Row> used = new LinkedHashSet<>();
    Map<String, String> defaults = defaults();
    for (Map.Entry<String, String> setting : defaults.entrySet()) {
      String key = setting.getKey();
      List<Row> found = rows.stream().filter(row -> row.key().matcher(key).matches()).toList();
      if (found.size() != 1) {
        wrong.add(key + ": " + found.size() + " rows, default " + setting.getValue());
      } else {
        used.add(found.get(0));
        String said = found.get(0).defaultOf(key);
        if (!fits(said, setting.getValue())) {
          wrong.add(key + ": the page says " + said + ", and it is " + setting.getValue());
        }
      }
    }
    rows.stream()
        .filter(row -> !used.contains(row))
        .forEach(row -> wrong.add(row.text() + " is no key"));
    assertEquals(List.of(), wrong);
    assertTrue(defaults.size() > 180, () -> defaults.size() + " keys");
  }

  @Test
  void marksKeysThatNeedARestart() throws IOException {
    List<String> wrong = new ArrayList<>();
    Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/reference/configuration.md")));
    while (row.find()) {
      String key = row.group(1);
      boolean needs =
          ServiceConfig.RESTART.stream()
              .anyMatch(each -> key.equals(each) || key.startsWith(each + "."));
      if (row.group(3).contains("Needs a restart.") != needs) {
        wrong.add(key);
      }
    }
    assertEquals(List.of(), wrong);
  }

  /** Words stand for defaults that are empty: none, no limit, this host's. */
  private static boolean fits(String said, String value) {
    if (value.equals(REQUIRED)) {
      return said.startsWith(REQUIRED) || said.equals("none");
    }
    boolean isEmpty = value.isEmpty() || value.equals("[]") || value.equals("0 B");
    return said.startsWith("`") ? said.equals("`" + value + "`") || isEmpty : isEmpty;
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/reference/configuration.md")));
    while (row.find()) {
      String regex =
          Pattern.quote(row.group(1)).replaceAll("<\\w+>", "\\\\E.+\\\\Q").replace("\\Q\\E", "");
      rows.add(new Row(Pattern.compile(regex), row.group(1), List.of(row.group(2).split(" / "))));
    }
    return rows;
  }

  /** By key; {@link #REQUIRED} where no file leaves it out. */
  private Map<String, String> defaults() throws IOException, ConfigException {
    Map<String, String> defaults = new LinkedHashMap<>();
    for (String text : FILES) {
      for (ConfigResource.Setting setting : read(text).api().settings()) {
        String key = setting.key().replaceAll("\\[\\d+]", "[]");
        if (setting.source() == ConfigResource.Source.DEFAULT) {
          defaults.put(key, setting.value());
        } else {
          defaults.putIfAbsent(key, REQUIRED);
        }
      }
    }
    return defaults;
  }
}
