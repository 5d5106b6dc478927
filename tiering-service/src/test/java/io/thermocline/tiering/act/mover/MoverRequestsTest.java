// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static io.thermocline.tiering.decide.Decision.Cause.MORE_COPIES;
import static io.thermocline.tiering.decide.Decision.Cause.PROMOTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.BusyDataNodeException;
import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.HeldBackException;
import io.thermocline.tiering.act.JournalMark;
import io.thermocline.tiering.act.SlowCopyException;
import io.thermocline.tiering.cluster.DataNodeReport;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.ActionChange;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a mover does of what a service asks it for. */
class MoverRequestsTest extends MoverStage {

  @Test
  void saysWhatTheNameNodeSaysToASuperuser() throws IOException {
    DataNodeReport report = client().reports().get(0);
    assertEquals("dn1:9866", report.host());
    assertEquals(new DataNodeReport.Storage("s", SSD, false, 10, 4, 6), report.storages().get(0));
    DataNodeStates states = client().states(false);
    assertEquals(
        new DataNodeStates.Node("n1", "dn1:9866", "/r0", true, 7, "http://x:1", 0, List.of("x")),
        states.nodes().get(0));
    assertTrue(states.isUpgrading());
    assertEquals(0, opened, "who only looks needs no mutex");
    assertEquals("", audit.toString());
  }

  @Test
  void doesWhatMayBeAndWritesDownWhoAskedForWhat() throws IOException {
    client().ask(new MoverRequest.Policy("/w/a", "ONE_SSD"));
    client().ask(copy("/w/a", "n1", "n2"));
    assertThrows(
        IOException.class, () -> client().ask(new MoverRequest.Policy("/w/a\nforged", "COLD")));

    assertEquals(List.of("policy /w/a ONE_SSD", "copy mover-1"), changes());
    List<JsonNode> lines = audited();
    assertEquals(3, lines.size(), lines::toString);
    assertEquals("hdfs", lines.get(0).get("who").asText());
    assertEquals("asked for by " + OWN, lines.get(0).get("why").asText());
    assertEquals("copy", lines.get(1).get("operation").asText());
    assertEquals("done", lines.get(1).get("outcome").asText());
    assertTrue(lines.get(2).get("outcome").asText().startsWith("REFUSED"), lines::toString);
  }

  @Test
  void saysWhatACopyWaitsFor() throws IOException {
    List<String> phases = new ArrayList<>();
    MoverClient client = client();
    client.copy(copy("/w/a", "n1", "n4"), phases::add);
    assertEquals(List.of("connecting to n4", "waiting for n4"), phases);
    assertEquals("copy", audited().get(0).get("operation").asText());
    hdfs.failNext(new BusyDataNodeException("full"));
    hdfs.put(scene.file("/w/b", 100, "n1-DISK", "n2-DISK", "n3-DISK"));
    MoverRequest.Copy next = new MoverRequest.Copy("/w/b", 2, "n1", DISK, "n4", SSD);
    assertThrows(BusyDataNodeException.class, () -> client.copy(next, phases::add));
    assertEquals(4, phases.size());
    assertRefused("no such block", new MoverRequest.Copy("/w/a", 99, "n1", DISK, "n4", SSD));
  }

  @Test
  void marksTheJournalOfTheServiceThatActs() throws IOException {
    RemoteMark marking = new RemoteMark(client());
    assertEquals(Optional.empty(), marking.read());
    JournalMark.Reached reached =
        new JournalMark.Reached(EPOCH, 7, 31, "2026-11-28T08:00:00.123456Z");
    assertThrows(HeldBackException.class, () -> marking.write(reached), "it doesn't act");
    client().states(true);
    marking.write(reached);
    assertEquals(Optional.of(reached), marking.read());
    assertThrows(
        IOException.class, () -> marking.write(new JournalMark.Reached(EPOCH + 1, 7, 31, "")));
    lastEpoch++;
    assertThrows(
        HeldBackException.class,
        () -> marking.write(new JournalMark.Reached(EPOCH, 8, 32, "")),
        "another acts");
    assertEquals(reached, mark);
    assertEquals("mark", audited().get(0).get("operation").asText());
  }

