// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.StorageType;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.junit.jupiter.api.Test;

/** Settings, examples and metrics stand in the code, in conf/ and in docs/concepts/placement.md. */
class SettingsAgreeTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path DOCS = ROOT.resolve("docs/concepts/placement.md");
  private static final Path NAMENODE = ROOT.resolve("conf/hdfs-site.thermocline.xml");
  private static final Path DATANODE = ROOT.resolve("conf/hdfs-site.thermocline-datanode.xml");

  @Test
  void docsHaveAllSettings() throws Exception {
    assertEquals(new TreeSet<>(keys()), new TreeSet<>(documented().keySet()));
  }

  @Test
  void confHasAllSettings() throws Exception {
    Configuration conf = examples();
    for (String key : keys()) {
      assertTrue(conf.get(key) != null, key + " is in no example in conf/");
    }
    for (Map.Entry<String, String> entry : conf) {
      if (entry.getKey().startsWith("thermocline.")) {
        assertTrue(keys().contains(entry.getKey()), entry.getKey() + " is no setting");
      }
    }
  }

  @Test
  void defaultsAgree() throws Exception {
    Map<String, String> documented = documented();
    PlacementCounters counters = new PlacementCounters();
    PolicySettings code = PolicySettings.of(new Configuration(false), counters);
    // A documented default, set, makes no difference.
    Configuration set = new Configuration(false);
    documented.forEach(
        (key, value) -> {
          if (!value.equals("none")) {
            set.set(key, value);
          }
        });
    assertEquals(shown(code), shown(PolicySettings.of(set, counters)));
    // Nor do the examples, but for the two that have no default.
    Configuration examples = examples();
    documented.forEach(
        (key, value) -> {
          if (!value.equals("none")) {
            assertEquals(value, examples.get(key), key);
          }
        });
    assertEquals(0, counters.get(PlacementCounters.Event.BAD_SETTING));
    assertEquals(
        RoundRobinVolumeChoosingPolicy.class.getName(),
        documented.get(NominatedVolumeChoosingPolicy.FALLBACK_KEY));
  }

  @Test
  void classesInTheExamplesAreOurs() throws Exception {
    Configuration examples = examples();
    assertEquals(
        ThermoclinePlacementPolicy.class.getName(), examples.get("dfs.block.replicator.classname"));
    assertEquals(
        FastestReplicaFirstTopology.class.getName(), examples.get("dfs.net.topology.impl"));
    assertEquals(
        NominatedVolumeChoosingPolicy.class.getName(),
        examples.get("dfs.datanode.fsdataset.volume.choosing.policy"));
    String docs = Files.readString(DOCS);
    for (String key :
        List.of(
            "dfs.block.replicator.classname",
            "dfs.net.topology.impl",
            "dfs.datanode.fsdataset.volume.choosing.policy")) {
      String name = examples.get(key).substring(examples.get(key).lastIndexOf('.') + 1);
      assertTrue(docs.contains("| `" + key + "` | `" + name + "` |"), key);
    }
  }

  @Test
  void exampleOfNodeAttributesCanBeRead() throws Exception {
    String text = Files.readString(ROOT.resolve("conf/node-attributes.example"));
    NodeAttributes attributes = NodeAttributes.parse(text);
    assertEquals(3, attributes.classes(StorageType.SSD).size());
    // All that the docs list is in the example, and the other way round.
    TreeSet<String> documented = new TreeSet<>();
    Matcher row =
        Pattern.compile("(?m)^\\| ([a-z-]+) \\| \\S[^|]* \\|").matcher(section("node-attributes"));
    while (row.find()) {
      documented.add(row.group(1));
    }
    documented.remove("key");
    TreeSet<String> used = new TreeSet<>();
    Matcher attribute = Pattern.compile("(?m) ([a-z-]+)=").matcher(text);
    while (attribute.find()) {
      used.add(attribute.group(1));
    }
    assertEquals(used, documented);
  }

  @Test
  void documentedCountersExist() throws Exception {
    TreeSet<String> known = new TreeSet<>();
    new PlacementCounters()
        .forEach((key, sentence, value) -> known.add(key.replace("_", "").toLowerCase()));
    Matcher row = Pattern.compile("(?m)^\\| `([A-Z][A-Za-z]+)` \\|").matcher(section("Metrics"));
    int rows = 0;
    while (row.find()) {
      rows++;
      assertTrue(known.contains(row.group(1).toLowerCase()), row.group(1) + " is no counter");
    }
    assertTrue(rows > 10, "rows " + rows);
  }

  /** From the rows {@code | `key` | default | meaning |}. */
  private static Map<String, String> documented() throws Exception {
    Map<String, String> defaults = new TreeMap<>();
    Matcher row =
        Pattern.compile("(?m)^\\| `(thermocline\\.[^`]+)` \\| ([^ |]+) \\|")
            .matcher(Files.readString(DOCS));
    while (row.find()) {
      defaults.put(row.group(1), row.group(2));
    }
    return defaults;
  }

  private static String section(String heading) throws Exception {
    String docs = Files.readString(DOCS);
    Matcher start = Pattern.compile("(?m)^## .*" + heading).matcher(docs);
    assertTrue(start.find(), heading);
    int end = docs.indexOf("\n## ", start.end());
    return docs.substring(start.end(), end < 0 ? docs.length() : end);
  }

  /** All constants of ours that end in KEY and name a setting of ours. */
  private static List<String> keys() {
    return List.of(
            ThermoclinePlacementPolicy.class,
            PolicySettings.class,
            ChoiceSettings.class,
            OtherPolicies.class,
            NominatedVolumeChoosingPolicy.class)
        .stream()
        .flatMap(owner -> Arrays.stream(owner.getDeclaredFields()))
        .filter(field -> field.getName().endsWith("KEY"))
        .map(SettingsAgreeTest::value)
        .filter(key -> key.startsWith("thermocline."))
        .collect(Collectors.toList());
  }

  private static String value(Field field) {
    try {
      field.setAccessible(true);
      return (String) field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The example files, with what they have in comments. */
  private static Configuration examples() throws Exception {
    Configuration conf = new Configuration(false);
    for (Path path : List.of(NAMENODE, DATANODE)) {
      String text = Files.readString(path);
      conf.addResource(stream(text));
      Matcher options = Pattern.compile("(?s)<!-- Options.*?(<property>.*?)-->").matcher(text);
      while (options.find()) {
        conf.addResource(stream("<configuration>" + options.group(1) + "</configuration>"));
      }
    }
    return conf;
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String shown(PolicySettings settings) {
    return settings.refreshMillis()
        + " "
        + settings.selection()
        + " "
        + settings.layout()
        + " "
        + settings.choice().candidates()
        + " "
        + settings.choice().engine().policy()
        + " "
        + settings.attributesFile()
        + " "
        + settings.tableDirectory()
        + " "
        + settings.settleMillis()
        + " "
        + settings.forgetMillis()
        + " "
        + settings.ownDisks();
  }
}
