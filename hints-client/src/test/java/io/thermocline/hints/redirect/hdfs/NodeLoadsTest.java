// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.junit.jupiter.api.Test;

class NodeLoadsTest {

  private static final int READ = 4096;
  private static final DatanodeInfoWithStorage[] NONE = {};

  private final DatanodeInfoWithStorage disk = storage("d1", StorageType.DISK);
  private final DatanodeInfoWithStorage other = storage("d2", StorageType.DISK);
  private final DatanodeInfoWithStorage ssd = storage("s1", StorageType.SSD);
  private long nanos;
  private final NodeLoads loads = new NodeLoads(() -> nanos);

  private static DatanodeInfoWithStorage storage(String id, StorageType type) {
    return new DatanodeInfoWithStorage(
        new DatanodeInfo.DatanodeInfoBuilder().setIpAddr("127.0.0.1").build(), id, type);
  }

  private static DatanodeInfoWithStorage[] of(DatanodeInfoWithStorage... storages) {
    return storages;
  }

  private void reads(DatanodeInfoWithStorage at, long millis) throws IOException {
    loads.read(
        at,
        () -> {
          nanos += millis * 1_000_000;
          return READ;
        });
  }

  @Test
  void theFirstIsReadUnlessItIsOverloaded() throws IOException {
    assertEquals(0, loads.choose(of(disk), of(other)), "nothing is known");
    reads(disk, 15);
    reads(other, 10);
    assertEquals(0, loads.choose(of(disk), of(other)), "slower, but not twice as slow");
    reads(disk, 200);
    assertEquals(1, loads.choose(of(disk), of(other)), "a read took 200 ms");
    assertEquals(1, loads.choose(of(disk, other), NONE), "another of the same copy");
    assertEquals(0, loads.choose(of(other), of(disk)));
  }

  @Test
  void readsThatAreUnderWayCount() throws IOException {
    reads(disk, 8);
    reads(other, 8);
    loads.read(
        disk,
        () -> {
          assertEquals(0, loads.choose(of(disk), of(other)), "one");
          return loads.read(
              disk,
              () -> {
                assertEquals(1, loads.choose(of(disk), of(other)), "two");
                return READ;
              });
        });
    assertThrows(
        IOException.class,
        () ->
            loads.read(
                other,
                () -> {
                  throw new IOException("gone");
                }));
    assertEquals(0, loads.choose(of(other), of(disk)), "what failed is under way no more");
  }

  @Test
  void whatFailsFastIsNoFastRead() throws IOException {
    reads(disk, 200);
    reads(other, 10);
    for (int i = 0; i < 20; i++) {
      assertThrows(
          IOException.class,
          () ->
              loads.read(
                  disk,
                  () -> {
                    nanos += 1000;
                    throw new IOException("refused");
                  }));
    }
    assertEquals(1, loads.choose(of(disk), of(other)), "still what the last read took");
  }

  @Test
  void whatGoesOnCountsButIsNoMeasure() throws IOException {
    reads(disk, 200);
    reads(other, 10);
    loads.goOn(disk, () -> READ);
    assertEquals(1, loads.choose(of(disk), of(other)), "out of a buffer");
    loads.goOn(
        other,
        () -> {
          nanos += 500_000_000;
          return READ;
        });
    assertEquals(1, loads.choose(of(disk), of(other)));
  }

  @Test
  void whatIsntKnownIsExpectedOfItsType() throws IOException {
    reads(ssd, 1);
    assertEquals(0, loads.choose(of(ssd), of(disk)));
    reads(ssd, 500);
    assertEquals(1, loads.choose(of(ssd), of(disk)), "slower than a disk");
    nanos += 31_000_000_000L;
    assertEquals(0, loads.choose(of(ssd), of(disk)), "so long ago that it is tried again");
    reads(ssd, 1);
    nanos += 1;
    assertEquals(0, loads.choose(of(ssd), of(disk)), "what was before is forgotten");
  }
}
