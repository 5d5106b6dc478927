// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.api.Quantities;
import io.thermocline.tiering.app.SavedHeat;
import io.thermocline.tiering.app.cycle.RulesInForce;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.RulesFile;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.decide.Survey;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatCheckpoint;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.image.FirstView;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.process.HdfsConnection;
import io.thermocline.tiering.process.PathSet;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.process.Superuser;
import io.thermocline.tiering.rules.Impact;
import io.thermocline.tiering.rules.RuleSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What is wrong with a rules file, and what it would change. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Says what is wrong with a rules file, all of it at once. With --against it also says what the file would change: how"
          + " much each rule is about, and which files would be treated otherwise than by the rules in force. Changes"
          + " nothing.",
      "",
      "The output compares what the old and the new rules say about each file. Whether and when the service moves it also"
          + " depends on room, budgets and the file's history. An fsimage has no owners, groups or heat: rules with"
          + " user or group match no file there.",
      "",
      "Exit codes: 0 where the file is fine, whatever it changes; 1 where HDFS or the image can't be read; 2 for mistakes in"
          + " the file, and bad usage."
    })
final class RulesCheck implements Callable<Integer> {

  private static final long NANOS_BETWEEN_WORDS = 5_000_000_000L;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "the rules file")
  private Path file;

  @Option(
      names = "--against",
      paramLabel = "live|IMAGE",
      description =
          "the files of the live HDFS, or of a NameNode's image (a local file, fsimage_...)")
  private String against;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "the service's thermocline.yaml: which files are managed, and the rules in force; --against live needs it. Without it,"
              + " all files, and no rules")
  private Path config;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  private final ServiceRuntime runtime = ServiceRuntime.system();
  private long files;
  private long saidNanos;

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    boolean isLive = "live".equals(against);
    if (isLive && config == null) {
      throw new ParameterException(spec.commandLine(), "--against live needs --config");
    }
    RuleSet ruleSet = RulesFile.read(file);
    RulesReport report = new RulesReport(file, ruleSet);
    if (against == null) {
      print(json ? report.json() : report.text());
      return 0;
    }
    ServiceConfig settings = config == null ? null : ServiceConfigFile.read(config);
    RuleSet before =
        settings == null
            ? RuleSet.of(List.of(), List.of(), List.of())
            : RulesInForce.of(settings).ruleSet();
    Path journal = settings == null ? null : settings.journal();
    Ours ours = new Ours(settings, journal == null ? null : Journal.read(journal));
    saidNanos = runtime.nanos().getAsLong();
    Impact whole =
        isLive
            ? OwnCalls.make(() -> live(settings, before, ruleSet, ours))
            : image(settings, new Impact(before, ruleSet, runtime.clock().instant()), ours);
    print(
        json
            ? report.json(whole, ours.leftAlone)
            : report.text(whole, ours.leftAlone, inForce(settings)));
    return 0;
  }

  private static String inForce(ServiceConfig settings) {
    if (settings == null) {
      return "no rules";
    }
    Path rules = settings.manage().rules();
    return rules == null ? "manage.ignore and manage.pin" : rules.toString();
  }

  /** Files that somebody else set a storage policy on aren't for rules. */
  private static final class Ours {
    private final Journal journal;
    private final PathSet overridden;
    private final Map<Integer, String> policies = new HashMap<>();
    private long leftAlone;

    Ours(ServiceConfig settings, Journal journal) {
      this.journal = journal;
      this.overridden = new PathSet(settings == null ? List.of() : settings.manage().override());
      for (BlockStoragePolicy policy :
          BlockStoragePolicySuite.createDefaultSuite().getAllPolicies()) {
        policies.put(Byte.toUnsignedInt(policy.getId()), policy.getName());
      }
    }

    String policy(FileView view) {
      return policies.getOrDefault(view.storagePolicy(), "HOT");
    }

    boolean is(FileView view) {
      boolean ours =
          view.storagePolicy() == 0
              || overridden.contains(view.path())
              || journal != null && journal.maySet(view.path(), policy(view));
      leftAlone += ours ? 0 : 1;
      return ours;
    }
  }

  private static void add(Impact impact, Ours ours, FileView view, double heat) {
    if (ours.is(view)) {
      impact.add(view, Survey.lead(view, ours.policy(view)), heat);
    }
  }

  private Impact image(ServiceConfig settings, Impact impact, Ours ours)
      throws ConfigException, IOException {
    Configuration hadoop =
        settings == null ? new Configuration() : HadoopConfiguration.load(settings.hdfs());
    List<String> roots = settings == null ? List.of("/") : settings.manage().paths();
    FirstView.of(Path.of(against), null, hadoop, runtime.nanos(), this::say)
        .read(roots, path -> false, view -> add(impact, ours, view, 0));
    return impact;
  }

  private Impact live(ServiceConfig settings, RuleSet before, RuleSet after, Ours ours)
      throws ConfigException, IOException {
    try (DistributedFileSystem hdfs = HdfsConnection.open(settings.hdfs())) {
      Impact impact = new Impact(before, after, runtime.clock().instant(), nodes(settings, hdfs));
      ToDoubleFunction<String> heat = heat(settings, hdfs.getUri().getAuthority());
      List<String> roots = settings.manage().paths();
      long all = count(hdfs, roots);
      long start = runtime.nanos().getAsLong();
      new HdfsReader(hdfs.getClient())
          .pass(
              roots,
              path -> before.ignores(path) && after.ignores(path),
              view -> {
                add(impact, ours, view, heat.applyAsDouble(view.path()));
                progress(all, start);
              });
      return impact;
    }
  }

  /** DataNodes that have each type; none where HDFS doesn't say. */
  private Map<StorageType, Long> nodes(ServiceConfig settings, DistributedFileSystem hdfs) {
    Map<StorageType, Long> nodes = new EnumMap<>(StorageType.class);
    try {
      for (ClusterView.Node node : Superuser.reader(settings, hdfs).cluster().nodes().values()) {
        for (StorageType type : StorageType.values()) {
          nodes.merge(type, node.storages(type).isEmpty() ? 0L : 1L, Long::sum);
        }
      }
    } catch (IOException e) {
      nodes.clear();
      say("HDFS doesn't say what DataNodes have, so moves may be impossible: " + e.getMessage());
    }
    return nodes;
  }

  private ToDoubleFunction<String> heat(ServiceConfig settings, String nameservice)
      throws IOException {
    Optional<Heat> saved =
        HeatCheckpoint.load(
                SavedHeat.file(settings),
                settings.heat().settings(),
                nameservice,
                SavedHeat.restoring(null))
            .map(HeatCheckpoint.Restored::heat);
    if (saved.isEmpty()) {
      say("the service has saved no heat yet in " + settings.checkpoint() + ": none is counted");
    }
    return path -> saved.map(found -> found.of(path)).orElse(0.0);
  }

  /** 0 where HDFS doesn't say. */
  private static long count(DistributedFileSystem hdfs, List<String> roots) {
    long all = 0;
    for (String root : roots) {
      try {
        all += hdfs.getContentSummary(new org.apache.hadoop.fs.Path(root)).getFileCount();
      } catch (IOException e) {
        // Only the time left isn't known then; a root that isn't there has no files.
        continue;
      }
    }
    return all;
  }

  private void progress(long all, long start) {
    files++;
    long now = runtime.nanos().getAsLong();
    if (now - saidNanos >= NANOS_BETWEEN_WORDS) {
      saidNanos = now;
      double left = (now - start) / 1e9 / files * Math.max(0, all - files);
      say(
          all == 0
              ? Quantities.count(files, "file")
              : String.format("%d of %d files, about %.0f s left", files, all, left));
    }
  }

  private void say(String words) {
    spec.commandLine().getErr().println(words);
    spec.commandLine().getErr().flush();
  }

  private void print(String text) {
    spec.commandLine().getOut().println(text);
  }
}
