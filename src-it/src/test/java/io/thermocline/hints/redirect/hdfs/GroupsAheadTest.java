// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.groups.GroupCheck;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.act.groups.GroupWriter;
import io.thermocline.tiering.act.groups.MemberName;
import java.io.IOException;
import java.io.OutputStream;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a client has in memory of groups, and from where it reads what it hasn't. */
@Tag("cluster")
class GroupsAheadTest extends GroupOnCluster {

  @Test
  void theRestOfAGroupIsLoadedBesideTheFirstRead() throws IOException {
    try (GroupReads reads = reads(MUCH, MUCH)) {
      isRead(reads, 2);
      Eventually.holds("all in memory", () -> memory.bytes() == FILES * BYTES);
      fs.delete(new Path(group.path()), false);
      for (int i = 0; i < FILES; i++) {
        isRead(reads, i);
      }
      assertEquals(1 + FILES, reads.redirected());
      assertEquals(0, reads.fallbacks());
    }
    assertEquals(0, memory.bytes(), "closed");
  }

  @Test
  void nobodyWaitsForWhatIsLoadedBeside() throws IOException {
    CountDownLatch held = new CountDownLatch(1);
    assertTrue(memory.beside(() -> await(held)));
    try (GroupReads reads = reads(MUCH, MUCH)) {
      for (int i = 0; i < FILES; i++) {
        isRead(reads, i);
      }
      assertEquals(0, reads.fallbacks());
      assertEquals(FILES * BYTES, memory.bytes(), "each by who asked for it");
    }
    held.countDown();
    Eventually.holds("nothing comes after the end", () -> memory.bytes() == 0);
  }

  @Test
  void ofALargerGroupWhatFollowsIsLoadedWithinTheBound() throws IOException {
    try (GroupReads reads = reads(2 * BYTES, MUCH)) {
      isRead(reads, 1);
      Eventually.holds("this and two more", () -> memory.bytes() == 3 * BYTES);
      isRead(reads, 5);
      Eventually.holds("5 and 0 more: 1 is there", () -> memory.bytes() == 5 * BYTES);
      fs.delete(new Path(group.path()), false);
      for (int i : new int[] {0, 1, 2, 3, 5}) {
        isRead(reads, i);
      }
      assertEquals(0, reads.fallbacks());
      isRead(reads, 4);
    }
  }

  @Test
  void theLongestUnusedGoWhereMemoryEnds() throws IOException {
    try (GroupReads reads = reads(BYTES, 2 * BYTES)) {
      for (int i = 0; i < FILES; i++) {
        isRead(reads, i);
        assertTrue(memory.bytes() <= 2 * BYTES, memory.bytes() + " bytes");
      }
      assertEquals(0, reads.fallbacks());
    }
  }

  @Test
  void nothingIsKeptWhereNothingMayBeLoadedAhead() throws IOException {
    try (GroupReads reads = reads(0, MUCH)) {
      isRead(reads, 0);
      assertEquals(1, reads.redirected());
      assertEquals(0, memory.bytes());
    }
  }

