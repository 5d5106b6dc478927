// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;
import org.mockito.stubbing.Answer;

class PlacementMetricsTest {
  private final Configuration conf = new Configuration(false);
  private final NetworkTopology topology = DFSNetworkTopology.getInstance(conf);
  private final List<ClusterLines> held = new ArrayList<>();

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

  /** Of two that are there at a time: after a reconfiguration, or one for replicas and one for erasure coding. */
  @Test
  void whatThereIsIsToldByTheNewestPolicy(@TempDir Path directory) throws IOException {
    PlacementMetrics.Entry old =
        enter(topology, host(), linesOf("no attributes of nodes", directory));
    String name = PlacementMetrics.nameFor(topology);
    assertEquals(1, gauge(name, "AttributesBad"));
    PlacementMetrics.Entry newer = enter(topology, host(), linesOf("", directory));
    assertEquals(0, gauge(name, "AttributesBad"));
    newer.leave();
    assertEquals(1, gauge(name, "AttributesBad"));
    PlacementMetrics.Entry newest = enter(topology, host(), linesOf("", directory));
    old.leave();
    assertEquals(0, gauge(name, "AttributesBad"));
    newest.leave();
    assertNull(DefaultMetricsSystem.instance().getSource(name));
  }

  @Test
  void endTakesNoNameAwayThatAnotherHasByThen() {
    PlacementMetrics.Entry entry = enter(topology, host());
    String name = PlacementMetrics.nameFor(topology);
    MetricsSource another = (collector, all) -> {};
    DefaultMetricsSystem.instance().unregisterSource(name);
    DefaultMetricsSystem.instance().register(name, "of another class loader", another);
    entry.leave();
    assertSame(another, DefaultMetricsSystem.instance().getSource(name));
    DefaultMetricsSystem.instance().unregisterSource(name);
  }

  /** A NameNode of before ended, and Hadoop's metrics with it; its policy is still to be collected. */
  @Test
  void nameThatMetricsForgotIsFree() {
    NetworkTopology ended = DFSNetworkTopology.getInstance(conf);
    PlacementMetrics.Entry before = enter(ended, host());
    String name = PlacementMetrics.nameFor(ended);
    DefaultMetricsSystem.instance().unregisterSource(name);
    PlacementMetrics.Entry now = enter(topology, host());
    assertEquals(name, PlacementMetrics.nameFor(topology));
    before.leave();
    assertNotNull(DefaultMetricsSystem.instance().getSource(name), "it is another's");
    now.leave();
    assertNull(DefaultMetricsSystem.instance().getSource(name));
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
    return enter(ofNameNode, host, lines(ofNameNode, host, conf));
  }

  private static PlacementMetrics.Entry enter(
      NetworkTopology ofNameNode, PolicyHost host, ClusterLines lines) {
    HintedPolicies hints = new HintedPolicies(null, host, "HOT");
    return PlacementMetrics.enter(ofNameNode, host.counters(), lines, hints);
  }

  /** They have read a file of node attributes with this content. */
  private ClusterLines linesOf(String attributes, Path directory) throws IOException {
    Configuration withFile = new Configuration(conf);
    Path file = Files.writeString(Files.createTempFile(directory, "attributes", ""), attributes);
    withFile.set(PolicySettings.ATTRIBUTES_KEY, file.toString());
    ClusterLines lines = lines(topology, host(), withFile);
    lines.attributesFile().poll();
    // The metrics hold them weakly.
    held.add(lines);
    return lines;
  }

  private static ClusterLines lines(NetworkTopology topology, PolicyHost host, Configuration conf) {
    return new ClusterLines(
        topology,
        host,
        PolicySettings.of(conf, host.counters()),
        () -> new ClusterLoad(false, false, 0, 1));
  }

  private static PolicyHost host() {
    return new PolicyHost(System::nanoTime, () -> 0, Thread::sleep);
  }

  private static long healed(String name) {
    return told(name).get("ExcessHealed").longValue();
  }

  private static long gauge(String name, String gauge) {
    return told(name).get(gauge).longValue();
  }

  /** The collectors of Hadoop can't be read from another package in all of its versions. */
  private static Map<String, Number> told(String name) {
    PlacementMetrics source = (PlacementMetrics) DefaultMetricsSystem.instance().getSource(name);
    assertNotNull(source, name);
    Map<String, Number> told = new HashMap<>();
    MetricsRecordBuilder record = Mockito.mock(MetricsRecordBuilder.class, Mockito.RETURNS_SELF);
    Answer<MetricsRecordBuilder> note =
        call -> {
          told.put(((MetricsInfo) call.getArgument(0)).name(), call.getArgument(1));
          return record;
        };
    Mockito.doAnswer(note).when(record).addCounter(Mockito.any(), Mockito.anyLong());
    Mockito.doAnswer(note).when(record).addGauge(Mockito.any(), Mockito.anyInt());
    Mockito.doAnswer(note).when(record).addGauge(Mockito.any(), Mockito.anyLong());
    MetricsCollector collector = Mockito.mock(MetricsCollector.class);
    Mockito.when(collector.addRecord(Mockito.anyString())).thenReturn(record);
    source.getMetrics(collector, true);
    return told;
  }
}
