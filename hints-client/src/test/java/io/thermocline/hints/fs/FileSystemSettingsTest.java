// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import io.thermocline.hints.fs.PathRule.Moment;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileSystemSettingsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void nothingSaidIsNothingDone() {
    FileSystemSettings settings = FileSystemSettings.of(conf);
    assertEquals("", settings.service());
    assertFalse(settings.isStrict());
    assertEquals(List.of(), settings.rules());
    assertEquals(List.of(), settings.problems());
    assertEquals(
        Map.of(Requirement.LOW_LATENCY, "ONE_SSD", Requirement.CHEAP, "COLD"), settings.policies());
  }

  @ParameterizedTest
  @CsvSource({
    "/a/*, /a/b, true",
    "/a/*, /a/b/c, false",
    "/a/**, /a/b/c, true",
    "/a/**, /a, false",
    "/a/**/x?.orc, /a/b/c/x1.orc, true",
    "/a/**/x?.orc, /a/b/c/x12.orc, false",
    "/a(1)/[b].c+, /a(1)/[b].c+, true",
    "/a(1)/[b].c+, /a(1)/bcc, false",
    "/数/*, /数/据, true"
  })
  void pathsAreAsInAShell(String glob, String path, boolean matches) {
    rule("r", "path", glob);
    assertEquals(matches, one().speaksOf(path, Moment.CREATE));
    assertFalse(one().speaksOf(path, Moment.OPEN));
  }

  @Test
  void aRuleSaysAllThatAHintCanSay() {
    rule("r", "path", "/hbase/**", "scope", "directory", "on", "create, open", "lease", "2h");
    rule("r", "operation", "pin", "pattern", "write-intensive", "requirement", "THROUGHPUT");
    rule("r", "temperature", "hot", "stream", "wal-${hbase.cluster}");
    conf.set("hbase.cluster", "c1");
    PathRule rule = one();
    assertTrue(rule.speaksOf("/hbase/x", Moment.OPEN));
    assertEquals(7_200_000, rule.leaseMillis());
    Hint hint = rule.on(rule.operation(), "/hbase").owner("o").leaseExpiryMillis(1).build();
    assertEquals(Operation.PIN, hint.operation());
    assertEquals(Scope.DIRECTORY, hint.scope());
    assertEquals(AccessPattern.WRITE_INTENSIVE, hint.pattern());
    assertEquals("wal-c1", hint.stream());
    assertEquals(Source.FILE_SYSTEM, hint.source());
    assertEquals(Requirement.THROUGHPUT, rule.requirement());
  }

  @Test
  void aJobWithoutThatNameHasNoStream() {
    rule("r", "path", "/out/**", "stream", "${mapreduce.job.name}");
    PathRule rule = one();
    assertEquals(
        null, rule.on(Operation.ADVISE, "/x").owner("o").leaseExpiryMillis(1).build().stream());
  }

  @ParameterizedTest
  @CsvSource({
    "temperature, hot, LOW_LATENCY",
    "temperature, cold, CHEAP",
    "temperature, warm, NONE",
    "pattern, random-write, LOW_LATENCY",
    "pattern, write_intensive, LOW_LATENCY",
    "pattern, archival, CHEAP",
    "pattern, backup, CHEAP",
    "pattern, sequential, NONE",
    "pattern, temporary, NONE"
  })
  void whatIsExpectedAsksForATier(String key, String value, Requirement expected) {
    rule("r", "path", "/**", key, value);
    assertEquals(expected, one().requirement());
  }

  @ParameterizedTest
  @CsvSource({
    "/out/part-0, /out",
    "/out/_temporary/0/_temporary/attempt_1/part-0, /out",
    "/out/d=1/.hive-staging_7/-ext-10000/0, /out/d=1",
    "/out/.spark-staging-3/a/b, /out",
    "/hbase/data/t/r/.tmp/f/1, /hbase/data/t/r",
    "/part-0, /"
  })
  void outputOfAJobIsHintedWhereItWillLie(String file, String directory) {
    rule("r", "path", "/**", "scope", "directory");
    assertEquals(directory, one().target(file));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "path | tmp/* | 'tmp/*'; allowed: an absolute path",
        "scope | stream | 'stream'; allowed: file or directory",
        "pattern | often | 'often'; allowed: one of [UNKNOWN, WRITE_INTENSIVE",
        "on | delete | 'delete'; allowed: one of [CREATE, OPEN]",
        "lease | 0 | '0ms'; allowed: a duration",
        "lease | soon | For input string",
      })
  void aBadRuleIsLeftOutAndSaid(String key, String value, String message) {
    rule("good", "path", "/good");
    rule("bad", "path", "/bad");
    rule("bad", key, value);
    FileSystemSettings settings = FileSystemSettings.of(conf);
    assertEquals(1, settings.rules().size());
    assertEquals("good", settings.rules().get(0).name());
    String problem = String.join("", settings.problems());
    assertTrue(problem.startsWith("rule bad is left out: "), problem);
    assertTrue(problem.contains(message), problem);
  }

  @Test
  void theExampleHasEveryKeyWithItsDefault() throws Exception {
    String file = Files.readString(Path.of("../conf/hdfs-site.thermocline-client.xml"));
    conf.addResource(new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)), "example");
    FileSystemSettings example = FileSystemSettings.of(conf);
    FileSystemSettings defaults = FileSystemSettings.of(new Configuration(false));
    assertEquals(List.of(), example.problems());
    assertEquals(1, example.rules().size());
    assertEquals(defaults.isStrict(), example.isStrict());
    assertEquals(defaults.timeoutMillis(), example.timeoutMillis());
    assertEquals(defaults.queueLength(), example.queueLength());
    assertEquals(defaults.groupLimits().toString(), example.groupLimits().toString());
    assertEquals(defaults.policies(), example.policies());
    assertEquals(86_400_000, example.rules().get(0).leaseMillis());
    TreeSet<String> keys = new TreeSet<>();
    for (Field constant : FileSystemSettings.class.getDeclaredFields()) {
      if (constant.getType() == String.class && Modifier.isStatic(constant.getModifiers())) {
        keys.add((String) constant.get(null));
      }
    }
    keys.removeIf(key -> !key.startsWith(FileSystemSettings.PREFIX) || key.endsWith("."));
    for (String key :
        List.of(
            "path",
            "on",
            "when",
            "scope",
            "lease",
            "operation",
            "pattern",
            "temperature",
            "requirement",
            "stream")) {
      keys.add(FileSystemSettings.RULE + "example." + key);
    }
    TreeSet<String> named = new TreeSet<>();
    Matcher matcher = Pattern.compile("<name>(thermocline[^<]*)</name>").matcher(file);
    while (matcher.find()) {
      named.add(matcher.group(1));
    }
    assertEquals(keys, named);
  }

  @Test
  void patternsAreBounded() {
    String longest = "/" + "*a".repeat(499) + "b";
    rule("longest", "path", longest);
    rule("longer", "path", longest + "c");
    conf.set("thermocline.hints.choice.paths", longest + "c");
    FileSystemSettings settings = FileSystemSettings.of(conf);
    assertEquals(1, settings.rules().size());
    assertEquals(2, settings.problems().size(), settings.problems().toString());
    settings
        .problems()
        .forEach(
            problem ->
                assertTrue(
                    problem.contains("allowed: a path of at most 1000 characters"), problem));
  }

  @Test
  void policiesAreChecked() {
    conf.set("thermocline.hints.create.policies", "THROUGHPUT=HOT, CHEAP=LUKEWARM, FAST=HOT,");
    FileSystemSettings settings = FileSystemSettings.of(conf);
    assertEquals(Map.of(Requirement.THROUGHPUT, "HOT"), settings.policies());
    assertEquals(2, settings.problems().size(), settings.problems().toString());
  }

  @Test
  void aFileIsHintedAgainAfterHalfALease() {
    RecentHints recent = new RecentHints();
    assertTrue(recent.isDue("a", 0, 100));
    assertFalse(recent.isDue("a", 49, 100));
    assertTrue(recent.isDue("b", 49, 100));
    assertTrue(recent.isDue("a", 50, 100));
    for (int i = 0; i < 10_000; i++) {
      assertTrue(recent.isDue("f" + i, 51, 100));
    }
    // Forgotten, since no more are kept.
    assertTrue(recent.isDue("a", 52, 100));
  }

  private PathRule one() {
    FileSystemSettings settings = FileSystemSettings.of(conf);
    assertEquals(List.of(), settings.problems());
    return settings.rules().get(0);
  }

  private void rule(String name, String... keysAndValues) {
    String rules = conf.get("thermocline.hints.rules", "");
    if (!List.of(rules.split(",")).contains(name)) {
      conf.set("thermocline.hints.rules", rules.isEmpty() ? name : rules + "," + name);
    }
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set("thermocline.hints.rule." + name + "." + keysAndValues[i], keysAndValues[i + 1]);
    }
  }
}
