// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeTest {
  @ParameterizedTest
  @CsvSource({
    "'', /d/r1, true",
    "/d/r1, /d/r1, true",
    "/d, /d/r1, true",
    "/d/r1, /d/r10, false",
    "/d/r10, /d/r1, false",
    "/e, /d/r1, false",
    "~/d/r1, /d/r1, false",
    "~/d/r1, /d/r10, true",
    "~/d, /d/r1, false",
    "~/e, /d/r1, true",
    "/d/r1/h:1, /d/r1, true",
    "~/d/r1/h:1, /d/r1, false",
    "/d/r1/h:2, /d/r1, false",
    "/d/r1xh:1, /d/r1, false"
  })
  void membership(String scope, String location, boolean contains) {
    assertEquals(contains, Scope.of(scope).contains(new NodeBase("h:1", location)));
  }
}
