// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Files written by version 1 stay readable, and are written the same. */
class HintWireGoldenTest {

  private static final long NEW_YEAR_2026 = 1767225600000L;

  private static final Map<String, Hint> GOLDEN =
      Map.of(
          "least",
          Hint.onFile(Operation.MIGRATE, "/data/part-00000")
              .owner("etl")
              .leaseExpiryMillis(1)
              .build(),
          "directory",
          Hint.onDirectory(Operation.PREFETCH, "/warehouse/orders")
              .pattern(AccessPattern.READ_INTENSIVE)
              .requirement(Requirement.LOW_LATENCY)
              .temperature(Temperature.HOT)
              .owner("etl")
              .leaseExpiryMillis(NEW_YEAR_2026)
              .build(),
          "stream",
          Hint.onStream(Operation.REDIRECT, "hbase wal/7")
              .pattern(AccessPattern.WRITE_INTENSIVE)
              .requirement(Requirement.THROUGHPUT)
              .temperature(Temperature.WARM)
              .owner("hbase@EXAMPLE.COM")
              .leaseExpiryMillis(Long.MAX_VALUE)
              .build(),
          "stream-member",
          Hint.onDirectory(Operation.ADVISE, "/hbase/WALs")
              .pattern(AccessPattern.WRITE_INTENSIVE)
              .stream("hbase wal/7")
              .owner("hbase")
              .source(Source.FILE_SYSTEM)
              .leaseExpiryMillis(NEW_YEAR_2026)
              .build(),
          "pin",
          Hint.onFile(Operation.PIN, "/lookup/countries")
              .requirement(Requirement.LOW_LATENCY)
              .owner("etl")
              .source(Source.USER)
              .leaseExpiryMillis(NEW_YEAR_2026)
              .build(),
          "odd-names",
          Hint.onFile(Operation.REPLICATE, "/käse & brot=gut/50 %+1/a\nb\tc/数据/🌊")
              .pattern(AccessPattern.WRITE_ONCE_SCAN_ONCE)
              .requirement(Requirement.CHEAP)
              .temperature(Temperature.COLD)
              .owner("Zoë")
              .leaseExpiryMillis(NEW_YEAR_2026)
              .build());

  @TestFactory
  Stream<DynamicTest> writesTheGoldenText() {
    return GOLDEN.entrySet().stream()
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    golden.getKey(),
                    () -> assertEquals(text(golden.getKey()), HintWire.encode(golden.getValue()))));
  }

  @TestFactory
  Stream<DynamicTest> readsTheGoldenText() {
    return GOLDEN.entrySet().stream()
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    golden.getKey(),
                    () -> assertEquals(golden.getValue(), HintWire.decode(text(golden.getKey())))));
  }

  @Test
  void readsAnyOrderAndWhatALaterWriterAdds() throws IOException {
    assertEquals(GOLDEN.get("directory"), HintWire.decode(text("directory-later-writer")));
  }

  @Test
  void attributesHaveTheirNames() {
    assertEquals("user.thermocline.hint.redirect", HintWire.attributeOf(Operation.REDIRECT));
    assertEquals("user.thermocline.stream", HintWire.STREAM_ATTRIBUTE);
  }

  private static String text(String name) throws IOException {
    return GoldenFile.text(name + ".hint");
  }
}
