// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.ActionLimits;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.decide.Promotion;
import io.thermocline.tiering.decide.Stability;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.FirstParts;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;

/** Reads thermocline.yaml whole, and reports everything that is wrong with it at once. */
public final class ServiceConfigFile {

  private ServiceConfigFile() {}

  /**
   * @throws ConfigException with one line for each problem
   */
  public static ServiceConfig read(Path file) throws ConfigException {
    return parse(file, YamlFile.text(file));
  }

  /** Every key as it is where a file leaves it out, all files managed, and no log. */
  public static ServiceConfig defaults() throws ConfigException {
    return parse(
        Path.of("defaults"),
        "observe: {auditLogs: [/none]}\nmanage: {paths: [/]}\njournal: {directory: /none}\n");
  }

  private static ServiceConfig parse(Path file, String text) throws ConfigException {
    List<String> problems = new ArrayList<>();
    MappingNode root = YamlFile.compose(file.toString(), text);
    YamlSection top = new YamlSection(file.toString(), "", root, problems);
    YamlSection at = top.section("hdfs");
    ServiceConfig.Hdfs hdfs =
        hdfs(
            at,
            pathOrNull(at, "segmentTables"),
            pathOrNull(at, "nodeAttributes"),
            MoverSection.read(top));
    ServiceConfig.Observe observe = observe(top.section("observe"));
    ServiceConfig.Learning heat = heat(top.section("heat"));
    ServiceConfig.Manage manage = ManageSection.read(top.section("manage"));
    ServiceConfig.Decide decide = decide(top.section("decide"));
    ServiceConfig.Act act = ActSection.read(top.section("act"));
    YamlSection journal = top.section("journal");
    ServiceConfig config =
        new ServiceConfig(
            hdfs,
            observe,
            heat,
            manage,
            decide,
            act,
            SharedSections.local(journal, heat.checkpoint()),
            HintConfig.read(top.section("hints")),
            ApiSection.read(top),
            SharedSections.read(top, journal, hdfs.kerberos()));
    if (config.manage().rules() != null && !config.decide().caps().isEmpty()) {
      top.section("decide")
          .reject("caps", "stand in the rules file, manage.rules, where there is one");
    }
    if (config.decide().fillNewNodes() == ServiceConfig.FillNewNodes.ON
        && config.act().backEnd() == ServiceConfig.Mover.SATISFIER) {
      top.section("decide")
          .reject(
              "fillNewNodes",
              "new nodes are filled with act.backEnd: directed only: the satisfier moves copies between types");
    }
    MoverSection.check(top, config);
    top.rejectUnknown();
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return config.withSettings(top.effective(), top.hidden(), file);
  }

  static ServiceConfig.Hdfs hdfs(
      YamlSection section, Path segmentTables, Path nodeAttributes, ServiceConfig.MoverAt mover) {
    String nameNode = section.text("nameNode", null);
    URI uri = null;
    if (nameNode != null) {
      try {
        uri = URI.create(nameNode);
      } catch (IllegalArgumentException e) {
        uri = null;
      }
      if (uri == null || !"hdfs".equals(uri.getScheme()) || uri.getAuthority() == null) {
        section.reject(
            "nameNode", "expected a URI like hdfs://nameservice1, found '" + nameNode + "'");
      }
    }
    Path configuration = pathOrNull(section, "configuration");
    ServiceConfig.Keytab kerberos =
        section
            .optionalSection("kerberos")
            .map(login -> ApiSecuritySection.keytab(login, "thermocline"))
            .orElse(null);
    section.rejectUnknown();
    return new ServiceConfig.Hdfs(
        uri, configuration, segmentTables, nodeAttributes, kerberos, mover);
  }

  private static Path pathOrNull(YamlSection section, String key) {
    String path = section.text(key, null);
    return path == null ? null : Path.of(path);
  }

