// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

class DataNodeAddressesTest {

  private final List<DatanodeInfo> live = new ArrayList<>(List.of(node("a", 1), node("b", 2)));
  private int reports;
  private final DataNodeAddresses addresses =
      new DataNodeAddresses(
          () -> {
            reports++;
            return live.toArray(DatanodeInfo[]::new);
          });

  @Test
  void asksOnceForAll() throws IOException {
    assertEquals(1, addresses.of("a").getXferPort());
    assertEquals(2, addresses.of("b").getXferPort());
    assertEquals(1, reports);
  }

  @Test
  void asksAgainForWhatWasForgotten() throws IOException {
    addresses.of("a");
    live.set(0, node("a", 7));
    assertEquals(1, addresses.of("a").getXferPort());
    addresses.forget(List.of("a", "unknown"));
    assertEquals(2, addresses.of("b").getXferPort());
    assertEquals(1, reports);
    assertEquals(7, addresses.of("a").getXferPort());
    assertEquals(2, reports);
  }

  @Test
  void saysWhichNodeIsNotLive() throws IOException {
    IOException e = assertThrows(IOException.class, () -> addresses.of("c"));
    assertEquals("DataNode c is not live any more", e.getMessage());
    live.add(node("c", 3));
    assertEquals(3, addresses.of("c").getXferPort());
  }

  @Test
  void namesHostsAlsoOfThoseThatAreDead() throws IOException {
    assertEquals("a.test:1", addresses.host("a"));
    live.remove(0);
    addresses.forget(List.of("a"));
    IOException e = assertThrows(IOException.class, () -> addresses.of("a"));
    assertEquals("DataNode a.test:1 is not live any more", e.getMessage());
    assertEquals("a.test:1", addresses.host("a"));

    assertEquals("c", addresses.host("c"));
    int asked = reports;
    assertEquals("c", addresses.host("c"));
    assertEquals(asked, reports, "not at each look");
    live.add(node("c", 3));
    addresses.of("c");
    assertEquals("c.test:3", addresses.host("c"));
  }

  private static DatanodeInfo node(String uuid, int port) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", uuid + ".test", uuid, port, 0, 0, 0))
        .build();
  }
}
