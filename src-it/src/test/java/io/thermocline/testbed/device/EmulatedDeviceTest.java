// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import org.junit.jupiter.api.Test;

class EmulatedDeviceTest {

  private static final long MB = 1_000_000;
  private static final long MILLI = 1_000_000;

  private final FakeDeviceTime time = new FakeDeviceTime();
  private final DeviceBoard board = DeviceBoard.open(DeviceProfiles.table4(6.0 / 176), time);

  @Test
  void aReadTakesItsLatencyAndThenItsBytes() throws InterruptedException {
    board.pace();
    EmulatedDevice disk = board.device("/dn1/disk", StorageType.DISK);
    long start = time.nanos();
    disk.openForRead(ReadPurpose.CLIENT);
    assertEquals(3_500_000, time.nanos() - start, "seek of table 1");
    disk.read(ReadPurpose.CLIENT, 6 * MB);
    assertEquals(1_003_500_000L, time.nanos() - start, "6 MB at 6 MB/s");
    assertEquals(new IoCounts(1, 6 * MB, 0, 0, 0, 0, 1_003_500_000L), disk.counts());
  }

  @Test
  void requestsOfOneDeviceQueueAndThoseOfTwoDoNot() throws InterruptedException {
    EmulatedDevice one = board.device("/dn1/disk", StorageType.DISK);
    EmulatedDevice two = board.device("/dn2/disk", StorageType.DISK);
    QueueingReader reader = new QueueingReader(time);
    // Two readers ask at the same moment, each for one second of service.
    long sharedFirst = reader.endOf(one, 6 * MB);
    long sharedSecond = reader.endOf(one, 6 * MB);
    long alone = reader.endOf(two, 6 * MB);
    assertEquals(1_000 * MILLI, sharedFirst);
    assertEquals(2_000 * MILLI, sharedSecond, "the second waits for the first");
    assertEquals(1_000 * MILLI, alone, "another device is free");
  }

  @Test
  void typesDifferAsInTable4() throws InterruptedException {
    board.pace();
    assertEquals(
        176.0 / 95, nanosToRead(StorageType.ARCHIVE) / nanosToRead(StorageType.DISK), 1e-4);
    assertEquals(500.0 / 176, nanosToRead(StorageType.DISK) / nanosToRead(StorageType.SSD), 1e-4);
    assertEquals(
        1800.0 / 500, nanosToRead(StorageType.SSD) / nanosToRead(StorageType.NVDIMM), 1e-4);
  }

  @Test
  void shortWaitsAreNotSleptButPaidLater() throws InterruptedException {
    board.pace();
    EmulatedDevice nvdimm = board.device("/dn1/nvdimm", StorageType.NVDIMM);
    long start = time.nanos();
    for (int i = 0; i < 1_000; i++) {
      nvdimm.read(ReadPurpose.CLIENT, 4_096);
    }
    long service = nvdimm.counts().busyNanos();
    long unpaid = service - (time.nanos() - start);
    assertTrue(unpaid >= 0 && unpaid < EmulatedDevice.SHORTEST_SLEEP_NANOS, "unpaid " + unpaid);
    // 66.7 us each: 15 of them reach a millisecond.
    assertEquals(1_000 / 15, time.sleeps(), "one sleep for each millisecond of debt");
  }

  @Test
  void atFullSpeedNothingWaitsAndAllCounts() throws InterruptedException {
    EmulatedDevice disk = board.device("/dn1/disk", StorageType.DISK);
    disk.openForWrite();
    disk.write(6 * MB);
    disk.openForRead(ReadPurpose.COPY);
    disk.read(ReadPurpose.COPY, 3 * MB);
    assertEquals(0, time.sleeps());
    assertEquals(new IoCounts(0, 0, 1, 3 * MB, 1, 6 * MB, 1_507 * MILLI), disk.counts());
  }

  @Test
  void anInterruptedWaitThrowsAndTheStreamKeepsTheInterrupt() {
    board.pace();
    EmulatedDevice disk = board.device("/dn1/disk", StorageType.DISK);
    Thread.currentThread().interrupt();
    assertThrows(
        java.io.InterruptedIOException.class,
        () ->
            PacedInputStream.open(
                new java.io.ByteArrayInputStream(new byte[1]), disk, ReadPurpose.CLIENT));
    assertTrue(Thread.interrupted());
  }

  @Test
  void aBoardIsFoundByItsIdUntilItIsClosed() {
    assertEquals(board, DeviceBoard.find(board.id()));
    board.close();
    assertThrows(IllegalStateException.class, () -> DeviceBoard.find(board.id()));
  }

  private double nanosToRead(StorageType type) throws InterruptedException {
    EmulatedDevice device = board.device("/dn1/" + type, type);
    long start = time.nanos();
    device.read(ReadPurpose.CLIENT, 100 * MB);
    return time.nanos() - start;
  }

  /** Asks at a frozen moment, as concurrent readers would, and says when each would be done. */
  private record QueueingReader(FakeDeviceTime time) {
    long endOf(EmulatedDevice device, long bytes) {
      return device.reserveRead(ReadPurpose.CLIENT, bytes) - time.nanos();
    }
  }
}
