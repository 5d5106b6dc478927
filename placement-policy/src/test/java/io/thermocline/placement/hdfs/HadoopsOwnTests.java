// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.slf4j.event.Level;

/**
 * Runs test classes of Hadoop's own test jar, with our policy in the place of the stock one and without.
 * Hadoop before 3.5.0 has them for JUnit 4.
 */
final class HadoopsOwnTests {
  private HadoopsOwnTests() {}

  /**
   * @param tests that were run
   * @param failed the tests that failed, each with the first line of what was thrown
   * @param calls for targets that our policy got; 0 where the stock policy ran
   * @param answered those of them that it answered from its snapshot
   */
  record Outcome(long tests, SortedSet<String> failed, long calls, long answered) {}

  static Outcome withStock(String className) throws ClassNotFoundException {
    return run(Class.forName(className));
  }

  static Outcome withOurs(String className) throws ClassNotFoundException {
    Counted.CALLS.set(0);
    Counted.ANSWERED.set(0);
    BlockPlacementPolicies.replace(
        one -> one == BlockPlacementPolicyDefault.class ? Counted.class : one);
    try {
      return run(Class.forName(className));
    } finally {
      BlockPlacementPolicies.replace(one -> one);
    }
  }

  private static Outcome run(Class<?> tests) {
    // What Hadoop's own build sets for its tests.
    Configuration.addDefaultResource("hadoops-own-tests.xml");
    boolean isJupiter =
        Arrays.stream(tests.getMethods())
            .flatMap(method -> Arrays.stream(method.getAnnotations()))
            .anyMatch(one -> one.annotationType().getName().startsWith("org.junit.jupiter."));
    SortedSet<String> failed = new TreeSet<>();
    AtomicLong count = new AtomicLong();
    if (isJupiter) {
      Launcher launcher = LauncherFactory.create();
      launcher.execute(
          LauncherDiscoveryRequestBuilder.request()
              .selectors(DiscoverySelectors.selectClass(tests))
              .build(),
          new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
              count.addAndGet(test.isTest() ? 1 : 0);
              if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                failed.add(
                    test.getDisplayName() + ": " + firstLine(result.getThrowable().orElse(null)));
              }
            }
          });
    } else {
      Result result = new JUnitCore().run(tests);
      count.set(result.getRunCount());
      for (Failure failure : result.getFailures()) {
        failed.add(
            failure.getDescription().getMethodName() + ": " + firstLine(failure.getException()));
      }
    }
    return new Outcome(count.get(), failed, Counted.CALLS.get(), Counted.ANSWERED.get());
  }

  private static String firstLine(Throwable thrown) {
    return String.valueOf(thrown).split("\\R", 2)[0];
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
      try {
        return super.chooseTarget(
            path,
            replicas,
            writer,
            chosen,
            returnChosen,
            excluded,
            blockSize,
            storagePolicy,
            flags);
      } finally {
        CALLS.incrementAndGet();
        ANSWERED.addAndGet(counters().get(Event.ANSWERED) - before);
      }
    }
  }
}
