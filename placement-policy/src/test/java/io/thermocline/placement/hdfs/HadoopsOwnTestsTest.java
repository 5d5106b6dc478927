// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.DiscoverySelector;

/**
 * Hadoop's own tests of placement: what fails with our policy also fails with the stock one. By default the
 * short ones run, and with the stock policy those of them that failed with ours. With
 * {@code -Dhadoop.tests=all} the long ones run too, and all with both policies.
 */
@Tag("cluster")
class HadoopsOwnTestsTest {
  private static final String PACKAGE = "org.apache.hadoop.hdfs.";
  private static final boolean ALL = System.getProperty("hadoop.tests", "").equals("all");

  /**
   * What fails with ours alone, and should: of a block with a replica too many, where the only one of an
   * excess type is alone on its rack, the stock policy deletes none, for good. Ours deletes another one.
   */
  private static final Pattern ON_PURPOSE =
      Pattern.compile("testChooseReplicasToDelete\\b.*expected: ?<0> but was: ?<1>.*");

  /** All its blocks are of erasure-coded files, which another policy of Hadoop's places. */
  private static final String NEVER_ASKED = "TestErasureCodingPolicies";

  /** The second half of each has a policy that isn't replaced. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "server.blockmanagement.TestReplicationPolicy",
        "server.blockmanagement.TestReplicationPolicyConsiderLoad"
      })
  void halves(String name) throws ClassNotFoundException {
    compare(
        name,
        ALL ? HadoopsOwnTests.all(PACKAGE + name) : HadoopsOwnTests.firstHalf(PACKAGE + name));
  }

  @Test
  void ratioOfLoad() throws ClassNotFoundException {
    assumeTrue(!VersionInfo.getVersion().startsWith("3.3."), "Hadoop has it from 3.4.0 on");
    compare("server.blockmanagement.TestReplicationPolicyRatioConsiderLoadWithStorage");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server.blockmanagement.TestOverReplicatedBlocks",
        "server.blockmanagement.TestRBWBlockInvalidation"
      })
  void onClusters(String name) throws ClassNotFoundException {
    compare(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server.blockmanagement.TestReplicationPolicyExcludeSlowNodes",
        "server.blockmanagement.TestBlocksWithNotEnoughRacks",
        "server.blockmanagement.TestUnderReplicatedBlocks",
        "TestErasureCodingPolicies",
        "TestDecommission",
        "server.mover.TestStorageMover",
        "server.balancer.TestBalancer"
      })
  void longOnes(String name) throws ClassNotFoundException {
    assumeTrue(ALL, "-Dhadoop.tests=all runs it");
    compare(name);
  }

  private static void compare(String name) throws ClassNotFoundException {
    compare(name, HadoopsOwnTests.all(PACKAGE + name));
  }

  private static void compare(String name, List<DiscoverySelector> tests) {
    long start = System.nanoTime();
    HadoopsOwnTests.Outcome ours = HadoopsOwnTests.withOurs(tests);
    HadoopsOwnTests.Outcome stock =
        HadoopsOwnTests.withStock(ALL ? tests : HadoopsOwnTests.some(ours.failed().keySet()));
    SortedMap<String, String> onlyOurs = new TreeMap<>(ours.failed());
    onlyOurs.keySet().removeAll(stock.failed().keySet());
    int both = ours.failed().size() - onlyOurs.size();
    System.out.printf(
        "Hadoop %s %s: %d tests with ours, failed %s, %d of %d calls answered;"
            + " %d with the stock policy, failed %s; %d s%n",
        VersionInfo.getVersion(),
        name,
        ours.tests(),
        ours.failed().values(),
        ours.answered(),
        ours.calls(),
        stock.tests(),
        stock.failed().values(),
        (System.nanoTime() - start) / 1_000_000_000);
    onlyOurs.values().removeIf(one -> ON_PURPOSE.matcher(one).matches());
    if (!onlyOurs.isEmpty()) {
      // Some of Hadoop's tests fail now and then.
      onlyOurs = HadoopsOwnTests.withOurs(HadoopsOwnTests.some(onlyOurs.keySet())).failed();
    }
    assertEquals(List.of(), List.copyOf(onlyOurs.values()), "failed with ours alone, twice");
    assertTrue(ours.tests() > 0, "no test was run");
    assertTrue(
        both * 10 <= ours.tests(), "many fail with both policies: nothing is compared by them");
    assertTrue(ours.calls() > 0 || name.equals(NEVER_ASKED), "our policy never placed a block");
    // The others come before the cluster is there, or turn the debug log on.
    assertTrue(ours.answered() * 2 >= ours.calls(), () -> "few calls were answered: " + ours);
  }
}