  @Test
  void blocksOfLargerFilesAreReadFromGroupsAndTheRestFromTheFiles() throws Exception {
    List<Path> paths = List.of(new Path("/data/large-0"), new Path("/data/large-1"));
    byte[] content = content(7, 4 * BLOCK + 100);
    List<String> members = new ArrayList<>();
    List<ExtendedBlock> grouped = new ArrayList<>();
    for (Path path : paths) {
      try (OutputStream out = fs.create(path, true, 4096, (short) 1, BLOCK)) {
        out.write(content);
      }
      List<LocatedBlock> blocks =
          fs.getClient()
              .getLocatedFileInfo(path.toString(), false)
              .getLocatedBlocks()
              .getLocatedBlocks();
      assertEquals(5, blocks.size());
      for (int i : new int[] {1, 2, 4}) {
        grouped.add(blocks.get(i).getBlock());
        members.add(
            new MemberName(path.toString(), blocks.get(i).getBlock().getBlockId()).toString());
      }
    }
    GroupStore store = GroupStore.of(fs, GROUPS);
    store.removeAll();
    GroupWriter writer = new GroupWriter(store, BLOCK);
    assertEquals(members, writer.parts(members).get(0).paths());
    GroupFile blocks =
        writer
            .write(store.newId(), members, new GroupWriter.Wish(List.of(), null, "local", "large"))
            .orElseThrow();
    store.publish(List.of(blocks));
    assertEquals(List.of(), new GroupCheck(store).check(false).problems());
    for (ExtendedBlock block : grouped) {
      cluster.corruptBlockOnDataNodesByDeletingBlockFile(block);
    }
    for (long ahead : new long[] {0, MUCH}) {
      try (GroupReads reads = reads(ahead, MUCH)) {
        for (Path path : paths) {
          try (FSDataInputStream in = reads.open(fs.open(path))) {
            assertArrayEquals(content, in.readAllBytes());
            byte[] some = new byte[2 * BLOCK];
            in.readFully(BLOCK / 2, some);
            assertArrayEquals(
                Arrays.copyOfRange(content, BLOCK / 2, BLOCK / 2 + some.length), some);
            in.seek(3 * BLOCK + 5);
            assertEquals(content[3 * BLOCK + 5], (byte) in.read());
            in.seek(content.length);
            assertEquals(-1, in.read());
          }
        }
        assertEquals(2, reads.redirected());
        assertEquals(0, reads.fallbacks(), "no DataNode has these blocks any more");
      }
    }
    fs.truncate(paths.get(1), 2 * BLOCK);
    GroupCheck.Result checked = new GroupCheck(store).check(true);
    assertEquals(1, checked.bad().size(), "a block is gone: " + checked);
    assertEquals(List.of(), store.table().groups());
  }

  /** Members above a piece are streamed from the group, or loaded piece by piece. */
  @Test
  void largeMembersAreStreamedOrLoadedInPieces() throws Exception {
    int bytes = LoadedGroup.PIECE + 200_000;
    List<String> paths = List.of(file(0).toString(), file(1).toString());
    GroupStore store = GroupStore.of(fs, GROUPS);
    store.removeAll();
    write(0, bytes);
    write(1, bytes);
    GroupFile large =
        new GroupWriter(store, MUCH)
            .write(store.newId(), paths, new GroupWriter.Wish(List.of(), null, "local", "large"))
            .orElseThrow();
    store.publish(List.of(large));
    for (int i = 0; i < 2; i++) {
      cluster.corruptBlockOnDataNodesByDeletingBlockFile(DFSTestUtil.getFirstBlock(fs, file(i)));
    }
    try (GroupReads reads = reads(0, MUCH);
        FSDataInputStream in = reads.open(fs.open(file(1)))) {
      in.setReadahead(1L << 16);
      byte[] half = new byte[bytes / 2];
      in.readFully(half);
      assertTrue(in.hasCapability(StreamCapabilities.UNBUFFER));
      assertTrue(in.hasCapability(StreamCapabilities.READBYTEBUFFER));
      in.unbuffer();
      byte[] some = new byte[1000];
      in.readFully(LoadedGroup.PIECE - 500, some);
      byte[] content = content(1, bytes);
      assertArrayEquals(
          Arrays.copyOfRange(content, LoadedGroup.PIECE - 500, LoadedGroup.PIECE + 500), some);
      assertArrayEquals(Arrays.copyOf(content, half.length), half);
      assertArrayEquals(Arrays.copyOfRange(content, half.length, bytes), in.readAllBytes());
      assertEquals(0, reads.fallbacks());
      assertEquals(0, memory.bytes());
    }
    try (GroupReads reads = reads(2 * MUCH, 2 * MUCH)) {
      isRead(reads, 0, bytes);
      Eventually.holds("both, in pieces", () -> memory.bytes() == 2 * bytes);
      fs.delete(new Path(large.path()), false);
      isRead(reads, 0, bytes);
      isRead(reads, 1, bytes);
      assertEquals(0, reads.fallbacks());
    }
  }

