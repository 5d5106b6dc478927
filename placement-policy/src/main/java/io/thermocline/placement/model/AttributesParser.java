// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import io.thermocline.placement.model.NodeAttributesException.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a node-attributes text and collects what is wrong with it. For one text; not thread-safe. */
final class AttributesParser {
  private static final Pattern WORD = Pattern.compile("[^ \\t]+");
  private static final Pattern HOST = Pattern.compile("[a-z0-9_.:*?-]+");

  /** As HDFS makes them, so that a misspelt type isn't taken for one. */
  private static final Pattern STORAGE_ID = Pattern.compile("DS-[!-~]+");

  /** A byte order mark, which editors of some systems put first. */
  private static final String MARK = "\uFEFF";

  private final List<Problem> problems = new ArrayList<>();
  private final Map<StorageType, List<PerformanceClass>> classes = new EnumMap<>(StorageType.class);
  private final List<AttributeRule> rules = new ArrayList<>();
  private final Map<String, Integer> lineOf = new HashMap<>();
  private final List<ClassUse> uses = new ArrayList<>();

  NodeAttributes parse(String text) throws NodeAttributesException {
    String[] lines = (text.startsWith(MARK) ? text.substring(1) : text).split("\r\n|\n|\r", -1);
    for (int i = 0; i < lines.length; i++) {
      List<Word> words = words(lines[i], i + 1);
      if (words.isEmpty()) {
        continue;
      }
      if (words.get(0).text.equals("class")) {
        declare(words);
      } else {
        rule(words);
      }
    }
    if (problems.isEmpty()) {
      // Else a mistake in a declaration would be told again for each use.
      uses.forEach(ClassUse::check);
    }
    if (!problems.isEmpty()) {
      problems.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
      throw new NodeAttributesException(problems);
    }
    return new NodeAttributes(classes, rules);
  }

