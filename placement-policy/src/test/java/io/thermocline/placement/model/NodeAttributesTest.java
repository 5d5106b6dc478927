// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeAttributesTest {
  private static final String EXAMPLE =
      String.join(
          "\n",
          "# From slow to fast.",
          "class SSD sata < nvme",
          "",
          "*.example.com    DISK          bandwidth=180MB/s",
          "dn1.example.com  SSD           class=nvme bandwidth=3200MB/s tbw=3500TB written=120TB zone=a",
          "DN1.example.com  DS-71c0-uuid  class=sata   # an old one",
          "dn1.example.com  free-memory=12GiB cpu=35% latency=2.5ms journal=396.2MB");

  @Test
  void wildcardsMatchLikeThoseOfAShell() throws NodeAttributesException {
    for (String fits :
        List.of("d*", "*1", "d*1", "d**1", "*n*", "???", "d?1*", "*?*", "*n?", "*")) {
      assertEquals("x", zone(fits, "dn1"), fits);
    }
    for (String other : List.of("d*2", "n*", "*n", "??", "????", "dn1?", "*d?", "d*n", "*n*n*")) {
      assertNull(zone(other, "dn1"), other);
    }
    assertEquals("x", zone("*ab", "aab"), "the second 'a' counts");
  }

  /** A regular expression would take longer than anybody waits. */
  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void patternsOfManyWildcardsEnd() throws NodeAttributesException {
    String wildcards = String.join("", Collections.nCopies(30, "*a"));
    String name = String.join("", Collections.nCopies(64, "a"));
    assertNull(zone(wildcards + "b", name));
    assertEquals("x", zone(wildcards, name));
  }

  private static String zone(String pattern, String host) throws NodeAttributesException {
    return NodeAttributes.parse(pattern + " zone=x").storage(host, StorageType.DISK, "").zone();
  }

  @Test
  void theExampleSaysWhatItSeemsTo() throws NodeAttributesException {
    NodeAttributes attributes = NodeAttributes.parse(EXAMPLE);
    assertEquals(
        "[SSD-default, SSD-sata, SSD-nvme]", attributes.classes(StorageType.SSD).toString());
    StorageAttributes nvme = attributes.storage("dn1.example.com", StorageType.SSD, "DS-1");
    assertEquals("SSD-nvme", nvme.performanceClass().toString());
    assertEquals(OptionalLong.of(3_200_000_000L), nvme.bandwidth());
    assertEquals("a", nvme.zone());
    assertFalse(nvme.isWornOut());
    assertTrue(
        nvme.toString().endsWith(" tbw=3500000000000000 written=120000000000000"), "" + nvme);
    StorageAttributes sata = attributes.storage("dn1.Example.com", StorageType.SSD, "DS-71c0-uuid");
    assertEquals("SSD-sata", sata.performanceClass().toString());
    // Only the class was said of the storage itself.
    assertEquals(nvme.bandwidth(), sata.bandwidth());
    StorageAttributes disk = attributes.storage("dn7.example.com", StorageType.DISK, "DS-2");
    assertEquals(OptionalLong.of(180_000_000L), disk.bandwidth());
    assertEquals(PerformanceClass.of(StorageType.DISK), disk.performanceClass());
    assertNull(disk.zone());
    HostMetrics metrics = attributes.metrics("dn1.example.com");
    assertEquals(OptionalLong.of(12L << 30), metrics.freeMemory());
    assertEquals(OptionalDouble.of(0.35), metrics.cpu());
    assertEquals(OptionalLong.of(2_500_000), metrics.latency());
    assertEquals(OptionalLong.of(396_200_000), metrics.journal());
    assertEquals(OptionalDouble.empty(), attributes.metrics("dn2.example.com").cpu());
    assertEquals(
        "SSD-default",
        attributes.storage("other", StorageType.SSD, "DS-3").performanceClass().toString());
  }

  @Test
  void narrowerWordCountsWhateverTheOrderOfLines() throws NodeAttributesException {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "* zone=any",
                "dn1 zone=host",
                "dn? SSD zone=type-of-pattern",
                "dn1 SSD zone=type",
                "* DS-1 zone=storage"));
    long seed = 7;
    Random random = new Random(seed);
    for (int run = 0; run < 20; run++) {
      Collections.shuffle(lines, random);
      NodeAttributes attributes = NodeAttributes.parse(String.join("\r\n", lines));
      String about = "seed " + seed + ": " + lines;
      assertEquals("storage", attributes.storage("dn1", StorageType.SSD, "DS-1").zone(), about);
      assertEquals("type", attributes.storage("dn1", StorageType.SSD, "DS-2").zone(), about);
      assertEquals("host", attributes.storage("dn1", StorageType.DISK, "DS-3").zone(), about);
      assertEquals(
          "type-of-pattern", attributes.storage("dn2", StorageType.SSD, "DS-4").zone(), about);
      assertEquals("any", attributes.storage("dn12", StorageType.SSD, "DS-5").zone(), about);
    }
    assertEquals(
        "late",
        NodeAttributes.parse("dn* zone=early\n*1 zone=late")
            .storage("dn1", StorageType.SSD, "DS-1")
            .zone());
  }

  @Test
  void classesMustBeDeclaredAndMayBeBelow() throws NodeAttributesException {
    NodeAttributes.parse("h SSD class=nvme\nh DS-1 class=nvme\nclass SSD nvme");
    for (String text : List.of("h DISK class=nvme\nclass SSD nvme", "h DS-1 zone=a class=fast")) {
      NodeAttributesException e =
          assertThrows(NodeAttributesException.class, () -> NodeAttributes.parse(text));
      assertEquals(1, e.problems().size(), text);
      assertEquals(text.indexOf("class") + 1, e.problems().get(0).column());
    }
  }

  @Test
  void patternsTakeDotsAtTheirWord() throws NodeAttributesException {
    NodeAttributes attributes = NodeAttributes.parse("*.a.com zone=x");
    assertEquals("x", attributes.storage("dn.a.com", StorageType.SSD, "DS-1").zone());
    assertNull(attributes.storage("dnxaxcom", StorageType.SSD, "DS-1").zone());
    assertNull(attributes.storage("dn.a.com.org", StorageType.SSD, "DS-1").zone());
  }

  @Test
  void wornOutAboveTheBudget() throws NodeAttributesException {
    String[] lines = {"h tbw=10TB written=10TB", "h tbw=10TB written=10.001TB", "h written=10TB"};
    boolean[] worn = {false, true, false};
    for (int i = 0; i < lines.length; i++) {
      NodeAttributes attributes = NodeAttributes.parse(lines[i]);
      assertEquals(worn[i], attributes.storage("h", StorageType.SSD, "DS-1").isWornOut(), lines[i]);
    }
  }

  @Test
  void allProblemsAreToldWithTheirPlaces() {
    String text =
        String.join(
            "\n",
            "class SDD sata < nvme",
            "class SSD sata nvme",
            "class DISK fast < fast <",
            "dn1 SSD bandwidth=3200 speed=9",
            "dn1 SSD",
            "dn1 ssd zone=a",
            "dn1 DISK class=Slow zone=A",
            "dn1 SSD cpu=5%",
            "dn1 class=nvme",
            "zone=a",
            "dn1 SSD tbw=0TB written=1Tb",
            "dn2 zone=a zone=b",
            "dn2 zone=c cpu=120%",
            "dn3 ARCHIVE bandwidth=99999999PB/s");
    NodeAttributesException e =
        assertThrows(NodeAttributesException.class, () -> NodeAttributes.parse(text));
    List<String> places =
        e.problems().stream()
            .map(problem -> problem.line() + ":" + problem.column())
            .collect(Collectors.toList());
    assertEquals(
        List.of(
            "1:7", "2:16", "3:19", "3:24", "4:19", "4:24", "5:5", "6:5", "7:16", "7:26", "8:9",
            "9:5", "10:1", "11:13", "11:25", "12:12", "13:5", "13:16", "14:23"),
        places,
        e.getMessage());
    assertTrue(e.getMessage().contains("did you mean SSD"), e.getMessage());
    assertTrue(e.getMessage().contains("line 4, column 19: bandwidth: '3200'"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "1B, 1",
    "1KB, 1000",
    "1KiB, 1024",
    "1.5MB, 1500000",
    "3500TB, 3500000000000000",
    "2PiB, 2251799813685248",
    "0B, 0"
  })
  void bytesAreExact(String text, long bytes) {
    assertEquals(bytes, Quantity.bytes(text));
  }

  @ParameterizedTest
  @CsvSource({"1", "1b", "1Kb", "KB", "-1KB", "1 KB", "1e3B", "1.B", ".5KB", "1KB/s", "10000PB"})
  void whatIsNoQuantityIsNotGuessedAt(String text) {
    assertThrows(IllegalArgumentException.class, () -> Quantity.bytes(text));
  }

  @Test
  void noTextMakesTheParserFailOtherwise() {
    long seed = 11;
    Random random = new Random(seed);
    String alphabet = "class SSD DISK<=#\t\n\r dn*?%.0123DS-TBKi/\u00fc\u0000bandwidth";
    int rejected = 0;
    for (int run = 0; run < 20_000; run++) {
      StringBuilder text = new StringBuilder(run % 2 == 0 ? EXAMPLE : "");
      for (int i = random.nextInt(40); i > 0; i--) {
        text.insert(
            random.nextInt(text.length() + 1), alphabet.charAt(random.nextInt(alphabet.length())));
      }
      try {
        NodeAttributes.parse(text.toString());
      } catch (NodeAttributesException e) {
        rejected++;
        assertFalse(e.problems().isEmpty());
        String[] lines = text.toString().split("\r\n|\n|\r", -1);
        for (NodeAttributesException.Problem problem : e.problems()) {
          String about = "seed " + seed + ", run " + run + ": " + problem;
          assertTrue(problem.line() >= 1 && problem.line() <= lines.length, about);
          assertTrue(
              problem.column() >= 1 && problem.column() <= lines[problem.line() - 1].length() + 1,
              about);
        }
      }
    }
    assertTrue(rejected > 10_000, "rejected " + rejected);
  }

  @Test
  void classesAreOrderedBySpeedAcrossTypes() {
    List<PerformanceClass> classes =
        List.of(
            PerformanceClass.of(StorageType.ARCHIVE),
            PerformanceClass.of(StorageType.DISK),
            PerformanceClass.of(StorageType.SSD),
            PerformanceClass.of(StorageType.SSD, "sata", 1),
            PerformanceClass.of(StorageType.SSD, "nvme", 2),
            PerformanceClass.of(StorageType.NVDIMM));
    List<PerformanceClass> shuffled = new ArrayList<>(classes);
    Collections.shuffle(shuffled, new Random(3));
    assertEquals(classes, new ArrayList<>(new TreeSet<>(shuffled)));
    assertNotEquals(classes.get(3), classes.get(4));
  }
}
