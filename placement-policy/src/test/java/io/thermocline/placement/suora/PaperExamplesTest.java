// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The worked examples of SUORA, number by number: table 2, figures 5, 6 and 9, section 3.5. */
class PaperExamplesTest {
  private static final double TB = 1e12;

  private static final SegmentTable B0 =
      SegmentTable.assign(List.of(device("A", 1), device("B", 1.5), device("C", 0.8)), TB);
  private static final SegmentTable B1 =
      SegmentTable.assign(List.of(device("D", 0.6), device("E", 0.3), device("F", 0.8)), 0.6 * TB);

  // Figure 5; the last number of data 4 is drawn in figure 9 (b) only.
  private static final double[] DATA1 = {4.2, 0.9};
  private static final double[] DATA2 = {2.7, 1.6};
  private static final double[] DATA3 = {4.8, 2.8, 2.1};
  private static final double[] DATA4 = {3.9, 4.6, 3.5, 0.8};

  @Test
  void table2() {
    assertEquals("A(0,1) B(1,2) B(2,2.5) C(3,3.8)", printed(B0));
    // F's second segment is a third long; the paper prints one digit.
    assertEquals("D(0,1) E(1,1.5) F(2,3) F(3,3.3)", printed(B1));
    assertEquals(3 + 1 / 3.0, B1.segments().get(3).end(), 1e-12);
  }

  @Test
  void figure5InitialDistribution() {
    assertEquals("s0 after 2", placed(B0, DATA1));
    assertEquals("s1 after 2", placed(B0, DATA2));
    assertEquals("s2 after 3", placed(B0, DATA3));
    assertEquals("s3 after 3", placed(B0, DATA4));
  }

  @Test
  void figure6HotDataGoesOnWithTheSameSequence() {
    assertEquals("s0 after 2", placed(B1, DATA1));
    assertEquals("s2 after 1", placed(B1, DATA2));
  }

  @Test
  void figure6WornOutDeviceIsPassedOver() {
    NumberLine line = B1.numberLine();
    GivenNumbers numbers = new GivenNumbers(5, DATA2);
    int device =
        line.place(RandomSequence.of(numbers), index -> !line.deviceId(index).equals("F"), 2);
    assertEquals(NumberLine.NONE, line.deviceAt(1.6), "data 2 has no further number in b1");
    assertEquals(NumberLine.NONE, line.deviceAt(4.2));
    assertEquals(1, line.deviceAt(1.4));
    // 2.7 is F and worn out, 1.6 lies in the gap behind E: the printed numbers are used up.
    assertEquals(NumberLine.NONE, device);
  }

  @Test
  void figure9aAddition() {
    SegmentTable b0 = B0.append(device("s04", 0.7), TB);
    SegmentTable b1 = B1.append(device("s14", 0.3), 0.6 * TB);
    assertEquals("A(0,1) B(1,2) B(2,2.5) C(3,3.8) s04(4,4.7)", printed(b0));
    assertEquals("D(0,1) E(1,1.5) F(2,3) F(3,3.3) s14(4,4.5)", printed(b1));
    // data 4 moves with its second number, 4.6, and data 1 with its first, 4.2.
    assertEquals("s4 after 2", placed(b0, DATA4));
    assertEquals("s4 after 1", placed(b1, DATA1));
    // data 3 of b0 draws 4.8, just behind the new segment, and stays; so does data 2 of b1.
    assertEquals("s2 after 3", placed(b0, DATA3));
    assertEquals("s2 after 1", placed(b1, DATA2));
  }

  @Test
  void figure9bRemoval() {
    SegmentTable b0 = B0.remove("C");
    SegmentTable b1 = B1.remove("E");
    assertEquals("A(0,1) B(1,2) B(2,2.5)", printed(b0));
    assertEquals("D(0,1) F(2,3) F(3,3.3)", printed(b1));
    // data 4 needs a new number, 0.8; the others stay.
    assertEquals("s0 after 4", placed(b0, DATA4));
    assertEquals("s2 after 3", placed(b0, DATA3));
    assertEquals("s0 after 2", placed(b1, DATA1));
    assertEquals("s1 after 1", placed(b1, DATA2));
  }

  @Test
  void section35ExtensionOfTheRange() {
    RandomSequence sequence =
        RandomSequence.of(
            new GivenNumbers(4, 3.9, 1.6),
            new GivenNumbers(8, 7.8, 1.4, 5.8),
            new GivenNumbers(12, 11.6, 2.3, 10.1, 3.6, 8.2, 4.5));
    double[] composed = new double[6];
    for (int i = 0; i < composed.length; i++) {
      composed[i] = sequence.next(12.0);
    }
    assertArrayEquals(new double[] {11.6, 7.8, 10.1, 3.9, 8.2, 5.8}, composed);
  }

  @Test
  void section35NarrowerLineEliminatesGeneratorsOnly() {
    RandomSequence sequence =
        RandomSequence.of(new GivenNumbers(4, 3.9, 1.6), new GivenNumbers(8, 7.8, 1.4, 5.8));
    assertArrayEquals(
        new double[] {7.8, 3.9, 5.8},
        new double[] {sequence.next(8.0), sequence.next(8.0), sequence.next(8.0)});
    RandomSequence shrunk = RandomSequence.of(new GivenNumbers(4, 3.9, 1.6));
    assertEquals(3.9, shrunk.next(4.0));
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> shrunk.next(4.5));
    assertEquals("no generator covers a line that ends at 4.5", error.getMessage());
  }

  private static Device device(String id, double terabytes) {
    return Device.of(id, Math.round(terabytes * TB));
  }

  private static String printed(SegmentTable table) {
    return table.segments().stream()
        .map(s -> s.deviceId() + "(" + s.start() + "," + oneDigit(s.end()) + ")")
        .collect(Collectors.joining(" "));
  }

  private static String oneDigit(double value) {
    return String.format(Locale.ROOT, "%.1f", value).replace(".0", "");
  }

  /** The segment reached, counted along the line, and how many numbers it took. */
  private static String placed(SegmentTable table, double... sequence) {
    NumberLine line = table.numberLine();
    GivenNumbers numbers = new GivenNumbers(5, sequence);
    int device = line.place(RandomSequence.of(numbers), index -> true, sequence.length);
    double r = sequence[numbers.taken() - 1];
    for (int i = 0; i < table.segments().size(); i++) {
      Segment segment = table.segments().get(i);
      if (segment.start() <= r && r < segment.end()) {
        assertEquals(segment.deviceId(), line.deviceId(device));
        return "s" + i + " after " + numbers.taken();
      }
    }
    return "nowhere";
  }
}
