// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hadoop's own tests of placement, with the stock policy and with ours: the same ones fail. The long ones
 * run with {@code -Dhadoop.tests=all}.
 */
@Tag("cluster")
@Tag("hadoops-own")
class HadoopsOwnTestsTest {
  private static final String PACKAGE = "org.apache.hadoop.hdfs.";

  /**
   * What fails with ours alone, and should: of a block with a replica too many, where the only one of an
   * excess type is alone on its rack, the stock policy deletes none, for good. Ours deletes another one.
   */
  private static final Pattern ON_PURPOSE =
      Pattern.compile("testChooseReplicasToDelete\\b.*expected: ?<0> but was: ?<1>.*");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server.blockmanagement.TestReplicationPolicy",
        "server.blockmanagement.TestReplicationPolicyConsiderLoad",
        "server.blockmanagement.TestReplicationPolicyRatioConsiderLoadWithStorage"
      })
  void shortOnes(String name) throws ClassNotFoundException {
    compare(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server.blockmanagement.TestReplicationPolicyExcludeSlowNodes",
        "server.blockmanagement.TestOverReplicatedBlocks",
        "server.blockmanagement.TestRBWBlockInvalidation",
        "server.blockmanagement.TestBlocksWithNotEnoughRacks",
        "server.blockmanagement.TestUnderReplicatedBlocks",
        "TestErasureCodingPolicies",
        "TestDecommission",
        "server.mover.TestStorageMover",
        "server.balancer.TestBalancer"
      })
  void longOnes(String name) throws ClassNotFoundException {
    assumeTrue(System.getProperty("hadoop.tests", "").equals("all"), "-Dhadoop.tests=all runs it");
    compare(name);
  }

  private static void compare(String name) throws ClassNotFoundException {
    long start = System.nanoTime();
    HadoopsOwnTests.Outcome stock = HadoopsOwnTests.withStock(PACKAGE + name);
    HadoopsOwnTests.Outcome ours = HadoopsOwnTests.withOurs(PACKAGE + name);
    System.out.printf(
        "%s: %d tests, failed %s with the stock policy, %s with ours, %d of %d calls answered, %d s%n",
        name,
        ours.tests(),
        stock.failed(),
        ours.failed(),
        ours.answered(),
        ours.calls(),
        (System.nanoTime() - start) / 1_000_000_000);
    assertTrue(stock.tests() > 0, "no test was run");
    assertEquals(stock.tests(), ours.tests());
    SortedSet<String> failed = new TreeSet<>(ours.failed());
    failed.removeIf(one -> ON_PURPOSE.matcher(one).matches());
    assertEquals(stock.failed(), failed);
    // The others have no answer, or are asked before the cluster is there.
    assertTrue(ours.answered() * 2 >= ours.calls(), () -> "few calls were answered: " + ours);
  }
}
