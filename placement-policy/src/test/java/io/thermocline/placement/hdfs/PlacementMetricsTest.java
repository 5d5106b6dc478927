// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

class PlacementMetricsTest {
  private final Configuration conf = new Configuration(false);
  private final NetworkTopology topology = DFSNetworkTopology.getInstance(conf);

  @Test
  void countersOfOneNameNodeNeverGoBackWhilePoliciesComeAndGo() {
    PolicyHost first = host();
    PlacementMetrics.Entry one = enter(topology, first);
    String name = PlacementMetrics.nameFor(topology);
    first.counters().count(Event.EXCESS_HEALED);
    assertEquals(1, healed(name));
    // Its successor is there before it is gone, as after a reconfiguration.
    PolicyHost second = host();
    PlacementMetrics.Entry other = enter(topology, second);
    assertEquals(name, PlacementMetrics.nameFor(topology));
    second.counters().count(Event.EXCESS_HEALED);
    assertEquals(2, healed(name));
    one.leave();
    assertEquals(2, healed(name));
    second.counters().count(Event.EXCESS_HEALED);
    assertEquals(3, healed(name));
    other.leave();
    assertNull(PlacementMetrics.nameFor(topology));
    assertNull(DefaultMetricsSystem.instance().getSource(name));
    PlacementMetrics.Entry again = enter(topology, host());
    assertEquals(0, healed(PlacementMetrics.nameFor(topology)));
    again.leave();
  }

  @Test
  void eachNameNodeOfAProcessHasItsOwn() {
    NetworkTopology standby = DFSNetworkTopology.getInstance(conf);
    PolicyHost here = host();
    PlacementMetrics.Entry one = enter(topology, here);
    PlacementMetrics.Entry other = enter(standby, host());
    assertNotEquals(PlacementMetrics.nameFor(topology), PlacementMetrics.nameFor(standby));
    here.counters().count(Event.EXCESS_HEALED);
    assertEquals(1, healed(PlacementMetrics.nameFor(topology)));
    assertEquals(0, healed(PlacementMetrics.nameFor(standby)));
    one.leave();
    other.leave();
  }

  @Test
  void policiesOutsideTheNameNodeRegisterNothing() {
    new ThermoclinePlacementPolicy(host()).initialize(conf, null, topology, null);
    assertNull(PlacementMetrics.nameFor(topology));
  }

  @Test
  void nameLeftBehindIsTakenOver() {
    PlacementMetrics.Entry probe = enter(topology, host());
    String name = PlacementMetrics.nameFor(topology);
    probe.leave();
    MetricsSource leftBehind = (collector, all) -> {};
    DefaultMetricsSystem.instance().register(name, "left behind", leftBehind);
    PlacementMetrics.Entry entry = enter(topology, host());
    assertEquals(0, healed(name));
    entry.leave();
    assertNull(DefaultMetricsSystem.instance().getSource(name));
  }

  private PlacementMetrics.Entry enter(NetworkTopology ofNameNode, PolicyHost host) {
    ClusterLines lines =
        new ClusterLines(
            ofNameNode,
            host,
            PolicySettings.of(conf, host.counters()),
            () -> new ClusterLoad(false, false, 0, 1));
    HintedPolicies hints = new HintedPolicies(null, host, "HOT");
    return PlacementMetrics.enter(ofNameNode, host.counters(), lines, hints);
  }

  private static PolicyHost host() {
    return new PolicyHost(System::nanoTime, () -> 0, Thread::sleep);
  }

  /** The collectors of Hadoop can't be read from another package in all of its versions. */
  private static long healed(String name) {
    PlacementMetrics source = (PlacementMetrics) DefaultMetricsSystem.instance().getSource(name);
    assertNotNull(source, name);
    long[] found = {-1};
    MetricsRecordBuilder record = Mockito.mock(MetricsRecordBuilder.class, Mockito.RETURNS_SELF);
    Mockito.doAnswer(
            call -> {
              if (((MetricsInfo) call.getArgument(0)).name().equals("ExcessHealed")) {
                found[0] = call.getArgument(1);
              }
              return record;
            })
        .when(record)
        .addCounter(Mockito.any(), Mockito.anyLong());
    MetricsCollector collector = Mockito.mock(MetricsCollector.class);
    Mockito.when(collector.addRecord(Mockito.anyString())).thenReturn(record);
    source.getMetrics(collector, true);
    return found[0];
  }
}