  @Test
  void marksPoliciesAndTellsOfMarksWhereItMaySetOne() throws IOException {
    client().ask(new MoverRequest.Policy("/w/a", "ONE_SSD"));
    assertEquals(Map.of("/w/a", "ONE_SSD"), marks);
    JsonNode told = client().ask(new MoverRequest.PolicyMark("/w/a"));
    assertEquals("ONE_SSD", told.get("policy").asText());
    assertEquals(now.toEpochMilli(), told.get("atMillis").asLong());
    marks.put("/w/secret/a", "ONE_SSD");
    assertTrue(client().ask(new MoverRequest.PolicyMark("/w/secret/a")).isNull());
    client().ask(new MoverRequest.Unmark("/w/a"));
    assertRefused("leaves it alone", new MoverRequest.Unmark("/w/secret/a"));
    assertEquals(Map.of("/w/secret/a", "ONE_SSD"), marks);
  }

  /** Whatever lies between the service's look and the mover: a queue, a mover that was frozen, somebody who repeats it. */
  @Test
  void setsNothingOnWhatSomebodyChangedSinceTheServiceLooked() throws IOException {
    FileView seen = hdfs.file("/w/a").orElseThrow();
    MoverRequest policy =
        new MoverRequest.PlannedPolicy("/w/a", "ONE_SSD", MoverRequest.Seen.of(seen));
    client().ask(policy);
    assertEquals(List.of("policy /w/a ONE_SSD"), changes());

    hdfs.put(
        new FileView("/w/a", seen.length(), seen.replication(), 2, seen.blocks(), seen.owner()));
    assertChanged("somebody set its storage policy", policy);
    assertChanged(
        "somebody set its storage policy",
        new MoverRequest.RestoredPolicy("/w/a", "", new HdfsCalls.Own("HOT", 0)));
    hdfs.put(scene.file("/w/a", 100, "n1-DISK", "n2-DISK", "n3-DISK"));
    assertChanged("the file changed or went away", policy);
    assertEquals(List.of("policy /w/a ONE_SSD"), changes());
    assertTrue(audited().get(1).get("outcome").asText().startsWith("CHANGED"), audit::toString);
  }

  @Test
  void raisesNoFactorThatSomebodySetSinceTheServiceLooked() throws IOException {
    assertChanged(
        "somebody made its replication factor 3",
        new MoverRequest.PlannedReplication("/w/a", 4, 2));
    new RemoteActionCalls(client(), null).setReplication("/w/a", 4, 3);
    assertEquals(List.of("4 /w/a"), called);
    assertRefused("allow.replication", new MoverRequest.PlannedReplication("/w/a", 5, 3));
  }

