// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.estimate;

import io.thermocline.redundancy.content.FileKind;
import io.thermocline.redundancy.flow.ChunkingPolicy;
import io.thermocline.redundancy.flow.ChunkingRecord;
import io.thermocline.redundancy.flow.ChunkingRule;
import io.thermocline.redundancy.index.ChunkHasher;
import io.thermocline.redundancy.index.ContentHash;
import io.thermocline.redundancy.index.TenantKey;
import io.thermocline.redundancy.link.Batch;
import io.thermocline.redundancy.link.BatchReader;
import io.thermocline.redundancy.link.Payload;
import io.thermocline.redundancy.store.Source.SourceFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;

/** Runs a sample of files through the same splitting and compression as the sender, without a link. */
public final class Estimator {

  /** What is compared, besides sending files as they are. */
  static final Map<String, ChunkingRule> RULES = rules();

  static final String ZSTD = "zstd";

  /** Files are looked at in pieces of that many bytes. */
  private static final int PIECE = 64 << 20;

  /** Opens a file of the directory. */
  public interface Opener {
    InputStream open(SourceFile file) throws IOException;
  }

  private final long maxBytes;
  private final long seed;
  private final LongSupplier nanos;
  private final ChunkHasher hasher = new ChunkHasher(new TenantKey("estimate", new byte[32]));

  /**
   * @param maxBytes to be read
   * @param seed of the choice of files
   * @param nanos a clock
   */
  public Estimator(long maxBytes, long seed, LongSupplier nanos) {
    this.maxBytes = maxBytes;
    this.seed = seed;
    this.nanos = nanos;
  }

  public Estimate run(List<SourceFile> files, Opener opener) throws IOException {
    Map<FileKind, Estimate.OfKind> kinds = new EnumMap<>(FileKind.class);
    Map<String, Set<ContentHash>> seen = new LinkedHashMap<>();
    RULES.keySet().forEach(name -> seen.put(name, new HashSet<>()));
    long left = maxBytes;
    int read = 0;
    for (SourceFile file : sample(files)) {
      if (left <= 0) {
        break;
      }
      try (InputStream in = opener.open(file)) {
        byte[] piece = in.readNBytes((int) Math.min(PIECE, left));
        FileKind kind = FileKind.of(piece, Math.min(piece.length, FileKind.SAMPLE));
        Estimate.OfKind sums = kinds.computeIfAbsent(kind, any -> new Estimate.OfKind());
        sums.files++;
        read++;
        while (piece.length > 0) {
          left -= piece.length;
          sums.bytes += piece.length;
          look(piece, kind, seen, sums);
          piece = in.readNBytes((int) Math.min(PIECE, Math.max(0, left)));
        }
      }
    }
    long total = files.stream().mapToLong(SourceFile::length).sum();
    return new Estimate(files.size(), total, read, maxBytes - left, kinds);
  }

  /** All files that fit, by path; else by chance. */
  private List<SourceFile> sample(List<SourceFile> files) {
    if (files.stream().mapToLong(SourceFile::length).sum() <= maxBytes) {
      return files;
    }
    List<SourceFile> shuffled = new ArrayList<>(files);
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled;
  }

  private void look(
      byte[] piece, FileKind kind, Map<String, Set<ContentHash>> seen, Estimate.OfKind sums)
      throws IOException {
    for (Map.Entry<String, ChunkingRule> each : RULES.entrySet()) {
      ChunkingRule rule = each.getValue();
      BatchReader reader = new BatchReader(new ByteArrayInputStream(piece), rule);
      long start = nanos.getAsLong();
      for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
        ChunkingRecord record = send(batch, rule, kind, seen.get(each.getKey()));
        sums.byRule.merge(each.getKey(), record, ChunkingRecord::plus);
      }
      sums.byRule.merge(
          each.getKey(),
          new ChunkingRecord(0, nanos.getAsLong() - start, 0, 0),
          ChunkingRecord::plus);
    }
  }

  private ChunkingRecord send(
      Batch batch, ChunkingRule rule, FileKind kind, Set<ContentHash> seen) {
    byte[] missing = batch.data();
    int length = batch.length();
    long overhead = 0;
    if (rule.policy() != ChunkingPolicy.NONE) {
      missing = new byte[batch.length()];
      length = 0;
      int at = 0;
      for (int chunk : batch.chunks()) {
        overhead += Payload.QUERY_BYTES;
        if (seen.add(hasher.hash(batch.data(), at, chunk))) {
          System.arraycopy(batch.data(), at, missing, length, chunk);
          length += chunk;
          overhead += Payload.DATA_BYTES;
        } else {
          overhead += Payload.REFERENCE_BYTES;
        }
        at += chunk;
      }
    }
    // As the sender's first rule of the kind has it.
    long sent =
        ChunkingRule.first(kind).compress() ? Payload.compressedSize(missing, length) : length;
    return new ChunkingRecord(batch.length(), 0, length + overhead, sent + overhead);
  }

  private static Map<String, ChunkingRule> rules() {
    Map<String, ChunkingRule> rules = new LinkedHashMap<>();
    rules.put(ZSTD, new ChunkingRule(ChunkingPolicy.NONE, 4096, true));
    for (int size : new int[] {8 << 10, 32 << 10}) {
      rules.put("fixed " + size(size), new ChunkingRule(ChunkingPolicy.FIXED, size, true));
    }
    for (int size : new int[] {512, 2 << 10, 8 << 10, 32 << 10}) {
      rules.put(
          "content " + size(size), new ChunkingRule(ChunkingPolicy.CONTENT_DEFINED, size, true));
    }
    return Collections.unmodifiableMap(rules);
  }

  private static String size(int bytes) {
    return bytes < 1024 ? bytes + "B" : bytes / 1024 + "K";
  }
}
