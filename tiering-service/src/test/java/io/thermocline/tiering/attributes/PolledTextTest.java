// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.attributes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.HostMetrics;
import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.NodeAttributesException;
import io.thermocline.placement.model.StorageType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What stands in the file, and what a NameNode makes of it. */
class PolledTextTest {

  private static final Instant NOON = Instant.parse("2020-02-02T12:00:00Z");
  private static final String HEADING =
      "# Polled at 2020-02-02T12:00:00Z by 'thermocline attributes'.\n";
  private static final double UNKNOWN = Double.NaN;

  @Test
  void hostsHaveALineEachWithWhatIsKnown() throws Exception {
    assertEquals(
        HEADING
            + "dn1.example.com free-memory=12884901888B cpu=35.12% latency=2.500ms\n"
            + "dn2.example.com cpu=0.00%\n"
            + "dn3.example.com cpu=100.00% latency=0.001ms\n",
        text(
            "",
            Map.of(
                "dn1.example.com", new HostReading(12.0 * (1L << 30), .351234, 2.5),
                "dn2.example.com", new HostReading(UNKNOWN, 0, UNKNOWN),
                "dn3.example.com", new HostReading(UNKNOWN, 1.0000001, 1e-3))));
  }

  @Test
  void numbersOfAnySizeAreRead() throws Exception {
    NodeAttributes read =
        NodeAttributes.parse(
            text(
                "",
                Map.of(
                    "big", new HostReading(1L << 50, 1, 3_600_000),
                    "small", new HostReading(0, 1e-9, 1e-9))));
    assertEquals(1L << 50, read.metrics("big").freeMemory().getAsLong());
    assertEquals(3_600_000_000_000L, read.metrics("big").latency().getAsLong());
    assertEquals(0, read.metrics("small").freeMemory().getAsLong());
    assertEquals(0, read.metrics("small").cpu().getAsDouble());
  }

  @Test
  void handWrittenLinesStayAsTheyAre() throws Exception {
    String byHand =
        "\uFEFF# ours\r\nclass SSD sata < nvme\n\n*  free-memory=1GB cpu=50% # for all\n"
            + "dn1 SSD class=nvme tbw=3500TB written=120TB";
    String text = text(byHand, Map.of("dn1", new HostReading(7, .25, UNKNOWN)));
    assertEquals(byHand + "\n" + HEADING + "dn1 free-memory=7B cpu=25.00%\n", text);
    NodeAttributes read = NodeAttributes.parse(text);
    assertEquals("nvme", read.storage("dn1", StorageType.SSD, "DS-1").performanceClass().name());
    // A pattern says what holds until somebody knows better.
    assertEquals(7, read.metrics("dn1").freeMemory().getAsLong());
    assertEquals(1_000_000_000, read.metrics("dn2").freeMemory().getAsLong());
  }

  @Test
  void whatIsGivenByHandToAHostIsNotPolled() throws Exception {
    String byHand =
        "\uFEFFDN1 zone=a free-memory=5B\t# cpu=1%\ndn2 cpu=9% latency=1s\ndn2 journal=0B\n";
    String text =
        text(
            byHand,
            Map.of(
                "dn1", new HostReading(70, .25, UNKNOWN),
                "dn2", new HostReading(UNKNOWN, .3, 2)));
    assertEquals(byHand + HEADING + "dn1 cpu=25.00%\n", text);
    HostMetrics dn1 = NodeAttributes.parse(text).metrics("dn1");
    assertEquals(5, dn1.freeMemory().getAsLong());
    assertEquals(.25, dn1.cpu().getAsDouble());
  }

  /** Whose lines of whole hosts give all that is polled. */
  @Test
  void theExampleCanBeGivenAsItIs() throws Exception {
    String example =
        Files.readString(
            Path.of(System.getProperty("project.root"), "conf", "node-attributes.example"));
    assertEquals(
        example + HEADING, text(example, Map.of("dn1.example.com", new HostReading(1, 1, 1))));
  }

  @Test
  void whatANameNodeWouldRejectIsNeverMade() {
    NodeAttributesException e =
        assertThrows(
            NodeAttributesException.class,
            () -> text("dn1 zone=a\n", Map.of("dn_ü", new HostReading(1, UNKNOWN, UNKNOWN))));
    assertEquals(3, e.problems().get(0).line());
    assertTrue(e.getMessage().contains("dn_ü"), e.getMessage());
  }

  private static String text(String byHand, Map<String, HostReading> hosts)
      throws NodeAttributesException {
    SortedMap<String, HostReading> sorted = new TreeMap<>(hosts);
    return PolledText.of(HandWritten.parse(byHand), sorted, NOON);
  }
}
