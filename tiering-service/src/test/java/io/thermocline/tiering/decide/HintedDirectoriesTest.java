// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Temperature;
import io.thermocline.placement.model.DirectoryHints;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.HintedDirectories.One;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintRates;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.hints.OwnerReliability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which hints on directories are for NameNodes, and what beats each of them. */
class HintedDirectoriesTest {

  private static final long NOW = 1_000;

  private final Map<String, HintedDirectories.Seen> there =
      new HashMap<>(Map.of("/w/orders", new HintedDirectories.Seen("", true, false, "")));
  private final List<Cap> caps = new ArrayList<>();
  private final List<String> chosen = new ArrayList<>();
  private String rule = "";
  private OwnerReliability reliability = OwnerReliability.NEW;
  private long ssdUsed = 50;
  private boolean hasArchive;
  private Requirement need = Requirement.LOW_LATENCY;
  private Temperature temperature = Temperature.UNKNOWN;

  @Test
  void hintCountsUntilTheEndOfItsLease() {
    HintedDirectories.One one = only();
    assertTrue(one.counts(), one.objection());
    assertEquals("ONE_SSD", one.policy());
    assertEquals(
        "new files below /w/orders are placed by ONE_SSD until 1970-01-01T00:00:05Z: the hint 7.redirect of etl",
        one.words());
    need = Requirement.NONE;
    temperature = Temperature.HOT;
    assertEquals("ONE_SSD", only().policy(), "what is hot needs low latency");
    need = Requirement.CHEAP;
    assertEquals("the cluster has no ARCHIVE", only().objection());
  }

  @Test
  void othersAndOtherOperationsAreNoneOfIt() {
    Hint hint = hint(Operation.PREFETCH, NOW + 4_000);
    assertEquals(List.of(), directories(hint).hints());
    assertEquals(List.of(), directories(hint(Operation.REDIRECT, NOW)).hints());
  }

  @Test
  void whateverAPersonSaidBeatsIt() {
    objection("placed elsewhere by", () -> rule = "placed elsewhere by rule 'x'", () -> rule = "");
    objection(
        "the storage policy HOT is set",
        () -> there.put("/w/orders", new HintedDirectories.Seen("HOT", true, false, "")),
        this::plain);
    objection(
        "directory /w may take 5 bytes of SSD",
        () -> caps.add(new Cap(new Cap.Scope.Below("/w"), StorageType.SSD, 5, 0)),
        caps::clear);
    objection(
        "user etl may take 5 bytes of SSD",
        () -> caps.add(new Cap(new Cap.Scope.Owner("etl"), StorageType.SSD, 5, Cap.COUNTED)),
        caps::clear);
    objection(
        "user bob may take 5 bytes of SSD",
        () -> caps.add(new Cap(new Cap.Scope.Owner("bob"), StorageType.SSD, 5, Cap.COUNTED)),
        caps::clear);
    objection(
        "group analysts may take 5 bytes of SSD",
        () -> caps.add(new Cap(new Cap.Scope.Group("analysts"), StorageType.SSD, 5, Cap.COUNTED)),
        caps::clear);
    caps.add(new Cap(new Cap.Scope.Below("/w"), StorageType.NVDIMM, 5, 0));
    caps.add(new Cap(new Cap.Scope.Below("/w/ord"), StorageType.SSD, 5, 0));
    assertTrue(only().counts(), only().objection());
  }

  @Test
  void whatCannotBeDoneIsSaid() {
    objection(
        "believed 0.",
        () -> reliability = new OwnerReliability(0, 20),
        () -> reliability = OwnerReliability.NEW);
    objection(
        "SSD is 95 % full, above its watermark of 90 %", () -> ssdUsed = 95, () -> ssdUsed = 50);
    ssdUsed = 90;
    assertTrue(only().counts(), "at its watermark");
    String deep = "/w/" + "d".repeat(DirectoryHints.LONGEST);
    there.put(deep, new HintedDirectories.Seen("", true, false, ""));
    String objection = directories(List.of(given(deep, "etl", 1))).hints().get(0).objection();
    assertTrue(objection.startsWith("its path has "), objection);
    objection(
        "HDFS answers a look at it with AccessControlException",
        () ->
            there.put(
                "/w/orders",
                new HintedDirectories.Seen("", false, false, "AccessControlException")),
        this::plain);
    objection("no such directory", there::clear, this::plain);
    objection(
        "erasure-coded",
        () -> there.put("/w/orders", new HintedDirectories.Seen("", true, true, "")),
        this::plain);
    objection(
        "neither what is needed",
        () -> need = Requirement.NONE,
        () -> need = Requirement.LOW_LATENCY);
  }

