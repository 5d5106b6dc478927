// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.redundancy.content.FileKind;
import io.thermocline.redundancy.store.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EstimatorTest {

  @TempDir Path directory;

  @Test
  void encryptedFilesGetTheVerdictDont() throws Exception {
    Files.write(directory.resolve("secret"), random(1, 3_000_000));

    Estimate estimate = estimate(1 << 30);

    assertEquals("as it is", estimate.kinds().get(FileKind.PACKED).best());
    String text = estimate.text(200_000_000);
    assertTrue(text.contains("Verdict: don't. Copy with DistCp"), text);
    assertTrue(text.contains("At 200 Mbit/s: 0.1 s as it is"), text);
  }

  @Test
  void textWithoutRepetitionIsLeftToAnyCompression() throws Exception {
    Files.writeString(directory.resolve("log"), words(1, 200_000));

    String text = estimate(1 << 30).text(200_000_000);

    assertTrue(text.contains("Verdict: don't use chunking. "), text);
  }

  /** Versions with an insertion near the start: only content-defined chunks find them again. */
  @Test
  void versionsOfAFileAreWorthChunks() throws Exception {
    String page = words(2, 300_000);
    for (int version = 0; version < 5; version++) {
      Files.writeString(directory.resolve("v" + version), "v".repeat(version) + page);
    }

    Estimate estimate = estimate(1 << 30);

    Estimate.OfKind text = estimate.kinds().get(FileKind.TEXT);
    assertEquals(5, text.files);
    assertTrue(text.best().startsWith("content"), text.best());
    double fixed = text.byRule.get("fixed 8K").chunkingRatio();
    double content = text.byRule.get("content 8K").chunkingRatio();
    assertTrue(fixed < 0.01, "fixed " + fixed);
    assertTrue(content > 0.78 && content < 0.8, "content-defined " + content);
    assertTrue(estimate.text(1_000_000_000).contains("Verdict: use the link."));
  }

  @Test
  void readsNoMoreThanTheSampleAndSaysSo() throws Exception {
    for (int i = 0; i < 20; i++) {
      Files.write(directory.resolve("f" + i), random(i, 100_000));
    }

    Estimate estimate = estimate(450_000);

    assertEquals(450_000, estimate.sampledBytes());
    assertEquals(5, estimate.sampledFiles());
    assertEquals(2_000_000, estimate.bytes());
    assertTrue(estimate.text(1_000_000).contains("Only a part was read"));
  }

  @Test
  void anEmptyDirectoryAndHiddenFilesAreNothing() throws Exception {
    Files.createDirectories(directory.resolve("_temporary"));
    Files.write(directory.resolve("_temporary/part"), random(1, 100));

    assertTrue(estimate(1000).text(1_000_000).contains("there is nothing to send"));
  }

  private Estimate estimate(long maxBytes) throws Exception {
    Source source = Source.of(directory.toUri().toString(), new Configuration());
    long[] nanos = {0};
    return new Estimator(maxBytes, 1, () -> nanos[0] += 1000).run(source.files(), source::open);
  }

  private static byte[] random(long seed, int length) {
    byte[] data = new byte[length];
    new Random(seed).nextBytes(data);
    return data;
  }

  private static String words(long seed, int count) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append((char) ('a' + random.nextInt(26))).append(random.nextInt(5000)).append(' ');
    }
    return text.toString();
  }
}
