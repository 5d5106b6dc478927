// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.HdfsJournalMark;
import io.thermocline.tiering.act.JournalMark;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the mark on a real NameNode. */
@Tag("cluster")
class MarkedJournalTest {

  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final Path DIRECTORY = new Path("/system/thermocline");
  private static final String BEGAN = "2026-11-28T08:00:00Z";

  @TempDir java.nio.file.Path temp;
  private final Client hdfs = new Client();
  private NameNode nameNode;

  @AfterEach
  void stop() throws IOException {
    hdfs.close();
    nameNode.stop();
  }

  @Test
  void isReadAsItWasWrittenAndEmptyBefore() throws Exception {
    HdfsJournalMark mark = mark(true);
    assertEquals(Optional.empty(), mark.read(), "no directory");
    hdfs.mkdirs(DIRECTORY);
    assertEquals(Optional.empty(), mark.read(), "no attribute");
    JournalMark.Reached reached = new JournalMark.Reached(3, 7, 31, BEGAN);
    mark.write(reached);
    assertEquals(Optional.of(reached), mark.read());
  }

  @Test
  void isEmptyWhereAttributesAreDisabled() throws Exception {
    HdfsJournalMark mark = mark(false);
    hdfs.mkdirs(DIRECTORY);
    assertEquals(Optional.empty(), mark.read());
  }

  @Test
  void whatCannotBeReadIsNotTakenForNone() throws Exception {
    HdfsJournalMark mark = mark(true);
    hdfs.mkdirs(DIRECTORY);
    hdfs.isStandby = true;
    assertThrows(RemoteException.class, mark::read);
    hdfs.isStandby = false;
    set("1 2 three");
    IOException unknown = assertThrows(IOException.class, mark::read);
    assertTrue(unknown.getMessage().contains("'1 2 three'"), unknown.getMessage());
    assertThrows(
        IOException.class, () -> mark.write(new JournalMark.Reached(3, 7, 31, BEGAN)), "evidence");
  }

  @Test
  void smallerNumbersAreNotWritten() throws Exception {
    HdfsJournalMark mark = mark(true);
    hdfs.mkdirs(DIRECTORY);
    JournalMark.Reached reached = new JournalMark.Reached(3, 7, 31, BEGAN);
    mark.write(reached);
    for (JournalMark.Reached smaller :
        new JournalMark.Reached[] {
          new JournalMark.Reached(2, 7, 31, BEGAN),
          new JournalMark.Reached(3, 6, 31, BEGAN),
          new JournalMark.Reached(9, 9, 30, "2026-11-28T09:00:00Z")
        }) {
      IOException refused = assertThrows(IOException.class, () -> mark.write(smaller));
      assertTrue(refused.getMessage().contains(reached.toString()), refused.getMessage());
      assertEquals(Optional.of(reached), mark.read());
    }
    // As after --accept-journal, whose numbers go on from the mark's.
    JournalMark.Reached accepted = new JournalMark.Reached(4, 7, 31, "2026-11-28T09:00:00Z");
    mark.write(accepted);
    assertEquals(Optional.of(accepted), mark.read());
  }

  @Test
  void aLostJournalIsNoticedOnceTheMarkCanBeRead() throws Exception {
    mark(true);
    hdfs.mkdirs(DIRECTORY);
    set("9 100 100 " + BEGAN);
    java.nio.file.Path config =
        Files.writeString(
            temp.resolve("thermocline.yaml"),
            """
            observe: {auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]}
            manage: {paths: [/w]}
            journal: {directory: %s}
            """
                .formatted(temp.resolve("journal")));
    try (Journal journal = Journal.open(new JournalMemory().open())) {
      MarkedJournal marked =
          MarkedJournal.of(
              ServiceConfigFile.read(config), hdfs, journal, OperationBudget.unlimited());
      ExecutionControl control = ExecutionControl.running(CLOCK);
      marked.steer(control);
      hdfs.isStandby = true;
      assertThrows(IOException.class, marked::lacks, "a start fails, with the reason");
      marked.keepUp();
      assertTrue(control.mayBegin());
      hdfs.isStandby = false;
      marked.keepUp();
      assertFalse(control.mayBegin());
      assertTrue(
          control.reason().contains("reached start 9, plan 100 and change 100"), control.reason());
      assertEquals("9 100 100 " + BEGAN, get());
    }
  }

  private HdfsJournalMark mark(boolean attributes) throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "hdfs://127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, "127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, temp.resolve("name").toUri().toString());
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_KEY, attributes);
    // Else the sources of metrics of the one that formats are in the way.
    DefaultMetricsSystem.setMiniClusterMode(true);
    NameNode.format(conf);
    nameNode = NameNode.createNameNode(new String[0], conf);
    hdfs.initialize(
        DFSUtilClient.getNNUri(nameNode.getNameNodeAddress()), new Configuration(false));
    return new HdfsJournalMark(hdfs, new Path(DIRECTORY, "id"), OperationBudget.unlimited());
  }

  private void set(String value) throws IOException {
    hdfs.setXAttr(DIRECTORY, JournalMark.ATTRIBUTE, value.getBytes(StandardCharsets.UTF_8));
  }

  private String get() throws IOException {
    return new String(hdfs.getXAttrs(DIRECTORY).get(JournalMark.ATTRIBUTE), StandardCharsets.UTF_8);
  }

  /** Of a NameNode that may be answering as one that stands by. */
  private static final class Client extends DistributedFileSystem {
    private boolean isStandby;

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
      if (isStandby) {
        throw new RemoteException(
            StandbyException.class.getName(),
            "Operation category READ is not supported in state standby");
      }
      return super.getXAttrs(path);
    }
  }
}