  private void assertChanged(String why, MoverRequest request) {
    String message =
        assertThrows(ChangedSinceException.class, () -> client().ask(request)).getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void saysWhatWasSetOnPathsWhereItMaySetSomething() throws IOException {
    List<HdfsCalls.LayoutEdit> set =
        List.of(new HdfsCalls.LayoutEdit(true, "COLD"), new HdfsCalls.LayoutEdit(true, "ONE_SSD"));
    edits.put("/w/a", set);
    edits.put("/w/secret/a", set);
    assertEquals(
        new MoverHandler.Edits(Map.of("/w/a", set)),
        client()
            .ask(
                new MoverRequest.LayoutEdits(Set.of("/w/a", "/w/secret/a")),
                MoverHandler.Edits.class)
            .orElseThrow());
    for (int i = 1; i < CAP; i++) {
      client().ask(new MoverRequest.LayoutEdits(Set.of("/w/a")));
    }
    assertThrows(
        HeldBackException.class,
        () -> client().ask(new MoverRequest.LayoutEdits(Set.of("/w/a"))),
        "each is an operation");
  }

  @Test
  void tellsOfMarksOfReplicasAndCachedFilesWhereItMaySetOne() throws IOException {
    RemoteActionCalls actions = new RemoteActionCalls(client(), null);
    assertEquals(
        new ActionCalls.Marks(new ActionCalls.Raised(3, 4, 5), new ActionCalls.Directive(7, 1, 8)),
        actions.marks("/w/a"));
    assertEquals(ActionCalls.Marks.NONE, actions.marks("/w/secret/a"));
    actions.unmarkReplication("/w/a");
    assertThrows(IOException.class, () -> actions.unmarkReplication("/w/secret/a"));
    assertEquals(List.of("unmark /w/a"), called);
  }

  @Test
  void believesNothingOfACopy() {
    assertRefused("no such block", new MoverRequest.Copy("/w/a", 99, "n1", DISK, "n4", SSD));
    assertRefused("no such block", new MoverRequest.Copy("/w/none", 1, "n1", DISK, "n4", SSD));
    assertRefused("isn't any more", new MoverRequest.Copy("/w/a", 1, "n5", DISK, "n4", SSD));
    assertRefused("isn't any more", new MoverRequest.Copy("/w/a", 1, "n1", SSD, "n4", SSD));
    now = now.plus(Duration.ofHours(1));
    assertRefused("another copy", new MoverRequest.Copy("/w/a", 1, "n1", DISK, "n2", SSD));
    // n3 alone is on the second rack.
    assertRefused("racks", new MoverRequest.Copy("/w/a", 1, "n3", DISK, "n1", SSD), "another copy");
    hdfs.put(scene.file("/w/b", 10, "n1-DISK", "n3-DISK"));
    assertRefused("racks", new MoverRequest.Copy("/w/b", 2, "n3", DISK, "n2", SSD));
    assertEquals(List.of(), changes());
  }

  @Test
  void keepsToItsCapsAndSaysUntilWhen() throws IOException {
    hdfs.put(scene.file("/w/b", 200, "n1-DISK", "n2-DISK", "n3-DISK"));
    client().ask(copy("/w/a", "n1", "n4"));
    HeldBackException held =
        assertThrows(
            HeldBackException.class,
            () -> client().ask(new MoverRequest.Copy("/w/b", 2, "n1", DISK, "n4", SSD)));
    assertEquals(
        "the mover's cap of 250 bytes an hour is used up until 2026-11-20T01:00:00Z",
        held.getMessage());
    assertEquals(
        held.getMessage(),
        assertThrows(HeldBackException.class, () -> client().states(true)).getMessage(),
        "who watches is told, too");
    client().states(false);
    now = now.plus(Duration.ofHours(1));
    client().states(true);
    client().ask(new MoverRequest.Copy("/w/b", 2, "n1", DISK, "n4", SSD));

    now = now.plus(Duration.ofHours(1));
    client().ask(new MoverRequest.Replication("/w/a", 4));
    assertThrows(
        HeldBackException.class, () -> client().ask(new MoverRequest.Replication("/w/b", 4)));
    client().ask(new MoverRequest.Replication("/w/a", 2));
    RemoteActionCalls actions = new RemoteActionCalls(client(), null);
    List<ActionCalls.Directive> made = new ArrayList<>();
    actions.cache("/w/a", 1, made::add);
    actions.uncache("/w/a", made.get(0));
    assertTrue(
        assertThrows(HeldBackException.class, () -> actions.uncache("/w/a", made.get(0)))
            .getMessage()
            .contains("5 operations"));
    assertEquals(List.of("4 /w/a", "2 /w/a", "cache /w/a", "uncache /w/a 7"), called);
  }

  @Test
  void looksAreCountedToo() throws IOException {
    for (int i = 0; i < MoverHandler.MOST_LOOKS; i++) {
      MoverRequest look = i % 2 == 0 ? new MoverRequest.Storages() : new MoverRequest.Nodes(i == 1);
      assertEquals(MoverAnswer.Outcome.DONE, answered(look));
      assertEquals(MoverAnswer.Outcome.DONE, answered(new MoverRequest.Release()));
    }
    int before = opened;
    for (MoverRequest look :
        List.of(
            new MoverRequest.Storages(),
            new MoverRequest.Nodes(true),
            new MoverRequest.Nodes(false))) {
      assertEquals(MoverAnswer.Outcome.LATER, answered(look), look::toString);
    }
    assertEquals(before, opened, "nor is the mutex taken");
    client().ask(copy("/w/a", "n1", "n4"));
    client().release();
    assertFalse(hasMutex, "who ends may always say so");
    now = now.plus(Duration.ofHours(1));
    client().states(true);
  }

  private MoverAnswer.Outcome answered(MoverRequest request) {
    return moverHandler.answer(new MoverRequest.Line(EPOCH, request), phase -> {}).outcome();
  }

  @Test
  void nothingIsLargerThanItsCap() throws IOException {
    hdfs.put(scene.file("/w/huge", 251, "n1-DISK", "n2-DISK", "n3-DISK"));
    assertRefused(
        "it would copy 251 bytes, and the mover's cap is 250 bytes an hour, perHour.bytes",
        new MoverRequest.Copy("/w/huge", 2, "n1", DISK, "n4", SSD));
    assertRefused("it would copy 251 bytes", new MoverRequest.Replication("/w/huge", 4));
    assertEquals(List.of(), changes());
    assertEquals(List.of(), called);
    hdfs.put(scene.file("/w/b", 250, "n1-DISK", "n2-DISK", "n3-DISK"));
    client().ask(new MoverRequest.Copy("/w/b", 3, "n1", DISK, "n4", SSD));
  }

  /**
   * As after a pause of the whole host: its lease went to another, whose mover is another, too.
   */
  @Test
  void doesNothingForAServiceWhenALaterOneActs() throws IOException {
    client().states(true);
    client().ask(copy("/w/a", "n1", "n4"));
    lastEpoch = EPOCH + 1;
    hasMutex = false;
    for (int i = 0; i < 2; i++) {
      assertTrue(
          assertThrows(HeldBackException.class, () -> client().ask(copy("/w/a", "n2", "n5")))
              .getMessage()
              .contains("a service of epoch 6 has begun to act"));
      assertThrows(HeldBackException.class, () -> client().states(true));
    }
    assertEquals(1, opened, "it doesn't take the mutex back");
    assertEquals(List.of("copy mover-1"), changes());
    client().states(false);

    lastEpoch = EPOCH + 2;
    client(EPOCH + 2).states(true);
    assertEquals(2, opened, "elected anew");
    client(EPOCH + 2).ask(new MoverRequest.Policy("/w/a", "ONE_SSD"));
  }

  @Test
  void holdsTheMutexWhileSomebodyActs() throws IOException {
    elsewhere = "another Thermocline moves data";
    assertEquals(
        elsewhere, assertThrows(HeldBackException.class, () -> client().states(true)).getMessage());
    assertThrows(HeldBackException.class, () -> client().ask(copy("/w/a", "n1", "n2")));
    client().states(false);
    elsewhere = "";
    client().states(true);
    client().states(true);
    assertTrue(hasMutex);
    assertEquals(1, opened);

    hasMutex = false;
    client().states(true);
    assertEquals(2, opened, "somebody took it; so it is taken anew, or that is refused");
    client().release();
    assertFalse(hasMutex);
    client().release();
  }

  /** Whoever asks doesn't try again, as without a mover: each attempt would hold its plan up as long. */
  @Test
  void aCopyThatTookAllItsTimeIsNoOrdinaryFailure() throws IOException {
    hdfs.failNext(new SlowCopyException("waiting for n4: no end within 300 s"));
    SlowCopyException slow =
        assertThrows(
            SlowCopyException.class, () -> client().copy(copy("/w/a", "n1", "n4"), phase -> {}));
    assertEquals("waiting for n4: no end within 300 s", slow.getMessage());
    hdfs.failNext(new IOException("no place"));
    IOException other =
        assertThrows(IOException.class, () -> client().ask(copy("/w/a", "n1", "n4")));
    assertFalse(other instanceof SlowCopyException, other::toString);
    assertTrue(audit.toString().contains("FAILED: waiting for n4"), audit::toString);
  }

  @Test
  void aBusyDataNodeIsNoOrdinaryFailure() throws IOException {
    hdfs.failNext(new BusyDataNodeException("threads quota is exceeded"));
    BusyDataNodeException busy =
        assertThrows(BusyDataNodeException.class, () -> client().ask(copy("/w/a", "n1", "n4")));
    assertEquals("threads quota is exceeded", busy.getMessage());
    hdfs.failNext(new IOException("disk is on fire\n\tat org.apache"));
    assertEquals(
        "disk is on fire",
        assertThrows(IOException.class, () -> client().ask(copy("/w/a", "n1", "n4"))).getMessage());
  }

  @Test
  void saysWhatItWouldRefuse() throws IOException {
    MoverLimits limits = client().limits();

    assertEquals(Optional.empty(), limits.objection("/w/a"));
    assertEquals(
        Optional.of("the mover would refuse it: the mover leaves it alone, allow.except"),
        limits.objection("/w/secret/a"));
    assertEquals(
        Optional.of(
            "the mover would refuse it: it is below none of the mover's directories, allow.paths"),
        limits.objection("/x"));
    assertEquals(Optional.empty(), limits.objection(moves("ONE_SSD", SSD)));
    assertEquals(
        Optional.of(
            "the mover would refuse it: COLD is not among what the mover may set, allow.policies"),
        limits.objection(moves("COLD", SSD)));
    assertEquals(
        Optional.of(
            "the mover would refuse it: ARCHIVE is not among what the mover may set, allow.types"),
        limits.objection(moves(null, ARCHIVE)));
    assertEquals(Optional.empty(), limits.objection(action(MORE_COPIES, 2, 4)));
    Optional<String> factor =
        Optional.of("the mover would refuse it: expected a factor from 2 to 4, allow.replication");
    assertEquals(factor, limits.objection(action(MORE_COPIES, 2, 5)));
    assertEquals(factor, limits.objection(action(MORE_COPIES, 1, 3)), "it can't return to 1");
  }

  private static Plan.FileMoves moves(String policy, StorageType type) {
    FileView file = file(1);
    FileView.Block block = file.blocks().get(0);
    Target target = new Target(List.of(type), "HOT");
    Move move = new Move("1-0", "/w/a", block, block.replicas().get(0), "n2", "n2-x", type);
    return new Plan.FileMoves(decision(file, PROMOTED, target), policy, List.of(move));
  }

  private static ActionChange action(Decision.Cause cause, int before, int after) {
    Target target = new Target(List.of(DISK), "HOT", after, 0);
    return new ActionChange(decision(file(before), cause, target));
  }

  private static FileView file(int replication) {
    FileView.Replica replica = new FileView.Replica("n1", "n1-disk", DISK);
    FileView.Block block = new FileView.Block("BP-1", 1, 1, 10, List.of(replica));
    return new FileView("/w/a", 10, replication, 0, List.of(block));
  }

  private static Decision decision(FileView file, Decision.Cause cause, Target target) {
    return new Decision(
        new HotFile(file, 1), DISK, target, cause, "1.0 reads", new Gate.Benefit(2, 0, 1));
  }
}
