// SPDX-License-Identifier: Apache-2.0
package io.thermocline.unused;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Finds methods and classes of what is shipped that nothing shipped reaches: tests, benchmarks and the testbed don't count.
 * It is in this module because all others are built before it.
 */
class UnusedCodeTest {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();
  private static final List<String> CHECKED =
      List.of(
          "placement-policy", "hints-client", "tiering-service", "redundancy-elimination", "dist");

  /** Of the product, too. What benchmarks and the testbed alone call is dead. */
  private static final List<String> OTHERS = List.of("mining-spark");

  /** Classes that Hadoop or log4j load by their names. */
  private static final Set<String> ENTRY_CLASSES =
      Set.of(
          "io.thermocline.hints.fs.HintingFs",
          "io.thermocline.placement.hdfs.FastestReplicaFirstTopology",
          "io.thermocline.placement.hdfs.NominatedVolumeChoosingPolicy",
          "io.thermocline.tiering.process.JsonLayout",
          "io.thermocline.tiering.process.LineLayout");

  /** What applications call. */
  private static final Set<String> PUBLIC_PACKAGES =
      Set.of(
          "io.thermocline.hints.choice",
          "io.thermocline.hints.choice.hdfs",
          "io.thermocline.hints.client",
          "io.thermocline.hints.fs",
          "io.thermocline.hints.wire");

  /** What tests alone look at, since nothing else shows it. None of it decides anything. */
  private static final Set<String> SEEN_BY_TESTS =
      Set.of(
          "AttributedRing.indexOf",
          "AttributedRing.throttleBytes",
          "Choice.devices",
          "Choice.score",
          "ChoiceEngine.policy",
          "PlacementMetrics.nameFor",
          "PublishedPolicy.metric",
          "RandomSequence.of",
          "ReplicaPlan.shares",
          "SegmentFile.path",
          "ServerMetrics.metrics",
          "ThermoclinePlacementPolicy.hasLine",
          "ThermoclinePlacementPolicy.lines",
          "ThermoclinePlacementPolicy.refresh",
          "ThermoclinePlacementPolicy.tables",
          "InstalledTree.deb",
          "InstalledTree.tarGz",
          "ChunkingPolicy.stateBits",
          "GroupMemory.bytes",
          "GroupReads.spared",
          "OperationBudget.made",
          "ExecutionControl.onChange",
          "MinedReads.names",
          "PatternLibrary.withFit",
          "CorrelationMiner.bitOf",
          "CorrelationMiner.load",
          "CorrelationMiner.pairError",
          "CorrelationMiner.together",
          "MiningSettings.withMemory",
          "ObjectTable.load",
          "PartnerTable.load",
          "ConfigException.problems",
          "MoveHistory.size",
          "Target.count",
          "PoolAssignment.bytesToMove",
          "LearnedAdmission.followed",
          "AdmissionModel.followed",
          "Leadership.leader",
          "Threshold.reason",
          "HintRegistry.hasRoom",
          "HintRegistry.streams",
          "AuditLine.callerContext",
          "AuditLine.destination",
          "AuditLine.path",
          "AuditLine.source",
          "BlockAccess.dataNode",
          "BlockAccess.durationNanos",
          "CandidateBlocks.leftOut",
          "CandidateBlocks.size",
          "NamespaceImage.codec",
          "NamespaceImage.inodes",
          "GroupPlacement.place",
          "TierState.files",
          "LayoutOwners.unknown",
          "ReadCalibration.dataNodes",
          "ReadCalibration.merged",
          "ReaderHealth.isReading",
          "SimDevice.busySeconds");

  /** What benchmarks and the demo ask of a part that ships: how large, how even and how full it is, and what it decided. */
  private static final Set<String> MEASURED =
      Set.of(
          "AttributedRing.bytesOfDevice",
          "AttributedRing.estimateBytes",
          "AttributedRing.heterogeneousSectors",
          "AttributedRing.memoryBytes",
          "AttributedRing.sectors",
          "AttributedRing.shares",
          "AttributedRing.virtualNodes",
          "Sectors.arc",
          "Sectors.bytes",
          "Sectors.count",
          "Sectors.heterogeneous",
          "Shares.of",
          "Shares.share",
          "ReplicaPlan.bytes",
          "SegmentTable.operations",
          "PlacementCounters.get",
          "ThermoclinePlacementPolicy.counters",
          "RandomSequence.next",
          "GroupReads.fallbacks",
          "Gateway.port",
          "CorrelationMiner.memory",
          "ObjectTable.memory",
          "PartnerTable.memory",
          "ReaderWindow.memory",
          "HotnessTable.bytes",
          "BucketThresholds.heats",
          "PlanRounds.decisions",
          "TieringService.decisions",
          "TieringService.heat",
          "TieringService.apiAddress",
          "Serving.address",
          "Journal.unfinished");

  /** Interfaces whose other calls go through a class that ships. */
  private static final Set<String> INTERFACES =
      Set.of(
          "HotnessTable.add",
          "HotnessTable.bucket",
          "HotnessTable.coolTo",
          "HotnessTable.estimate",
          "ReaderTally.add");

