// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.NVDIMM;
import static io.thermocline.placement.model.StorageType.RAM_DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.app.groups.GroupActs;
import io.thermocline.tiering.app.records.Recorder;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.plan.GroupChange;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Until a group is begun: that it may not be recorded ends the test there. */
class GroupExecutorTest {

  private static final double BYTES_PER_SECOND = 1 << 20;

  private final ExecutionControl control = ExecutionControl.running(Clock.systemUTC());
  private final List<String> begun = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private Runnable duringPause = () -> {};
  private long nanos;

  @Test
  void paysInSlicesAndBeginsNothingOnceStopped() throws Exception {
    duringPause =
        () -> {
          if (nanos > 3e9) {
            control.end(ExecutionControl.Stop.FINISH);
          }
        };
    executor().make(1, List.of(group(1000 << 20)));
    assertEquals(List.of(), begun);
    assertTrue(nanos < 10e9, "seconds until it stopped: " + nanos / 1e9);
  }

  /** Large groups once made the service say that it isn't ready. */
  @Test
  void eachSliceThatIsPaidForIsProgress() {
    control.watch().begin("plan 1", () -> nanos);
    Set<String> stalled = new HashSet<>();
    duringPause = () -> stalled.add(control.watch().stalled());
    make(group(200 << 20));
    assertEquals(List.of("begun while RUNNING"), begun);
    assertTrue(nanos > 150e9, "seconds until it began: " + nanos / 1e9);
    assertEquals(Set.of(""), stalled);
  }

  @Test
  void asksWhetherItMayAfterItPaid() throws Exception {
    duringPause =
        () -> {
          try {
            control.pause("ann", "");
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          duringPause = () -> {};
        };
    Thread making = new Thread(() -> make(group(4 << 20)));
    making.start();
    while (making.getState() != Thread.State.TIMED_WAITING) {
      assertTrue(making.isAlive(), "it waits for its turn");
      Thread.onSpinWait();
    }
    assertEquals(List.of(), List.copyOf(begun));
    control.resume("ann", "");
    making.join();
    assertEquals(List.of("begun while RUNNING"), begun);
  }

  @Test
  void makesNotEvenItsDirectoryOnceStopped() throws Exception {
    control.stop(ExecutionControl.Stop.FINISH, "ann", "");
    executor().make(1, List.of(group(1)));
    assertEquals(List.of(), asked);
    control.resume("ann", "");
    make(group(1));
    assertEquals(List.of("mkdirs /groups"), asked);
  }

  @Test
  void endsNoneOnceStopped(@TempDir java.nio.file.Path directory) throws Exception {
    GroupChange ending = GroupChange.end(1, "");
    try (Journal journal = Journal.open(directory)) {
      ServiceRuntime runtime = ServiceRuntime.system();
      GroupActs acts =
          new GroupActs(
              journal,
              new Recorder(journal, control, runtime),
              (machinery, mover, record, factors, moves) -> executor(),
              new PlanExecutor.Machinery(null, runtime.nanos(), runtime.pause(), control),
              null,
              null);
      control.stop(ExecutionControl.Stop.FINISH, "ann", "");
      acts.carryOut(1, List.of(ending));
      assertEquals(List.of(), asked);
      control.resume("ann", "");
      acts.carryOut(1, List.of(ending));
      assertEquals(List.of("open /groups/redirect-table"), asked);
    }
  }

  /** Of HDFS's own list of policies; what none describes lies by the nearest that names its fast type. */
  @Test
  void hasThePolicyThatHoldsTheReplicasWhereTheyLie() {
    assertEquals("HOT", GroupExecutor.policy(List.of(DISK, DISK)));
    assertEquals("ALL_SSD", GroupExecutor.policy(List.of(SSD, SSD)));
    assertEquals("ALL_NVDIMM", GroupExecutor.policy(List.of(NVDIMM)));
    assertEquals("ONE_SSD", GroupExecutor.policy(List.of(SSD, DISK, DISK)));
    assertEquals("ONE_SSD", GroupExecutor.policy(List.of(DISK, SSD)));
    assertEquals("WARM", GroupExecutor.policy(List.of(DISK, ARCHIVE, ARCHIVE)));
    assertEquals("HOT", GroupExecutor.policy(List.of(DISK, DISK, ARCHIVE)));
    assertEquals("COLD", GroupExecutor.policy(List.of(ARCHIVE)));
    assertNull(GroupExecutor.policy(List.of(RAM_DISK)));
    assertNull(GroupExecutor.policy(List.of()));
  }

  private void make(GroupChange change) {
    try {
      executor().make(1, List.of(change));
    } catch (IOException | InterruptedException e) {
      begun.add("begun while " + control.current().state());
    }
  }

  private GroupExecutor executor() {
    DistributedFileSystem hdfs =
        new DistributedFileSystem() {
          @Override
          public boolean mkdirs(Path path, FsPermission permission) {
            asked.add("mkdirs " + path);
            return false;
          }

          @Override
          public FSDataInputStream open(Path path) throws IOException {
            asked.add("open " + path);
            throw new FileNotFoundException(path.toString());
          }
        };
    GroupStore store =
        new GroupStore(hdfs, new Path("/groups"), () -> 1, OperationBudget.unlimited());
    OperationBudget bytes =
        new OperationBudget(
            BYTES_PER_SECOND,
            () -> nanos,
            wait -> {
              nanos += wait.toNanos();
              duringPause.run();
            });
    return new GroupExecutor(
        store, new GroupWriter(store, 1), null, control, bytes, new Unrecorded());
  }

  private static GroupChange group(long bytes) {
    return new GroupChange(
        GroupChange.Kind.MAKE_FILE,
        1,
        List.of(new GroupChange.Member("/a", 1, bytes, 1, 0)),
        "local",
        "large",
        List.of(new GroupChange.Place("n1", "n1:9866", "s1", DISK)),
        0,
        "");
  }

  private static final class Unrecorded implements GroupRecord {

    @Override
    public void willMake(long plan, GroupChange change, String file) throws IOException {
      throw new IOException("not recorded");
    }

    @Override
    public void shown(long group, List<String> places) {
      throw new AssertionError("nothing is made");
    }

    @Override
    public void ended(long plan, long group, String who, String why) {
      throw new AssertionError("nothing is made");
    }
  }
}
