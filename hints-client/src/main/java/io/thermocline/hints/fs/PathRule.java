// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import java.util.Set;

/** What is known of files by their path: a rule of the configuration. Immutable. */
final class PathRule {
  /** When a rule has a say. */
  enum Moment {
    CREATE,
    OPEN
  }

  /** When what a rule requires decides where a file is created. */
  enum When {
    ALWAYS,
    /** While the cluster's queue is long. */
    QUEUE
  }

  /** Output is renamed out of these when it is committed: MapReduce, Spark, Hive, S3A, HBase. */
  private static final String[] STAGING = {
    "/_temporary", "/.spark-staging", "/.hive-staging", "/__magic", "/.tmp/"
  };

  private final String name;
  private final PathGlob paths;
  private final Set<Moment> moments;
  private final When when;
  private final Scope scope;
  private final long leaseMillis;

  /** Without target, owner and lease: what is said of each file. */
  private final Hint said;

  PathRule(
      String name,
      String glob,
      Set<Moment> moments,
      When when,
      Scope scope,
      long leaseMillis,
      Hint.Builder said) {
    this.name = name;
    this.paths = new PathGlob(glob);
    this.moments = moments;
    this.when = when;
    this.scope = scope;
    this.leaseMillis = leaseMillis;
    // Checks tag and combination now, and not with the first file.
    this.said = said.owner("-").leaseExpiryMillis(1).build();
  }

  String name() {
    return name;
  }

  boolean speaksOf(String path, Moment moment) {
    return moments.contains(moment) && paths.matches(path);
  }

  boolean waitsForQueue() {
    return when == When.QUEUE;
  }

  long leaseMillis() {
    return leaseMillis;
  }

  /** The hint's target: the file, or the directory that it will end up in. */
  String target(String file) {
    return scope == Scope.FILE ? file : lastingDirectory(file);
  }

  /** What the rule says of a target; owner and lease are still to be set. */
  Hint.Builder on(Operation operation, String target) {
    return Hint.on(scope, operation, target)
        .pattern(said.pattern())
        .requirement(said.requirement())
        .temperature(said.temperature())
        .stream(said.stream())
        .source(Source.FILE_SYSTEM);
  }

  Operation operation() {
    return said.operation();
  }

  /** What is asked of the storage. */
  Requirement requirement() {
    return said.need();
  }

  /** Whether a path is one that a job writes to before it commits. */
  static boolean isStaged(String path) {
    String file = path.substring(path.lastIndexOf('/') + 1);
    return lastingEnd(path) < path.length() || isTemporary(file);
  }

  /** As Spark's streams call what they write, and Hadoop's shell what it copies, until it is whole. */
  private static boolean isTemporary(String file) {
    return file.startsWith(".") && file.endsWith(".tmp") || file.endsWith("._COPYING_");
  }

  /** The directory that a file will be in when it is committed. */
  static String lastingDirectory(String file) {
    String directory = file.substring(0, Math.max(1, file.lastIndexOf('/')));
    return directory.substring(0, lastingEnd(directory));
  }

  private static int lastingEnd(String path) {
    int end = path.length();
    for (String staging : STAGING) {
      int at = path.indexOf(staging);
      if (at > 0 && at < end) {
        end = at;
      }
    }
    return end;
  }
}