  @Test
  void anotherReplicaOfTheGroupIsReadWhileTheFirstIsOverloaded() throws Exception {
    fs.setReplication(new Path(group.path()), (short) 2);
    DFSTestUtil.waitReplication(fs, new Path(group.path()), (short) 2);
    GroupCopy loaded = new GroupCopy(group, fs.getClient(), loads);
    DatanodeInfoWithStorage[] places = loaded.places();
    assertEquals(2, places.length);
    readsFrom(places[0], loaded);
    loads.read(
        places[0],
        () -> {
          clock.addAndGet(20_000_000_000L);
          return BYTES;
        });
    readsFrom(places[1], loaded);
    clock.addAndGet(31_000_000_000L);
    readsFrom(places[0], loaded);
    loaded.close();
  }

  private static void readsFrom(DatanodeInfoWithStorage expected, GroupCopy loaded)
      throws IOException {
    DatanodeInfoWithStorage place = loaded.place();
    assertEquals(expected.getXferAddr(), place.getXferAddr());
    byte[] some = new byte[100];
    assertEquals(100, loaded.read(place, BYTES, some, 0, 100));
    assertArrayEquals(Arrays.copyOf(content(1, BYTES), 100), some);
    try (HdfsDataInputStream in = loaded.open(place)) {
      in.readFully(some);
      assertEquals(expected.getXferAddr(), in.getCurrentDatanode().getXferAddr());
    }
  }

  @Test
  void whoeverIsInterruptedSaysNothingOfTheGroup() throws Exception {
    try (GroupReads reads = reads(0, MUCH);
        FSDataInputStream in = reads.open(fs.open(file(0)))) {
      Thread.currentThread().interrupt();
      try {
        in.readFully(0, new byte[100]);
      } catch (IOException e) {
        // What has come already, HDFS's client reads without a look at that.
      }
      Thread.interrupted();
      assertEquals(0, reads.fallbacks());
      isRead(reads, 0);
      assertEquals(2, reads.redirected());
    } finally {
      Thread.interrupted();
    }
  }

  /** As of a snapshot that has other rights than the file now, or where somebody else forbids it. */
  @Test
  void aGroupThatMayNotBeReadIsAskedForOnceALook() throws Exception {
    Path file = new Path(group.path());
    fs.setPermission(file, new FsPermission((short) 0400));
    GroupReads.Limits limits = new GroupReads.Limits(60_000, 0, MUCH);
    CachedRedirectTable table = new CachedRedirectTable(TABLE, limits, clock::get, 120_000);
    try (DistributedFileSystem bob = as("bob");
        GroupReads reads = new GroupReads(bob.getClient(), table, limits, memory, loads)) {
      Asked.takeOf(file);
      for (int look = 1; look <= 3; look++) {
        for (int i = 0; i < FILES; i++) {
          isRead(reads, bob, i);
        }
        assertEquals(List.of("open " + file), Asked.takeOf(file), "look " + look);
        assertEquals(look, reads.fallbacks());
        int before = table.looks();
        clock.addAndGet(60_000_000_000L);
        table.now(bob.getClient());
        Eventually.holds("looked at", () -> table.looks() > before);
      }
      fs.setPermission(file, new FsPermission((short) 0444));
      isRead(reads, bob, 0);
      isRead(reads, bob, 1);
      assertEquals(3, reads.fallbacks());
    }
  }

  @Test
  void whoLeftTheGroupAsksNothingMoreOfIt() throws Exception {
    Path copy = new Path(group.path());
    GroupReads reads = reads(0, MUCH);
    FSDataInputStream elsewhere = reads.open(fs.open(file(0)));
    FSDataInputStream open = reads.open(fs.open(file(1)));
    assertEquals(2, reads.redirected());
    Asked.takeOf(copy);
    assertTrue(elsewhere.seekToNewSource(0), "the original is another source");
    assertArrayEquals(content(0, BYTES), elsewhere.readAllBytes());
    assertEquals(List.of(), Asked.takeOf(copy));
    reads.close();
    assertArrayEquals(content(1, BYTES), open.readAllBytes());
    assertEquals(List.of(), Asked.takeOf(copy), "once the file system is closed");
    assertEquals(0, reads.fallbacks());
    elsewhere.close();
    open.close();
  }