  private static ServiceConfig.Observe observe(YamlSection section) {
    List<String> names = section.texts("auditLogs");
    List<URI> webs = webs(section, names.size());
    List<ServiceConfig.LogFile> logs = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      logs.add(logFile(names.get(i), webs.isEmpty() ? null : webs.get(i)));
    }
    ServiceConfig.Kafka kafka = SourceSections.kafka(section, logs);
    if (logs.isEmpty() && kafka == null) {
      section.reject(
          "auditLogs",
          "is missing: expected the audit log of every NameNode, for instance"
              + " [/var/log/hadoop/hdfs/hdfs-audit.log], or a section observe.kafka");
    }
    ServiceConfig.Observe observe =
        new ServiceConfig.Observe(
            logs,
            section.choice("start", LogStart.END),
            section.duration("poll", Duration.ofSeconds(1)),
            accesses(section),
            zone(section),
            section.percent("minCompleteness", 0.9),
            kafka,
            SourceSections.clientTraceLogs(section),
            SourceSections.image(section));
    section.rejectUnknown();
    return observe;
  }

  /** One for each log, or none. */
  private static List<URI> webs(YamlSection section, int logs) {
    List<URI> webs = SourceSections.webs(section);
    if (!webs.isEmpty() && webs.size() != logs) {
      section.reject(
          "nameNodeWebs",
          "expected one for each of the " + logs + " auditLogs, found " + webs.size());
      return List.of();
    }
    return webs;
  }

  /** "/path" or "nameservice:/path". */
  private static ServiceConfig.LogFile logFile(String text, URI web) {
    int colon = text.indexOf(":/");
    boolean named = colon > 0 && text.indexOf('/') > colon;
    return new ServiceConfig.LogFile(
        named ? text.substring(0, colon) : null,
        Path.of(named ? text.substring(colon + 1) : text),
        web);
  }

  private static AccessSettings accesses(YamlSection section) {
    AccessSettings.Ignored ignored =
        new AccessSettings.Ignored(
            Set.copyOf(section.texts("ignoreUsers")),
            section.texts("ignoreCallerContexts"),
            section.globs("ignorePaths"));
    AccessSettings defaults = AccessSettings.defaults(ignored);
    return new AccessSettings(
        section.durationOrZero("openWindow", defaults.openWindow()),
        section.integer("scanFiles", defaults.scanFiles(), 0, AccessSettings.MOST_SCAN_FILES),
        section.duration("scanWindow", defaults.scanWindow()),
        ignored);
  }

  private static ZoneId zone(YamlSection section) {
    String name = section.text("timeZone", null);
    try {
      return name == null ? ZoneId.systemDefault() : ZoneId.of(name);
    } catch (DateTimeException e) {
      section.reject("timeZone", "expected a zone like UTC or Europe/Berlin, found '" + name + "'");
      return ZoneId.systemDefault();
    }
  }

  private static ServiceConfig.Learning heat(YamlSection section) {
    Duration halfLife = section.duration("halfLife", Duration.ofHours(6));
    if (halfLife.compareTo(Duration.ofSeconds(1)) < 0) {
      section.reject("halfLife", "expected at least 1s");
      halfLife = Duration.ofSeconds(1);
    }
    int files = section.integer("files", 4_000_000, 1_000, 1_000_000_000);
    Path checkpoint = pathOrNull(section, "checkpoint");
    Duration every = section.duration("checkpointEvery", Duration.ofMinutes(1));
    Duration pageCache = section.durationOrZero("pageCache", Duration.ZERO);
    section.rejectUnknown();
    return new ServiceConfig.Learning(
        HeatSettings.forFiles(halfLife, files).withPageCache(pageCache), checkpoint, every);
  }

  private static ServiceConfig.Decide decide(YamlSection section) {
    Duration asked = section.duration("every", Interval.SHORT.least());
    Optional<Duration> every = section.has("every") ? Optional.of(asked) : Optional.empty();
    double margin = section.percent("margin", 0.2);
    ServiceConfig.Thresholds thresholds =
        section.choice("thresholds", ServiceConfig.Thresholds.LEARNED);
    boolean admission = section.isOn("admission");
    Promotion promotion = section.choice("promotion", Promotion.ONE_OR_ALL);
    Map<StorageType, TierLimits> tiers = new EnumMap<>(StorageType.class);
    YamlSection tierSection = section.section("tiers");
    for (StorageType type : StorageType.values()) {
      if (type.isMovable()) {
        tierSection
            .sectionUnlessOff(type.name())
            .ifPresent(limits -> tiers.put(type, tierLimits(limits, defaults(type))));
      }
    }
    tierSection.rejectUnknown();
    YamlSection perPlan = section.section("perPlan");
    Budget budget =
        new Budget(
            perPlan.integer("moves", 1000, 1, 1_000_000),
            Math.max(1, perPlan.bytes("bytes", 100L << 30)),
            Math.max(0.01, perPlan.percent("fill", 0.95)),
            perPlan.has("moves") ? 0 : 100,
            perPlan.has("bytes") ? 0 : 10L << 30);
    perPlan.rejectUnknown();
    ServiceConfig.Benefit benefit = benefit(section.section("benefit"));
    Stability stability = stability(section.section("stability"), takenBackFactor(section));
    List<Cap> caps = CapSection.read(section);
    Map<StorageType, Long> writes = flashWrites(section.section("flashWritesPerDay"));
    ServiceConfig.Actions actions = ActionSection.read(section);
    Optional<ChewConfig> chew = StrategySection.of(section);
    if (chew.isPresent() && !actions.limits().equals(ActionLimits.NONE)) {
      section.reject("actions", "are taken with strategy: thresholds only");
    }
    FirstParts.Settings firstPart = FirstPartSection.read(section);
    ServiceConfig.FillNewNodes fillNewNodes =
        section.choice("fillNewNodes", ServiceConfig.FillNewNodes.OFF);
    section.rejectUnknown();
    return new ServiceConfig.Decide(
        every,
        margin,
        thresholds,
        admission,
        promotion,
        tiers,
        benefit,
        stability,
        caps,
        writes,
        budget,
        actions,
        chew,
        firstPart,
        fillNewNodes);
  }

  private static ServiceConfig.Benefit benefit(YamlSection section) {
    Duration horizon = section.duration("horizon", Duration.ofDays(1));
    double factor = section.number("factor", 1);
    Map<StorageType, TierSpeed> speeds = new EnumMap<>(StorageType.class);
    YamlSection types = section.section("speeds");
    for (StorageType type : StorageType.values()) {
      if (type.isMovable()) {
        YamlSection speed = types.section(type.name());
        TierSpeed usual = usualSpeed(type);
        speeds.put(
            type,
            new TierSpeed(
                Math.max(1, speed.bytes("read", (long) usual.read())),
                Math.max(1, speed.bytes("write", (long) usual.write())),
                speed.number("latencyMillis", usual.latency() * 1000) / 1000));
        speed.rejectUnknown();
      }
    }
    types.rejectUnknown();
    section.rejectUnknown();
    return new ServiceConfig.Benefit(horizon, factor, speeds);
  }

  /** As conf/thermocline.yaml shows them: of common devices. */
  private static TierSpeed usualSpeed(StorageType type) {
    return switch (type) {
      case NVDIMM -> new TierSpeed(2000L << 20, 1000L << 20, 0.00001);
      case SSD -> new TierSpeed(450L << 20, 400L << 20, 0.0001);
      case DISK -> new TierSpeed(150L << 20, 140L << 20, 0.008);
      case ARCHIVE -> new TierSpeed(100L << 20, 90L << 20, 0.012);
      case RAM_DISK ->
          throw new IllegalArgumentException(type + " has no speed here: it takes no part");
    };
  }

  private static double takenBackFactor(YamlSection section) {
    double factor = section.number("takenBackFactor", Stability.TAKEN_BACK_FACTOR);
    if (factor <= 1) {
      section.reject("takenBackFactor", "expected more than 1");
      return Stability.TAKEN_BACK_FACTOR;
    }
    return factor;
  }

  private static Stability stability(YamlSection section, double takenBack) {
    Duration residency = section.durationOrZero("residency", Duration.ofMinutes(30));
    int flaps = section.integer("flaps", 4, 1, 1000);
    Duration window = section.duration("window", Duration.ofDays(1));
    section.rejectUnknown();
    if (window.compareTo(residency) < 0) {
      section.reject("window", "expected at least the residency");
      window = residency;
    }
    return new Stability(residency, flaps, window, takenBack);
  }

  private static Map<StorageType, Long> flashWrites(YamlSection section) {
    Map<StorageType, Long> writes = new EnumMap<>(StorageType.class);
    for (StorageType type : List.of(StorageType.SSD, StorageType.NVDIMM)) {
      long bytes = section.bytes(type.name(), 0);
      if (bytes > 0) {
        writes.put(type, bytes);
      }
    }
    section.rejectUnknown();
    return writes;
  }

  /** As conf/thermocline.yaml shows them. */
  private static TierLimits defaults(StorageType type) {
    return switch (type) {
      case NVDIMM -> new TierLimits(0.8, 0.9, 4);
      case SSD -> new TierLimits(0.8, 0.9, 2);
      case DISK -> new TierLimits(0.75, 0.85, 1);
      case ARCHIVE -> new TierLimits(0.85, 0.9, 0);
      case RAM_DISK ->
          throw new IllegalArgumentException(type + " has no limits: it takes no part");
    };
  }

  private static TierLimits tierLimits(YamlSection section, TierLimits defaults) {
    double upper = section.percent("upperWatermark", defaults.upperWatermark());
    double lower = section.percent("lowerWatermark", Math.min(defaults.lowerWatermark(), upper));
    double threshold = section.number("threshold", defaults.threshold());
    double demoteBelow = section.number("demoteBelow", 0);
    section.rejectUnknown();
    if (demoteBelow > threshold) {
      section.reject("demoteBelow", "expected at most the threshold");
      demoteBelow = threshold;
    }
    if (lower <= 0 || lower > upper) {
      section.reject("lowerWatermark", "expected more than 0 % and at most the upperWatermark");
      return new TierLimits(upper > 0 ? upper : 1, upper > 0 ? upper : 1, threshold, demoteBelow);
    }
    return new TierLimits(lower, upper, threshold, demoteBelow);
  }
}