  @Test
  void belowItQuotasAndChosenPoliciesAreLeftOut() {
    caps.add(new Cap(new Cap.Scope.Below("/w/orders/q"), StorageType.SSD, 5, 0));
    chosen.addAll(List.of("/w/orders/hot", "/w/orders2", "/v"));
    HintedDirectories found = directories(hint(Operation.REDIRECT, NOW + 4_000));
    assertTrue(found.hints().get(0).counts());
    assertEquals(List.of("/w/orders/hot", "/w/orders/q"), found.usual());
    assertEquals("/w/orders", found.of("/w/orders/a/b").orElseThrow().hint().path());
    assertTrue(found.of("/w/orders2/x").isEmpty());
    One withheld = found.withheld("paused").hints().get(0);
    assertFalse(withheld.counts());
    assertEquals(
        "new files below /w/orders are placed as ever, not by the hint 7.redirect of etl: paused",
        withheld.words());
    assertEquals(List.of(withheld), found.withheld("paused").withheld("again").hints());
    assertEquals(List.of(), found.without(one -> true).hints());
  }

  @Test
  void directoryThatIsNotFollowedIsLeftOutOfTheOneAboveIt() {
    there.put("/w/orders/kept", new HintedDirectories.Seen("HOT", true, false, ""));
    there.put("/w/orders/kept/in", new HintedDirectories.Seen("", true, false, ""));
    HintedDirectories found =
        directories(
            List.of(
                given("/w/orders", "etl", 1),
                given("/w/orders/kept", "etl", 2),
                given("/w/orders/kept/in", "etl", 3),
                given("/w/other", "etl", 4)));
    assertEquals(
        "[true, false, true, false]", found.hints().stream().map(One::counts).toList().toString());
    assertEquals(List.of("/w/orders/kept"), found.usual());
    assertEquals("/w/orders/kept/in", found.of("/w/orders/kept/in/f").orElseThrow().hint().path());
    assertEquals("/w/orders", found.of("/w/orders/f").orElseThrow().hint().path());
  }

  /** Of the type that it asks for a quota is named that NameNodes can't be told of, whichever hint is the older one. */
  @Test
  void directoryThatIsRefusedForWhatIsBelowItIsLeftOutOfTheOneAboveIt() {
    hasArchive = true;
    String in = "/w/orders/in";
    there.put(in, new HintedDirectories.Seen("", true, false, ""));
    there.put("/w/orders/in2", new HintedDirectories.Seen("", true, false, ""));
    String deep = in + "/" + "d".repeat(DirectoryHints.LONGEST);
    caps.add(new Cap(new Cap.Scope.Below(deep), StorageType.ARCHIVE, 5, 0));
    for (long at : new long[] {0, 5}) {
      need = Requirement.LOW_LATENCY;
      List<GivenHint> given = new ArrayList<>(List.of(given("/w/orders", "etl", 2)));
      need = Requirement.CHEAP;
      given.add(given(in, "etl", at));
      given.add(given("/w/orders/in2", "etl", 3));
      HintedDirectories found = directories(given);
      assertEquals(
          "[true, false, true]", found.hints().stream().map(One::counts).toList().toString());
      assertTrue(found.hints().get(1).objection().contains("can't be told of"));
      assertEquals(List.of(in), found.usual());
      assertEquals(List.of(), directories(given.subList(1, 2)).usual(), "nothing leads above it");
    }
  }

