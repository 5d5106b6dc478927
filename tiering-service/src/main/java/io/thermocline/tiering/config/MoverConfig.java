// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.HdfsActionCalls;
import io.thermocline.tiering.act.mover.MoverHandler;
import io.thermocline.tiering.act.mover.MoverRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * mover.yaml, typed and checked; conf/mover.yaml explains every key.
 *
 * @param socket where it listens
 * @param user of this host whose processes are answered
 * @param requests at a time
 * @param pool of the cache; one of no bytes where nothing may be cached
 * @param operations calls of the NameNode a second
 * @param mutex path in HDFS of the file that keeps a second mover away
 * @param elected whether services elect which of them acts, so that the mutex goes to who asks
 */
public record MoverConfig(
    ServiceConfig.Hdfs hdfs,
    Path socket,
    String user,
    int requests,
    MoverRules rules,
    HdfsActionCalls.Pool pool,
    MoverHandler.Caps caps,
    int operations,
    String mutex,
    boolean elected) {

  /** Storage policies that may be asked for. */
  static final List<String> POLICIES =
      List.of("HOT", "WARM", "COLD", "ONE_SSD", "ALL_SSD", "ALL_NVDIMM");

  private enum Lead {
    ALONE,
    ELECTED
  }

  /**
   * @throws ConfigException with one line for each problem
   */
  public static MoverConfig read(Path file) throws ConfigException {
    List<String> problems = new ArrayList<>();
    YamlSection top =
        new YamlSection(
            file.toString(), "", YamlFile.compose(file.toString(), YamlFile.text(file)), problems);
    ServiceConfig.Hdfs hdfs = ServiceConfigFile.hdfs(top.section("hdfs"), null, null, null);
    YamlSection listen = top.section("listen");
    Path socket = MoverSection.socket(listen);
    String user = listen.text("user", "thermocline");
    int requests = listen.integer("requests", 300, 1, 10_000);
    listen.rejectUnknown();
    YamlSection allow = top.section("allow");
    HdfsActionCalls.Pool pool = new HdfsActionCalls.Pool("thermocline", 0, Duration.ofDays(1));
    int copies = 0;
    YamlSection cache = allow.optionalSection("cache").orElse(null);
    if (cache != null) {
      pool =
          new HdfsActionCalls.Pool(
              cache.text("pool", pool.name()),
              cache.bytes("maxBytes", 0),
              cache.duration("ttl", pool.ttl()));
      copies = cache.integer("copies", 1, 1, 512);
      if (pool.limit() < 1) {
        cache.lacks("maxBytes", "how much memory to take, for instance 10 GB");
      }
      cache.rejectUnknown();
    }
    MoverRules rules = rules(allow, copies);
    MoverHandler.Caps caps = caps(top.section("perHour"));
    int operations = top.integer("nameNodeOperations", 500, 1, 1_000_000);
    String mutex = top.text("mutex", "/system/thermocline/mover.id");
    if (!mutex.startsWith("/")) {
      top.reject("mutex", "expected an absolute path in HDFS, found '" + mutex + "'");
    }
    Lead lead = top.choice("services", Lead.ALONE);
    top.rejectUnknown();
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new MoverConfig(
        hdfs, socket, user, requests, rules, pool, caps, operations, mutex, lead == Lead.ELECTED);
  }

  private static MoverRules rules(YamlSection allow, int copies) {
    List<String> paths = directories(allow, "paths");
    if (paths.isEmpty()) {
      allow.reject("paths", "is missing: expected the directories to move in, like [/warehouse]");
    }
    List<String> except = directories(allow, "except");
    List<String> policies = allow.texts("policies");
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (String name : allow.texts("types")) {
      StorageType type = StorageType.ofHadoopName(name);
      if (type == null || !type.isMovable()) {
        allow.reject("types", "expected some of ARCHIVE, DISK, SSD, NVDIMM, found '" + name + "'");
      } else {
        types.add(type);
      }
    }
    if (types.isEmpty()) {
      types.addAll(
          EnumSet.of(StorageType.ARCHIVE, StorageType.DISK, StorageType.SSD, StorageType.NVDIMM));
    }
    Optional<MoverRules.Factors> factors =
        allow
            .optionalSection("replication")
            .map(
                section -> {
                  int least = section.integer("min", 2, 1, 512);
                  int most = section.integer("max", 6, least, 512);
                  section.rejectUnknown();
                  return new MoverRules.Factors(least, most);
                });
    allow.rejectUnknown();
    return new MoverRules(
        paths,
        except,
        Set.copyOf(policies.isEmpty() ? POLICIES : policies),
        types,
        factors,
        copies);
  }

  private static List<String> directories(YamlSection allow, String key) {
    List<String> paths = allow.texts(key);
    for (String path : paths) {
      if (!MoverRules.isPlain(path)) {
        allow.reject(key, "expected plain absolute paths in HDFS, found '" + path + "'");
      }
    }
    return paths;
  }

  private static MoverHandler.Caps caps(YamlSection section) {
    MoverHandler.Caps caps =
        new MoverHandler.Caps(
            Math.max(1, section.bytes("bytes", 2L << 40)),
            section.integer("operations", 100_000, 1, Integer.MAX_VALUE));
    section.rejectUnknown();
    return caps;
  }
}