  /** {@code class SSD sata < nvme}. */
  private void declare(List<Word> words) {
    if (words.size() < 3) {
      words.get(0).problem("a line of classes reads: class TYPE slow < fast");
      return;
    }
    StorageType type = StorageType.ofHadoopName(words.get(1).text);
    if (type == null) {
      words.get(1).problem(noType(words.get(1).text));
      return;
    }
    if (classes.containsKey(type)) {
      words
          .get(1)
          .problem("the classes of " + type + " are declared already; give them in one line");
      return;
    }
    List<Word> names = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 2; i < words.size(); i++) {
      Word word = words.get(i);
      if (i % 2 == 1) {
        if (!word.text.equals("<")) {
          word.problem("expected '<' between two classes, got '" + word.text + "'");
          return;
        }
      } else if (!seen.add(word.text)) {
        word.problem("class " + word.text + " is named twice");
      } else {
        names.add(word);
      }
    }
    if (words.size() % 2 == 0) {
      words.get(words.size() - 1).problem("expected a class after '<'");
    }
    List<PerformanceClass> declared = new ArrayList<>();
    if (!seen.contains(PerformanceClass.DEFAULT)) {
      declared.add(PerformanceClass.of(type));
    }
    for (Word word : names) {
      try {
        declared.add(PerformanceClass.of(type, Quantity.name(word.text), declared.size()));
      } catch (IllegalArgumentException e) {
        word.problem(e.getMessage());
      }
    }
    classes.put(type, declared);
  }

  /** {@code HOST [TYPE|STORAGE-ID] key=value ...}. */
  private void rule(List<Word> words) {
    Word host = words.get(0);
    String name = host.text.toLowerCase(Locale.ROOT);
    if (!HOST.matcher(name).matches()) {
      host.problem(
          host.text.indexOf('=') > 0
              ? "the line must begin with a host or a pattern of hosts, such as *.example.com"
              : "'" + host.text + "' is no host name; '*' and '?' make it a pattern");
      return;
    }
    int next = 1;
    StorageType type = null;
    String storageId = null;
    if (words.size() > 1 && words.get(1).text.indexOf('=') < 0) {
      Word which = words.get(1);
      next = 2;
      type = StorageType.ofHadoopName(which.text);
      if (type == null && STORAGE_ID.matcher(which.text).matches()) {
        storageId = which.text;
      } else if (type == null) {
        which.problem(noType(which.text) + "; a storage id begins with DS-");
        return;
      }
    }
    if (next == words.size()) {
      words
          .get(next - 1)
          .problem("nothing is said: expected attributes, such as zone=a, after this");
      return;
    }
    String which = type != null ? type.name() : storageId;
    Map<Attribute, Object> values = new EnumMap<>(Attribute.class);
    for (Word word : words.subList(next, words.size())) {
      attribute(word, name + " " + which, which == null, values);
    }
    if (values.containsKey(Attribute.CLASS) && which != null) {
      uses.add(new ClassUse(words, type, (String) values.get(Attribute.CLASS)));
    }
    rules.add(new AttributeRule(name, type, storageId, host.line, values));
  }

  private void attribute(
      Word word, String about, boolean wholeHost, Map<Attribute, Object> values) {
    int equals = word.text.indexOf('=');
    if (equals < 1) {
      word.problem("expected key=value, got '" + word.text + "'");
      return;
    }
    String key = word.text.substring(0, equals);
    Attribute attribute = Attribute.ofKey(key);
    if (attribute == null) {
      word.problem("there is no attribute '" + key + "'; there are " + keys());
      return;
    }
    if (attribute.isOfHost() && !wholeHost) {
      word.problem(key + " is a host's: give it in a line without storage type or storage id");
      return;
    }
    if (attribute == Attribute.CLASS && wholeHost) {
      word.problem("a class is a storage type's: name the type or a storage id after the host");
      return;
    }
    Integer before = lineOf.putIfAbsent(about + " " + key, word.line);
    if (before != null) {
      word.problem(key + " is given already, on line " + before);
      return;
    }
    try {
      values.put(attribute, attribute.read(word.text.substring(equals + 1)));
    } catch (IllegalArgumentException e) {
      word.after(equals + 1).problem(key + ": " + e.getMessage());
    }
  }

  private List<Word> words(String line, int number) {
    int end = line.indexOf('#');
    Matcher matcher = WORD.matcher(end < 0 ? line : line.substring(0, end));
    List<Word> words = new ArrayList<>();
    while (matcher.find()) {
      words.add(new Word(matcher.group(), number, matcher.start() + 1));
    }
    return words;
  }

  private static String noType(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    return "there is no storage type '"
        + text
        + "'; "
        + (StorageType.ofHadoopName(upper) != null
            ? "did you mean " + upper
            : "there are " + Arrays.toString(StorageType.values()));
  }

  private static String keys() {
    List<String> keys = new ArrayList<>();
    for (Attribute attribute : Attribute.values()) {
      keys.add(attribute.key());
    }
    return String.join(", ", keys);
  }

  private final class Word {
    private final String text;
    private final int line;
    private final int column;

    Word(String text, int line, int column) {
      this.text = text;
      this.line = line;
      this.column = column;
    }

    Word after(int characters) {
      return new Word(text.substring(characters), line, column + characters);
    }

    void problem(String message) {
      problems.add(new Problem(line, column, message));
    }
  }

  /** A class that was given; checked at the end, since it may be declared below. */
  private final class ClassUse {
    private final List<Word> words;
    private final StorageType type;
    private final String name;

    ClassUse(List<Word> words, StorageType type, String name) {
      this.words = words;
      this.type = type;
      this.name = name;
    }

    void check() {
      List<StorageType> types =
          type == null ? Arrays.asList(StorageType.values()) : Arrays.asList(type);
      for (StorageType one : types) {
        for (PerformanceClass declared : classes.getOrDefault(one, new ArrayList<>())) {
          if (declared.name().equals(name)) {
            return;
          }
        }
      }
      String whose = type == null ? "any type" : type.name();
      for (Word word : words) {
        if (word.text.equals("class=" + name)) {
          word.problem(
              "no class "
                  + name
                  + " of "
                  + whose
                  + " is declared; declare it in a line such as: class "
                  + (type == null ? "SSD" : whose)
                  + " "
                  + name);
        }
      }
    }
  }
}