  @Test
  void asManyAreLeftOutAsNameNodesAreToldOf() {
    there.put("/w/orders/in", new HintedDirectories.Seen("", true, false, ""));
    there.put("/v", new HintedDirectories.Seen("", true, false, ""));
    List<GivenHint> given =
        List.of(
            given("/v", "etl", 3), given("/w/orders", "etl", 1), given("/w/orders/in", "etl", 2));
    for (int i = 0; i < HintedDirectories.MOST_USUAL; i++) {
      chosen.add("/w/orders/in/" + i);
    }
    HintedDirectories most = directories(given);
    assertTrue(most.hints().stream().allMatch(One::counts));
    assertEquals(HintedDirectories.MOST_USUAL, most.usual().size());
    chosen.add("/w/orders/in/more");
    HintedDirectories tooMany = directories(given);
    assertEquals(
        "[true, false, false]", tooMany.hints().stream().map(One::counts).toList().toString());
    assertTrue(
        tooMany.hints().get(1).objection().contains("more directories than NameNodes are told of"));
    assertEquals(List.of(), tooMany.usual());
    chosen.clear();
    chosen.add("/w/orders/" + "d".repeat(DirectoryHints.LONGEST));
    assertTrue(directories(given).hints().get(1).objection().contains("can't be told of"));
  }

  @Test
  void nobodyCrowdsOutOthers() {
    List<GivenHint> given = new ArrayList<>();
    for (int i = 0; i < HintedDirectories.MOST + 200; i++) {
      there.put("/a/" + i, new HintedDirectories.Seen("", true, false, ""));
      given.add(given("/a/" + i, "greedy", i));
    }
    there.put("/z", new HintedDirectories.Seen("", true, false, ""));
    given.add(given("/z", "late", 900_000));
    HintedDirectories found = directories(given);
    assertEquals(given.size(), found.hints().size());
    assertEquals(HintedDirectories.MOST, found.hints().stream().filter(One::counts).count());
    Map<String, One> by = new HashMap<>();
    found.hints().forEach(one -> by.put(one.hint().path(), one));
    assertTrue(by.get("/z").counts());
    assertTrue(by.get("/a/998").counts());
    assertEquals(
        "of 1201 hints only 1000 are looked at, as many of each owner",
        by.get("/a/999").objection());
  }

  private GivenHint given(String path, String owner, long at) {
    Hint hint =
        Hint.onDirectory(Operation.REDIRECT, path)
            .requirement(need)
            .owner(owner)
            .leaseExpiryMillis(NOW + 4_000)
            .build();
    return new GivenHint(hint, at, path, at);
  }

  private void plain() {
    there.put("/w/orders", new HintedDirectories.Seen("", true, false, ""));
  }

  private void objection(String words, Runnable breaks, Runnable mends) {
    breaks.run();
    assertTrue(only().objection().contains(words), only().objection());
    mends.run();
    assertTrue(only().counts(), only().objection());
  }

  private HintedDirectories.One only() {
    return directories(hint(Operation.REDIRECT, NOW + 4_000)).hints().get(0);
  }

  private Hint hint(Operation operation, long until) {
    return Hint.onDirectory(operation, "/w/orders")
        .requirement(need)
        .temperature(temperature)
        .owner("etl")
        .leaseExpiryMillis(until)
        .build();
  }

  private HintedDirectories directories(Hint hint) {
    return directories(List.of(new GivenHint(hint, 7, "/w/orders", 0)));
  }

  private HintedDirectories directories(List<GivenHint> given) {
    HintsInForce hints =
        new HintsInForce(given, Map.of(), owner -> reliability, HintRates.DEFAULT, NOW);
    List<ClusterView.Storage> storages = new ArrayList<>();
    storages.add(new ClusterView.Storage("d", "n", StorageType.DISK, 100, 50));
    storages.add(new ClusterView.Storage("s", "n", StorageType.SSD, 100, 100 - ssdUsed));
    if (hasArchive) {
      storages.add(new ClusterView.Storage("a", "n", StorageType.ARCHIVE, 100, 50));
    }
    ClusterView cluster =
        new ClusterView(Map.of("n", new ClusterView.Node("n", "n", "/r", storages)), 1);
    return HintedDirectories.of(
        hints,
        new HintedDirectories.Facts(
            Map.of(Requirement.LOW_LATENCY, "ONE_SSD", Requirement.CHEAP, "COLD"),
            path -> Optional.ofNullable(there.get(path)),
            (path, type) -> rule,
            caps,
            cluster,
            Map.of(StorageType.SSD, new TierLimits(0.8, 0.9, 1)),
            chosen));
  }
}
