// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.tiering.act.groups.AuditedGroups;
import io.thermocline.tiering.act.groups.GroupRecord;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.GroupChange;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.JsonLayout;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AuditTrailTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final StringWriter out = new StringWriter();
  private final WriterAppender appender = new WriterAppender(new PatternLayout("%m%n"), out);
  private final Logger logger = Logger.getLogger("io.thermocline.audit");
  private final AuditTrail trail =
      new AuditTrail("tc", Clock.fixed(Instant.parse("2026-11-20T00:00:00Z"), ZoneOffset.UTC));

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
  }

  @AfterEach
  void leave() {
    logger.removeAppender(appender);
  }

  @Test
  void eachChangeHasALineAndLooksHaveNone() throws Exception {
    trail.begin(new Plan(1, List.of(), List.of()));
    ActionCalls actions = trail.audited(ActionCalls.class, new Actions());

    actions.setReplication("/a \"b\"", 5);
    assertEquals(Optional.empty(), actions.file("/a"));
    IOException e = assertThrows(IOException.class, () -> actions.cache("/full", 2, made -> {}));
    assertEquals("the pool is full", e.getMessage(), "what HDFS said comes through");

    List<JsonNode> lines = lines();
    assertEquals(2, lines.size(), lines::toString);
    assertEquals("/a \"b\"", lines.get(0).get("path").asText());
    assertEquals("setReplication", lines.get(0).get("operation").asText());
    assertEquals("5", lines.get(0).get("what").asText());
    assertEquals("tc", lines.get(0).get("who").asText());
    assertEquals("done", lines.get(0).get("outcome").asText());
    assertFalse(lines.get(0).get("dryRun").asBoolean());
    assertTrue(lines.get(1).get("outcome").asText().startsWith("failed: "), lines::toString);
  }

  @Test
  void theLastReasonOfAPathCounts() throws Exception {
    ActionCalls actions = trail.audited(ActionCalls.class, new Actions());
    trail.because("/a", "hot");
    trail.because("/a", "nothing needs it any more");
    actions.setReplication("/a", 3);
    assertEquals("nothing needs it any more", lines().get(0).get("why").asText());
  }

  @Test
  void groupsHaveTheirLinesOnceTheyAreKept() throws Exception {
    List<String> kept = new ArrayList<>();
    AuditedGroups groups =
        new AuditedGroups(
            new GroupRecord() {
              @Override
              public void willMake(long plan, GroupChange change, String file) throws IOException {
                throw new IOException("the journal is full");
              }

              @Override
              public void shown(long group, List<String> places) {
                kept.add("shown " + group);
              }

              @Override
              public void ended(long plan, long group, String who, String why) {
                kept.add("ended " + group);
              }
            },
            trail);

    assertThrows(IOException.class, () -> groups.willMake(7, null, "/groups/12"));
    groups.shown(12, List.of("n1 SSD", "n2 DISK"));
    groups.ended(7, 12, "olga", "cold");

    assertEquals(List.of("shown 12", "ended 12"), kept);
    List<JsonNode> lines = lines();
    assertEquals(2, lines.size(), lines::toString);
    assertEquals("groupComplete", lines.get(0).get("operation").asText());
    assertEquals("n1 SSD, n2 DISK", lines.get(0).get("what").asText());
    assertEquals("endGroup", lines.get(1).get("operation").asText());
    assertEquals("asked for by olga", lines.get(1).get("what").asText());
    assertEquals("cold", lines.get(1).get("why").asText());
  }

  /** What the rule of {@link AuditTrail#audited} comes to, so that a new action is thought about. */
  @Test
  void actionsThatReturnNothingAreTheChanges() {
    Set<String> changes = new TreeSet<>();
    for (Class<?> type : List.of(HdfsCalls.class, ActionCalls.class)) {
      for (Method method : type.getMethods()) {
        if (method.getReturnType() == void.class) {
          changes.add(method.getName());
        }
      }
    }
    assertTrue(
        changes.containsAll(
            Set.of("setStoragePolicy", "copy", "setReplication", "cache", "uncache")),
        changes::toString);
  }

  @Test
  void aLineOfTheLogIsOneObject() throws Exception {
    WriterAppender json = new WriterAppender(new JsonLayout(), out);
    logger.removeAppender(appender);
    logger.addAppender(json);
    logger.warn("two\nlines", new IOException("why"));
    logger.removeAppender(json);

    JsonNode line = JSON.readTree(out.toString());
    assertEquals(1, out.toString().lines().count());
    assertEquals("two\nlines", line.get("message").asText());
    assertEquals("WARN", line.get("level").asText());
    assertTrue(line.get("error").asText().startsWith("java.io.IOException: why\n"));
  }

  private List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  private static final class Actions implements ActionCalls {
    @Override
    public void setReplication(String path, int factor) {}

    @Override
    public void cache(String path, int copies, Consumer<Directive> made) throws IOException {
      throw new IOException("the pool is full");
    }

    @Override
    public void uncache(String path, Directive ours) {}

    @Override
    public Optional<Cached> cached(String path, Directive ours) {
      return Optional.empty();
    }

    @Override
    public Optional<FileView> file(String path) {
      return Optional.empty();
    }
  }
}
