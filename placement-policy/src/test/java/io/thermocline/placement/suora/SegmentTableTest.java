// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SegmentTableTest {
  private static final Device A = Device.of("a", 100);
  private static final Device B = Device.of("b", 250);

  @Test
  void removedCellsStayEmptyEvenAtTheEnd() {
    SegmentTable table = SegmentTable.assign(List.of(A, B), 100);
    SegmentTable shorter = table.remove("b");
    assertEquals(1.0, shorter.numberLine().end());
    assertEquals(4, shorter.cells());
    SegmentTable again = shorter.append(B, 100);
    assertEquals("[a[0, 1.0), b[4, 5.0), b[5, 6.0), b[6, 6.5)]", again.toString());
    assertEquals("[a[0, 1.0), b[1, 2.0), b[2, 3.0), b[3, 3.5)]", table.toString());
    assertTrue(table.contains("b"));
    assertFalse(shorter.contains("b"));
  }

  @Test
  void wholeCapacityMakesNoSliver() {
    // 0.3 / 0.1 is not 3 in binary.
    SegmentTable table = SegmentTable.assign(List.of(Device.of("d", 3)), 3 * (0.1 + 0.2) / 0.9);
    assertEquals(3, table.segments().size());
    assertEquals(3.0, table.numberLine().end(), 1e-9);
  }

  @Test
  void lookUpKnowsGapsAndEnds() {
    NumberLine line = SegmentTable.assign(List.of(B, A), 100).remove("b").numberLine();
    assertEquals(1, line.devices());
    assertEquals("a", line.deviceId(0));
    assertEquals(NumberLine.NONE, line.deviceAt(0));
    assertEquals(NumberLine.NONE, line.deviceAt(2.4));
    assertEquals(0, line.deviceAt(3));
    assertEquals(0, line.deviceAt(3.999));
    assertEquals(NumberLine.NONE, line.deviceAt(4));
    assertEquals(NumberLine.NONE, line.deviceAt(1e9));
  }

  @Test
  void emptyLinePlacesNothing() {
    NumberLine line = SegmentTable.assign(List.of(), 1).numberLine();
    assertEquals(0.0, line.end());
    assertEquals(NumberLine.NONE, line.place(RandomSequence.of(1, 1), index -> true, 10));
  }

  @Test
  void meanCapacity() {
    assertEquals(175.0, SegmentTable.meanCapacity(List.of(A, B)));
  }

  @Test
  void badInputIsNamed() {
    SegmentTable table = SegmentTable.assign(List.of(A), 100);
    assertMessage("device a is in the table already", () -> table.append(A, 100));
    assertMessage("device a is given twice", () -> SegmentTable.assign(List.of(A, A), 100));
    assertMessage("no device b in the table", () -> table.remove("b"));
    assertMessage("p must be a positive number of bytes, got 0.0", () -> table.append(B, 0));
    assertMessage(
        "p must be a positive number of bytes, got NaN", () -> table.append(B, Double.NaN));
    assertMessage(
        "p must be a positive number of bytes, got Infinity",
        () -> table.append(B, Double.POSITIVE_INFINITY));
    assertMessage(
        "b(250 bytes) is too small to show on a line with p = 1.0E18 bytes",
        () -> table.append(B, 1e18));
    assertMessage(
        "big(9223372036854775807 bytes) would end at 9.223372036854776E18 with p = 1.0 bytes: a"
            + " line ends at 16777216",
        () -> table.append(Device.of("big", Long.MAX_VALUE), 1));
    assertMessage(
        "no devices to take the mean capacity of", () -> SegmentTable.meanCapacity(List.of()));
    assertMessage("a device needs an id, got an empty string", () -> Device.of("", 1));
    assertMessage("device x needs a positive capacity, got 0 bytes", () -> Device.of("x", 0));
  }

  @Test
  void tableIsItsHistory() {
    SegmentTable table =
        SegmentTable.assign(List.of(A, B), 100)
            .append(Device.of("c", 120), 90)
            .remove("a")
            .append(A, 50)
            .remove("c");
    assertEquals(
        "[assign a 100 bytes, p 100.0, assign b 250 bytes, p 100.0, append c 120 bytes, p 90.0,"
            + " remove a, append a 100 bytes, p 50.0, remove c]",
        table.operations().toString());
    SegmentTable replayed = SegmentTable.replay(table.operations());
    assertEquals(table.segments(), replayed.segments());
    assertEquals(table.cells(), replayed.cells());
    assertEquals(table.operations(), replayed.operations());
    assertEquals(
        table.append(Device.of("d", 5), 10).toString(),
        replayed.append(Device.of("d", 5), 10).toString());
  }

  @Test
  void historyThatCannotBeIsRefused() {
    TableOperation assign = TableOperation.assign(A, 100);
    TableOperation append = TableOperation.append(A, 100);
    TableOperation remove = TableOperation.remove("a");
    assertMessage(
        "device b is assigned after devices joined or left",
        () -> SegmentTable.replay(List.of(assign, remove, TableOperation.assign(B, 1))));
    assertMessage(
        "device a is in the table already", () -> SegmentTable.replay(List.of(assign, append)));
    assertMessage("no device a in the table", () -> SegmentTable.replay(List.of(remove)));
  }

  private static void assertMessage(String message, Executable executable) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, executable).getMessage());
  }
}
