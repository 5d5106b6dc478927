// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.api.ConfigResource;
import io.thermocline.tiering.observe.PathGlob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A mapping of the configuration file, read key by key. Reading never throws: what is wrong is noted
 * with its place and a default is returned, so that all problems are found in one pass. {@link
 * #rejectUnknown} then reports every key that nobody asked for.
 */
public final class YamlSection {

  private static final Pattern DURATION = Pattern.compile("(\\d+)\\s*(ms|s|m|h|d)");
  private static final Pattern BYTES = Pattern.compile("(\\d+)\\s*(B|KB|MB|GB|TB)");
  private static final Pattern PERCENT = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*%");

  private enum Switch {
    ON,
    OFF
  }

  private static final Map<String, Long> BYTE_UNITS = new LinkedHashMap<>();
  private static final Map<String, Long> TIME_UNITS = new LinkedHashMap<>();

  static {
    BYTE_UNITS.put(" TB", 1L << 40);
    BYTE_UNITS.put(" GB", 1L << 30);
    BYTE_UNITS.put(" MB", 1L << 20);
    BYTE_UNITS.put(" KB", 1L << 10);
    BYTE_UNITS.put(" B", 1L);
    TIME_UNITS.put("d", 86_400_000L);
    TIME_UNITS.put("h", 3_600_000L);
    TIME_UNITS.put("m", 60_000L);
    TIME_UNITS.put("s", 1_000L);
    TIME_UNITS.put("ms", 1L);
  }

  /** Keys whose values nobody is shown. */
  private static final Pattern SECRET =
      Pattern.compile("password|secret|token|credential|jaas|\\.key$", Pattern.CASE_INSENSITIVE);

  private final String file;
  private final String name;
  private final List<String> problems;
  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Map<String, Node> keys = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();
  private final Node place;
  private final Effective effective;

  /**
   * What each key comes to.
   *
   * @param hidden hashes of values that aren't shown
   */
  private record Effective(
      Map<String, ConfigResource.Setting> settings, Map<String, Integer> hidden) {}

  /**
   * @param name the section's path with a dot at its end, or empty for the whole file
   * @param mapping null where the section is absent
   */
  YamlSection(String file, String name, MappingNode mapping, List<String> problems) {
    this(
        file, name, mapping, problems, new Effective(new LinkedHashMap<>(), new LinkedHashMap<>()));
  }

  private YamlSection(
      String file, String name, MappingNode mapping, List<String> problems, Effective effective) {
    this.effective = effective;
    this.file = file;
    this.name = name;
    this.problems = problems;
    this.place = mapping;
    if (mapping != null) {
      for (NodeTuple tuple : mapping.getValue()) {
        String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
        if (values.putIfAbsent(key, tuple.getValueNode()) != null) {
          note(tuple.getKeyNode(), key, "is given twice: keep one");
        }
        keys.put(key, tuple.getKeyNode());
      }
    }
  }

  YamlSection section(String key) {
    Node node = take(key);
    MappingNode mapping = null;
    if (node instanceof MappingNode found) {
      mapping = found;
    } else if (node != null && !isEmpty(node)) {
      note(node, key, "expected a section with keys of its own, found " + describe(node));
    }
    return new YamlSection(file, name + key + ".", mapping, problems, effective);
  }

  /** The section, or empty where the file does not have it. */
  Optional<YamlSection> optionalSection(String key) {
    known.add(key);
    return values.containsKey(key) ? Optional.of(section(key)) : Optional.empty();
  }

  /** The section, with the values that keys have by default where it is absent; or empty where it says {@code off}. */
  Optional<YamlSection> sectionUnlessOff(String key) {
    if (take(key) instanceof ScalarNode scalar && scalar.getValue().equals("off")) {
      tell(key, "off", ConfigResource.Source.FILE);
      return Optional.empty();
    }
    return Optional.of(section(key));
  }

  /** Sections under names that the file chooses, in its order. */
  Map<String, YamlSection> sections(String key) {
    YamlSection named = section(key);
    Map<String, YamlSection> sections = new LinkedHashMap<>();
    for (String name : named.keys()) {
      sections.put(name, named.section(name));
    }
    return sections;
  }

  /** The keys there are, in the order of the file. */
  List<String> keys() {
    return List.copyOf(values.keySet());
  }

  /** A list of sections; named by their number, from 1. */
  List<YamlSection> list(String key) {
    Node node = take(key);
    List<YamlSection> sections = new ArrayList<>();
    if (node instanceof SequenceNode sequence) {
      for (Node item : sequence.getValue()) {
        if (item instanceof MappingNode mapping) {
          String place = name + key + "[" + (sections.size() + 1) + "].";
          sections.add(new YamlSection(file, place, mapping, problems, effective));
        } else {
          note(item, key, "expected a list of sections, found " + describe(item) + " in it");
        }
      }
    } else if (node != null && !isEmpty(node)) {
      note(node, key, "expected a list of sections, found " + describe(node));
    }
    return sections;
  }

  String text(String key, String fallback) {
    return scalar(key, fallback, "a text", Function.identity());
  }

  String required(String key, String example) {
    String value = text(key, null);
    if (value == null || value.isEmpty()) {
      problems.add(file + ": " + name + key + " is missing: expected for instance " + example);
      return example;
    }
    return value;
  }

  List<String> texts(String key) {
    Node node = take(key);
    List<String> texts = new ArrayList<>();
    if (node == null || isEmpty(node)) {
      tell(key, "[]", ConfigResource.Source.DEFAULT);
      return texts;
    }
    if (node instanceof SequenceNode sequence) {
      for (Node item : sequence.getValue()) {
        if (item instanceof ScalarNode scalar) {
          texts.add(scalar.getValue());
        } else {
          note(item, key, "expected a text in the list, found " + describe(item));
        }
      }
    } else {
      note(node, key, "expected a list like [a, b], found " + describe(node));
    }
    tell(key, texts.toString(), ConfigResource.Source.FILE);
    return texts;
  }

  /** Patterns of paths, without those that are too long. */
  List<String> globs(String key) {
    List<String> fine = new ArrayList<>();
    for (String glob : texts(key)) {
      if (glob.length() > PathGlob.MAX_LENGTH) {
        reject(
            key, "expected at most " + PathGlob.MAX_LENGTH + " characters, found " + glob.length());
      } else {
        fine.add(glob);
      }
    }
    return fine;
  }

  /** All keys, whatever they are, as texts. */
  Map<String, String> pairs() {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String key : values.keySet()) {
      String value = text(key, null);
      if (value != null) {
        pairs.put(key, value);
      }
    }
    return pairs;
  }

  /** Longer than nothing: a wait of no time would be a loop that never rests. */
  Duration duration(String key, Duration fallback) {
    return scalar(key, fallback, "a duration like 30s, 5m or 2h", YamlSection::toDuration);
  }

  /** Where no time means that there is no such window. */
  Duration durationOrZero(String key, Duration fallback) {
    return scalar(
        key,
        fallback,
        "a duration like 0s, 30s or 5m",
        text -> text.matches("0 *(ms|s|m|h|d)") ? Duration.ZERO : toDuration(text));
  }

  long bytes(String key, long fallback) {
    return scalar(key, fallback, "a size like 64 MB or 2 TB", YamlSection::toBytes);
  }

  /** A percentage as a fraction. */
  double percent(String key, double fallback) {
    return scalar(
        key,
        fallback,
        "a percentage like 90 %",
        text -> {
          Matcher matcher = PERCENT.matcher(text);
          double value = matcher.matches() ? Double.parseDouble(matcher.group(1)) / 100 : -1;
          return value >= 0 && value <= 1 ? value : null;
        });
  }

  int integer(String key, int fallback, int least, int most) {
    return scalar(
        key,
        fallback,
        "a whole number from " + least + " to " + most,
        text -> {
          int value = Integer.parseInt(text);
          return value >= least && value <= most ? value : null;
        });
  }

  double number(String key, double fallback) {
    return scalar(
        key,
        fallback,
        "a number of at least 0",
        text -> {
          double value = Double.parseDouble(text);
          return value >= 0 && value < Double.POSITIVE_INFINITY ? value : null;
        });
  }

  <E extends Enum<E>> E choice(String key, E fallback) {
    List<String> names = new ArrayList<>();
    for (E constant : fallback.getDeclaringClass().getEnumConstants()) {
      names.add(constant.name().toLowerCase(Locale.ROOT));
    }
    return scalar(
        key,
        fallback,
        "one of " + String.join(", ", names),
        text ->
            names.contains(text)
                ? Enum.valueOf(fallback.getDeclaringClass(), text.toUpperCase(Locale.ROOT))
                : null);
  }

  /** Off where the file doesn't say. */
  boolean isOn(String key) {
    return choice(key, Switch.OFF) == Switch.ON;
  }

  /** Notes a problem of a value that is well-formed by itself. */
  void reject(String key, String problem) {
    note(values.get(key), key, problem);
  }

  /** Whether the file has the key, with something behind it. */
  boolean has(String key) {
    Node node = values.get(key);
    return node != null && !isEmpty(node);
  }

  /** Where it begins, from 1; 0 where it is absent. */
  int line() {
    return place == null ? 0 : place.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
  }

  /** Notes, at the place of this section, that it lacks a key. */
  void lacks(String key, String expected) {
    note(place, key, "is missing: expected " + expected);
  }

  /** Reports every key that was not asked for, with the nearest that was. */
  void rejectUnknown() {
    for (String key : values.keySet()) {
      if (!known.contains(key)) {
        String renamed = RenamedKeys.now(name + key);
        if (renamed != null) {
          note(keys.get(key), key, renamed);
          continue;
        }
        String hint =
            Nearest.of(key, known)
                .map(near -> ": did you mean " + name + near + "?")
                .orElse(": expected one of " + String.join(", ", known));
        note(keys.get(key), key, "is no key" + hint);
      }
    }
  }

  private <T> T scalar(String key, T fallback, String expected, Function<String, T> parse) {
    Node node = take(key);
    if (node == null || isEmpty(node)) {
      tell(key, words(fallback, expected), ConfigResource.Source.DEFAULT);
      return fallback;
    }
    T value = null;
    if (node instanceof ScalarNode scalar) {
      try {
        value = parse.apply(scalar.getValue().trim());
      } catch (IllegalArgumentException | ArithmeticException e) {
        value = null;
      }
    }
    if (value == null) {
      note(node, key, "expected " + expected + ", found " + describe(node));
      return fallback;
    }
    tell(key, ((ScalarNode) node).getValue(), ConfigResource.Source.FILE);
    return value;
  }

  /** What every key that was asked for comes to, in the order in which they were asked for. */
  List<ConfigResource.Setting> effective() {
    return List.copyOf(effective.settings().values());
  }

  /** By key, a hash of each value that isn't shown. */
  Map<String, Integer> hidden() {
    return Map.copyOf(effective.hidden());
  }

  private void tell(String key, String value, ConfigResource.Source source) {
    boolean isSecret = source == ConfigResource.Source.FILE && SECRET.matcher(key).find();
    String shown = isSecret ? "***" : value;
    if (isSecret) {
      effective.hidden().put(name + key, value.hashCode());
    }
    effective.settings().put(name + key, new ConfigResource.Setting(name + key, shown, source));
  }

  private static String words(Object fallback, String expected) {
    if (fallback instanceof Double share && expected.startsWith("a percentage")) {
      return Math.round(share * 100) + " %";
    }
    if (fallback instanceof Long bytes) {
      return words(bytes, BYTE_UNITS);
    }
    if (fallback instanceof Duration duration) {
      return words(duration.toMillis(), TIME_UNITS);
    }
    if (fallback instanceof Double number && number == Math.rint(number)) {
      return Long.toString(number.longValue());
    }
    if (fallback instanceof Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT);
    }
    return fallback == null ? "" : fallback.toString();
  }

  /** In the largest unit of which it is a whole number. */
  private static String words(long value, Map<String, Long> units) {
    for (Map.Entry<String, Long> unit : units.entrySet()) {
      if (value != 0 && value % unit.getValue() == 0) {
        return value / unit.getValue() + unit.getKey();
      }
    }
    return units == TIME_UNITS ? "0s" : "0 B";
  }

  private Node take(String key) {
    known.add(key);
    return values.get(key);
  }

  private void note(Node node, String key, String problem) {
    String place =
        node == null
            ? ""
            : node.getStartMark()
                .map(mark -> ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
                .orElse("");
    problems.add(file + place + ": " + name + key + " " + problem);
  }

  private static boolean isEmpty(Node node) {
    return node instanceof ScalarNode scalar && scalar.getValue().isEmpty();
  }

  private static String describe(Node node) {
    if (node instanceof ScalarNode scalar) {
      return "'" + scalar.getValue() + "'";
    }
    return node instanceof SequenceNode ? "a list" : "a section";
  }

  /** Null where it isn't one. */
  public static Duration toDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    long count = Long.parseLong(matcher.group(1));
    if (count == 0) {
      return null;
    }
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }

  /** Null where it isn't one. */
  public static Long toBytes(String text) {
    Matcher matcher = BYTES.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    long unit =
        switch (matcher.group(2)) {
          case "B" -> 1L;
          case "KB" -> 1L << 10;
          case "MB" -> 1L << 20;
          case "GB" -> 1L << 30;
          default -> 1L << 40;
        };
    return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
  }
}