  /** A part as the papers set it, or with fewer arguments, which the same code serves that ships. */
  private static final Set<String> SHORTER =
      Set.of(
          "RingRules.paper",
          "RingRules.withMerge",
          "RingRules.withSectorSize",
          "RingRules.withThrottle",
          "Limits.defaults",
          "SelectorPlacement.on",
          "TableOperation.append",
          "TableOperation.remove",
          "GroupWriter.write",
          "TieringService.start",
          "FoundSets.of",
          "GeneratedSets.of",
          "GeneratedSets.reader",
          "Gate.open",
          "Situation.of",
          "TierDecider.decide",
          "Tiering.plain",
          "BucketThresholds.fixed",
          "HeatCheckpoint.load",
          "HeatCheckpoint.save",
          "Settings.of",
          "SimDevice.serve",
          "Policies.oracleOfSecondReads",
          "Axis.even");

  private final Set<JavaMethod> dead = new HashSet<>();

  @Test
  void everyMethodAndClassOfWhatIsShippedIsReached() {
    JavaClasses classes =
        new ClassFileImporter()
            .importPaths(
                Stream.concat(CHECKED.stream(), OTHERS.stream())
                    .map(module -> ROOT.resolve(module).resolve("target/classes"))
                    .filter(directory -> directory.toFile().isDirectory())
                    .collect(Collectors.toList()));
    List<JavaClass> checked = classes.stream().filter(UnusedCodeTest::isChecked).toList();
    assertTrue(checked.size() > 500, "built: " + checked.size());

    List<JavaMethod> methods =
        checked.stream()
            .flatMap(type -> type.getMethods().stream())
            .filter(method -> !isEntry(method))
            .toList();
    // What only dead methods call is dead as well.
    while (dead.addAll(methods.stream().filter(this::isUnreached).toList())) {}

    TreeSet<String> unused = new TreeSet<>();
    checked.stream()
        .filter(type -> isUnreached(type, checked))
        .map(JavaClass::getName)
        .forEach(unused::add);
    dead.stream()
        .filter(method -> !unused.contains(method.getOwner().getName()))
        .map(method -> method.getOwner().getName() + "." + method.getName())
        .forEach(unused::add);
    assertEquals(
        "",
        String.join("\n", unused),
        "delete it, or say above who calls what the classes don't show");
  }

  private static boolean isChecked(JavaClass type) {
    return type.getSource()
        .map(source -> Path.of(source.getUri()))
        .filter(file -> CHECKED.stream().anyMatch(module -> file.startsWith(ROOT.resolve(module))))
        .isPresent();
  }

  private boolean isUnreached(JavaMethod method) {
    return method.getAccessesToSelf().stream()
            .noneMatch(access -> isAlive(access.getOrigin(), method))
        && method.getReferencesToSelf().stream()
            .noneMatch(reference -> isAlive(reference.getOrigin(), method));
  }

  private boolean isAlive(JavaCodeUnit caller, JavaMethod called) {
    return !caller.equals(called) && !dead.contains(caller);
  }

  /** No other class names it, or one in it. */
  private static boolean isUnreached(JavaClass type, List<JavaClass> checked) {
    return type.getEnclosingClass().isEmpty()
        && !type.getSimpleName().equals("package-info")
        && !ENTRY_CLASSES.contains(type.getName())
        && type.getMethods().stream().noneMatch(UnusedCodeTest::isMain)
        && checked.stream()
            .filter(each -> outermost(each).equals(type))
            .flatMap(each -> each.getDirectDependenciesToSelf().stream())
            .allMatch(dependency -> outermost(dependency.getOriginClass()).equals(type));
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(UnusedCodeTest::outermost).orElse(type);
  }

  /** What the language, a library or another's code calls. */
  private static boolean isEntry(JavaMethod method) {
    JavaClass owner = method.getOwner();
    return method.getModifiers().contains(JavaModifier.SYNTHETIC)
        || method.getModifiers().contains(JavaModifier.BRIDGE)
        || isMain(method)
        || !method.getAnnotations().isEmpty()
        || owner.isEnum() && Set.of("values", "valueOf").contains(method.getName())
        || owner.isRecord() && isComponent(method)
        || Stream.of(SEEN_BY_TESTS, MEASURED, INTERFACES, SHORTER)
            .anyMatch(names -> names.contains(owner.getSimpleName() + "." + method.getName()))
        || ENTRY_CLASSES.contains(outermost(owner).getName())
        || PUBLIC_PACKAGES.contains(owner.getPackageName()) && isPublic(method)
        || owner.isAnnotation()
        || overrides(method);
  }

  private static boolean isComponent(JavaMethod method) {
    return method.getRawParameterTypes().isEmpty()
        && method.getOwner().tryGetField(method.getName()).isPresent();
  }

  private static boolean isPublic(JavaMethod method) {
    return method.getModifiers().contains(JavaModifier.PUBLIC)
        && method.getOwner().getModifiers().contains(JavaModifier.PUBLIC);
  }

  private static boolean isMain(JavaMethod method) {
    return method.getName().equals("main")
        && method.getModifiers().contains(JavaModifier.STATIC)
        && method.getRawParameterTypes().size() == 1;
  }

  private static boolean overrides(JavaMethod method) {
    String[] parameters =
        method.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new);
    JavaClass owner = method.getOwner();
    return Stream.concat(
            owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
        .anyMatch(
            type ->
                type.tryGetMethod(method.getName(), parameters).isPresent()
                    || type.getMethods().stream()
                        .anyMatch(
                            each ->
                                each.getName().equals(method.getName())
                                    && each.getRawParameterTypes().size() == parameters.length));
  }
}