  @Test
  void blocksThatTheNameNodeDidNotNameWithTheOpenAreNotAskedFor() throws Exception {
    for (int prefetched : new int[] {BYTES - 1, BYTES}) {
      Configuration conf = new Configuration(fs.getConf());
      conf.setLong("dfs.client.read.prefetch.size", prefetched);
      GroupReads.Limits limits = new GroupReads.Limits(60_000, 0, MUCH);
      CachedRedirectTable table = new CachedRedirectTable(TABLE, limits, System::nanoTime, 120_000);
      try (DistributedFileSystem of =
              (DistributedFileSystem) FileSystem.newInstance(fs.getUri(), conf);
          GroupReads reads = new GroupReads(of.getClient(), table, limits, memory, loads)) {
        isRead(reads, of, 0);
        assertEquals(prefetched < BYTES ? 0 : 1, reads.redirected());
      }
    }
  }

  private static void isRead(GroupReads reads, DistributedFileSystem of, int i) throws IOException {
    try (FSDataInputStream in = reads.open(of.open(file(i)))) {
      assertArrayEquals(content(i, BYTES), in.readAllBytes());
    }
  }

  private static DistributedFileSystem as(String user) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<DistributedFileSystem>)
                () -> (DistributedFileSystem) FileSystem.newInstance(fs.getUri(), fs.getConf()));
  }

  @Test
  void whatIsPassedOverIsNotRead() throws Exception {
    long[] steps = {5, -1, 0, BYTES / 2, 2 * BYTES, 1, Long.MIN_VALUE};
    try (GroupReads reads = reads(0, MUCH);
        FSDataInputStream alone = fs.open(file(0));
        FSDataInputStream in = reads.open(fs.open(file(0)))) {
      assertEquals(1, reads.redirected());
      fs.delete(new Path(group.path()), false);
      for (long step : steps) {
        assertEquals(alone.skip(step), in.skip(step), step + " bytes");
        assertEquals(alone.getPos(), in.getPos());
      }
      assertEquals(-1, in.read());
      assertEquals(0, reads.fallbacks(), "of the copy, which is gone, nothing was asked");
    }
  }

  @Test
  void anEmptyFileIsNoFallback() throws Exception {
    fs.create(new Path("/data/_SUCCESS"), true).close();
    try (GroupReads reads = reads(0, MUCH);
        FSDataInputStream in = reads.open(fs.open(new Path("/data/_SUCCESS")))) {
      assertEquals(-1, in.read());
      assertEquals(0, reads.fallbacks());
    }
  }

  @Test
  void theOriginalIsReadWhileTheCopysDeviceIsOverloaded() throws Exception {
    DatanodeInfoWithStorage device =
        fs.getClient()
            .getLocatedFileInfo(group.path(), false)
            .getLocatedBlocks()
            .get(0)
            .getLocations()[0];
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(4);
    ExecutorService readers = Executors.newFixedThreadPool(4);
    try (GroupReads reads = reads(0, MUCH)) {
      isRead(reads, 0);
      assertEquals(0, reads.spared());
      for (int i = 0; i < 4; i++) {
        readers.submit(
            () ->
                loads.read(
                    device,
                    () -> {
                      begun.countDown();
                      await(held);
                      return BYTES;
                    }));
      }
      begun.await();
      isRead(reads, 1);
      assertEquals(1, reads.spared(), "as four reads wait at " + device);
      try (FSDataInputStream in = reads.open(fs.open(file(2)))) {
        byte[] some = new byte[100];
        in.readFully(50, some);
        assertArrayEquals(Arrays.copyOfRange(content(2, BYTES), 50, 150), some);
      }
      assertEquals(2, reads.spared());
      // Other bytes cannot be read where they should not: a replica that fails sends to the
      // copy.
      cluster.corruptBlockOnDataNodesByDeletingBlockFile(DFSTestUtil.getFirstBlock(fs, file(3)));
      isRead(reads, 3);
      assertEquals(3, reads.spared());
      assertEquals(0, reads.fallbacks());
    } finally {
      held.countDown();
      readers.shutdown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
