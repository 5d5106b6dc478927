// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.HdfsActionCalls;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.WithinQuotas;
import io.thermocline.tiering.cluster.Quotas;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the service changes, a restarted NameNode finds no quota exceeded that wasn't exceeded before. */
@Tag("cluster")
class QuotasTest {

  private static final int KIB = 1024;
  private static final int STEPS = Integer.getInteger("quotas.steps", 600);
  private static final int RESTARTS = 3;
  private static final long SEED = Long.getLong("quotas.seed", 1);
  private static final List<String> DIRECTORIES = List.of("/q", "/q/a", "/q/a/b", "/q/c", "/free");
  private static final List<String> POLICIES =
      List.of("HOT", "WARM", "COLD", "ONE_SSD", "ALL_SSD", "");
  private static final List<StorageType> TYPES =
      List.of(StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE);

  @TempDir static Path temp;

  private static MiniDFSCluster cluster;
  private static DistributedFileSystem hdfs;
  private static DirectedMoves directed;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final AtomicLong leapt = new AtomicLong();
  private final List<String> files = new ArrayList<>();
  private Quotas quotas;
  private HdfsCalls moves;
  private ActionCalls actions;
  private int changed;
  private int refused;
  private int numbers;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, KIB);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 8 * KIB);
    cluster =
        new MiniDFSCluster.Builder(conf, temp.resolve("cluster").toFile())
            .numDataNodes(1)
            .storagesPerDatanode(TYPES.size())
            .storageTypes(TYPES.toArray(StorageType[]::new))
            .build();
    cluster.waitActive();
    hdfs = cluster.getFileSystem();
    directed = new DirectedMoves(hdfs.getUri(), path("/system/mover.id"), hdfs.getConf());
  }

  @AfterAll
  static void stop() {
    directed.close();
    cluster.shutdown();
  }

  @Test
  void aRestartFindsNoQuotaExceededThatWasNotBefore() throws Exception {
    for (String directory : DIRECTORIES) {
      hdfs.mkdirs(path(directory));
    }
    hdfs.allowSnapshot(path("/q/a"));
    connect();
    for (int step = 1; step <= STEPS; step++) {
      Map<String, Long> before = exceeded();
      if (random.nextInt(3) == 0) {
        userActs(step);
      } else {
        serviceActs();
        String about = "seed " + SEED + ", step " + step;
        exceeded()
            .forEach((quota, bytes) -> assertTrue(before.containsKey(quota), about + ": " + quota));
      }
      if (step % (STEPS / RESTARTS) == 0) {
        restart();
      }
    }
    assertTrue(changed > STEPS / 10, changed + " changes");
    assertTrue(refused > STEPS / 50, refused + " refused");
  }

  private void restart() throws Exception {
    Map<String, Long> counted = used(true);
    cluster.restartNameNode(true);
    hdfs = cluster.getFileSystem();
    used(false)
        .forEach((quota, bytes) -> assertTrue(bytes <= counted.get(quota), quota + ": " + bytes));
    connect();
  }

  private void connect() throws IOException {
    quotas = new Quotas(hdfs.getClient(), () -> leapt.get());
    moves = WithinQuotas.of(quotas, HdfsCalls.class, directed);
    actions =
        WithinQuotas.of(
            quotas,
            ActionCalls.class,
            new HdfsActionCalls(
                hdfs.getClient(),
                "us",
                new HdfsActionCalls.Pool("us", 1, Duration.ofDays(1)),
                OperationBudget.unlimited(),
                Clock.systemUTC()));
    quotas.look(DIRECTORIES);
  }

  private void serviceActs() throws IOException {
    String path = files.isEmpty() || random.nextInt(5) == 0 ? any(DIRECTORIES) : any(files);
    boolean isFile = files.contains(path);
    try {
      // Where a factor was lowered below a snapshot, only a restart counts the copies that the
      // snapshot keeps.
      if (isFile && !path.startsWith("/q/a") && random.nextInt(3) == 0) {
        actions.setReplication(path, 1 + random.nextInt(5));
      } else {
        moves.setStoragePolicy(path, any(POLICIES));
      }
      changed++;
    } catch (Quotas.ExceededException e) {
      refused++;
    } catch (QuotaExceededException e) {
      // By its own counter, which is higher than what is there.
      refused++;
    }
  }

  /** Of what users do, only their policies wait for the next count. */
  private void userActs(int step) throws IOException {
    try {
      switch (random.nextInt(8)) {
        case 0, 1, 2, 3 -> write();
        case 4 -> {
          if (!files.isEmpty()) {
            String gone = files.remove(random.nextInt(files.size()));
            hdfs.delete(path(gone), false);
          }
        }
        case 5 -> {
          hdfs.setStoragePolicy(path(any(DIRECTORIES)), any(POLICIES.subList(0, 5)));
          passTime(Duration.ofSeconds(6));
        }
        case 6 -> hdfs.createSnapshot(path("/q/a"), "s" + step);
        default -> {
          long most =
              random.nextInt(4) == 0 ? HdfsConstants.QUOTA_RESET : random.nextInt(20, 300) * KIB;
          hdfs.setQuotaByStorageType(path(any(DIRECTORIES)), any(TYPES), most);
          passTime(Duration.ofMinutes(11));
        }
      }
    } catch (QuotaExceededException e) {
      // As it may be.
      assertTrue(e.getMessage().contains("quota"));
    }
  }

  private void write() throws IOException {
    String file = any(DIRECTORIES) + "/f" + numbers++;
    try (OutputStream out = hdfs.create(path(file), (short) 1)) {
      out.write(new byte[random.nextInt(1, 8) * KIB]);
    } catch (QuotaExceededException e) {
      hdfs.delete(path(file), false);
      throw e;
    }
    files.add(file);
  }

  private void passTime(Duration time) {
    leapt.addAndGet(time.toNanos());
  }

  /** Bytes over, by quota. */
  private static Map<String, Long> exceeded() throws IOException {
    Map<String, Long> exceeded = new TreeMap<>();
    for (String directory : DIRECTORIES) {
      ContentSummary summary = hdfs.getContentSummary(path(directory));
      for (StorageType type : TYPES) {
        long over = summary.getTypeConsumed(type) - summary.getTypeQuota(type);
        if (summary.getTypeQuota(type) >= 0 && over > 0) {
          exceeded.put(type + " of " + directory, over);
        }
      }
    }
    return exceeded;
  }

  /** Bytes that count against quotas. */
  private static Map<String, Long> used(boolean isCounted) throws IOException {
    Map<String, Long> used = new TreeMap<>();
    for (String directory : DIRECTORIES) {
      QuotaUsage usage = hdfs.getQuotaUsage(path(directory));
      QuotaUsage types = isCounted ? hdfs.getContentSummary(path(directory)) : usage;
      for (StorageType type : TYPES) {
        if (usage.getTypeQuota(type) >= 0) {
          used.put(type + " of " + directory, types.getTypeConsumed(type));
        }
      }
    }
    return used;
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
