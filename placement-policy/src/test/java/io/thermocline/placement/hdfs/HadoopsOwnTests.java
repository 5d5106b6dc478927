// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.util.VersionInfo;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.slf4j.event.Level;

/**
 * Runs test classes of Hadoop's own test jar, with our policy in the place of the stock one and without.
 * Hadoop before 3.5.0 has them for JUnit 4, which the vintage engine runs.
 */
final class HadoopsOwnTests {
  private HadoopsOwnTests() {}

  /**
   * @param tests that were run
   * @param failed the tests that failed by their unique ids, each with its name and the first line of what was thrown
   * @param calls for targets that our policy got and that got all replicas they asked for; 0 where the stock
   *     policy ran
   * @param answered those of them that it answered from its snapshot, without the stock policy
   */
  record Outcome(long tests, SortedMap<String, String> failed, long calls, long answered) {}

  static List<DiscoverySelector> all(String className) throws ClassNotFoundException {
    return List.of(DiscoverySelectors.selectClass(Class.forName(className)));
  }

  /** Of a class whose first parameter is the stock policy, and the second another one of Hadoop's, the first half. */
  static List<DiscoverySelector> firstHalf(String className) {
    boolean isVintage = VersionInfo.getVersion().compareTo("3.5") < 0;
    return some(
        List.of(
            isVintage
                ? "[engine:junit-vintage]/[runner:" + className + "]/[test:%5B0%5D]"
                : "[engine:junit-jupiter]/[class-template:"
                    + className
                    + "]/[class-template-invocation:#1]"));
  }

  static List<DiscoverySelector> some(Collection<String> uniqueIds) {
    return uniqueIds.stream().<DiscoverySelector>map(DiscoverySelectors::selectUniqueId).toList();
  }

  static Outcome withStock(List<DiscoverySelector> tests) {
    return run(tests);
  }

  static Outcome withOurs(List<DiscoverySelector> tests) {
    BlockPlacementPolicies.replace(
        one -> one == BlockPlacementPolicyDefault.class ? Counted.class : one);
    try {
      return run(tests);
    } finally {
      BlockPlacementPolicies.replace(one -> one);
    }
  }

  private static Outcome run(List<DiscoverySelector> tests) {
    // What Hadoop's own build sets for its tests. HDFS's defaults come first: the later resource
    // counts.
    HdfsConfiguration.init();
    Configuration.addDefaultResource("hadoops-own-tests.xml");
    Counted.CALLS.set(0);
    Counted.ANSWERED.set(0);
    SortedMap<String, String> failed = new TreeMap<>();
    AtomicLong count = new AtomicLong();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(tests).build(),
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                count.addAndGet(test.isTest() ? 1 : 0);
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                  failed.put(test.getUniqueId(), name(test) + ": " + firstLine(result));
                }
              }
            });
    return new Outcome(count.get(), failed, Counted.CALLS.get(), Counted.ANSWERED.get());
  }

  /** With the method's name: the display name of a test with parameters has the parameters alone. */
  private static String name(TestIdentifier test) {
    String shown = test.getDisplayName();
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(source -> ((MethodSource) source).getMethodName())
        .map(method -> shown.startsWith(method) ? shown : method + shown)
        .orElse(shown);
  }

  private static String firstLine(TestExecutionResult result) {
    return String.valueOf(result.getThrowable().orElse(null)).split("\\R", 2)[0];
  }

  /**
   * Our policy, which looks at the cluster before each call: Hadoop's tests don't wait for a refresh. It
   * turns off the debug log that they turn on, and with which the stock policy answers all calls.
   */
  static final class Counted extends ThermoclinePlacementPolicy {
    private static final AtomicLong CALLS = new AtomicLong();
    private static final AtomicLong ANSWERED = new AtomicLong();

    @Override
    public DatanodeStorageInfo[] chooseTarget(
        String path,
        int replicas,
        Node writer,
        List<DatanodeStorageInfo> chosen,
        boolean returnChosen,
        Set<Node> excluded,
        long blockSize,
        BlockStoragePolicy storagePolicy,
        EnumSet<AddBlockFlag> flags) {
      if (lines() != null) {
        GenericTestUtils.setLogLevel(BlockPlacementPolicy.LOG, Level.INFO);
        refresh();
      }
      long before = counters().get(Event.ANSWERED);
      int asked = replicas + (returnChosen ? chosen.size() : 0);
      DatanodeStorageInfo[] targets =
          super.chooseTarget(
              path,
              replicas,
              writer,
              chosen,
              returnChosen,
              excluded,
              blockSize,
              storagePolicy,
              flags);
      // Where too few nodes fit, the stock policy is always asked too.
      if (targets.length >= asked) {
        CALLS.incrementAndGet();
        ANSWERED.addAndGet(counters().get(Event.ANSWERED) - before);
      }
      return targets;
    }
  }
}
