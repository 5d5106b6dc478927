// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.app.records.Journals;
import io.thermocline.tiering.app.records.MarkedJournal;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.doctor.Check;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Finding;
import io.thermocline.tiering.doctor.HostChecks;
import io.thermocline.tiering.doctor.MoveChecks;
import io.thermocline.tiering.doctor.Seen;
import io.thermocline.tiering.doctor.Severity;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.process.HdfsConnection;
import io.thermocline.tiering.process.Superuser;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Whether this host has what a configuration names. A file that is fine may be meant for another. */
public final class HostCheck {

  /** Of which warnings are told, too: a plan needs it. */
  private static final Set<String> NEEDED =
      Set.of("cluster.reached", "cluster.superuser", "cluster.paths");

  private HostCheck() {}

  /**
   * Looks at the local files and directories; touches none. The same checks as doctor's.
   *
   * @return what doesn't keep a service from starting, one line each
   * @throws ConfigException with one line for each problem that does
   */
  public static List<String> check(ServiceConfig config) throws ConfigException {
    Facts.Host host =
        DoctorFacts.host(config, config.hdfs().configuration(), Map.of(), Seen.not("not asked"));
    List<Finding> findings = HostChecks.findings(host);
    List<String> problems = of(Severity.ERROR, findings);
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    HadoopConfiguration.read(config.hdfs().configuration(), "hdfs.configuration");
    return of(Severity.WARNING, findings);
  }

  /**
   * Refuses to move data where HDFS keeps replicas apart by more than racks.
   *
   * @throws ConfigException with the reason
   */
  static void requireRacksAlone(ServiceConfig config, Clock clock)
      throws ConfigException, IOException, InterruptedException {
    if (config.act().changes()) {
      Configuration hadoop = HadoopConfiguration.load(config.hdfs());
      List<Facts.Server> nameNodes =
          OwnCalls.make(() -> DoctorFacts.nameNodes(config, hadoop, clock));
      List<String> problems =
          of(Severity.ERROR, MoveChecks.apart(true, nameNodes, DoctorFacts.pairs(hadoop)));
      if (!problems.isEmpty()) {
        throw new ConfigException(problems);
      }
    }
  }

  /**
   * What the cluster lacks.
   *
   * @param errors what keeps a service from starting now, one line each
   * @param warnings what doesn't, and keeps it from what it is for
   */
  record Cluster(List<String> errors, List<String> warnings) {}

  /**
   * Asks the cluster, too, whether a service can work there: all of doctor's checks, of which only errors are told, and
   * what a start looks at besides.
   */
  static Cluster checkCluster(ServiceConfig config, Clock clock)
      throws ConfigException, IOException, InterruptedException {
    Configuration hadoop = HadoopConfiguration.load(config.hdfs());
    Facts facts =
        OwnCalls.make(
            () -> DoctorFacts.gather(config, config.hdfs().configuration(), hadoop, clock));
    List<String> errors = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    for (Check check : Check.all()) {
      List<Finding> findings = check.look().apply(facts);
      (keepsFromStarting(check, config) ? errors : warnings).addAll(of(Severity.ERROR, findings));
      if (NEEDED.contains(check.id())) {
        warnings.addAll(of(Severity.WARNING, findings));
      }
    }
    if (errors.isEmpty()) {
      OwnCalls.make(() -> objection(config, hadoop)).ifPresent(errors::add);
    }
    return new Cluster(errors, warnings);
  }

  /** A mover may be started later. */
  private static boolean keepsFromStarting(Check check, ServiceConfig config) {
    return check.id().equals("cluster.reached")
        || check.id().equals("moves.apart")
        || check.id().equals("cluster.superuser") && config.hdfs().mover() == null;
  }

  /** Whom the mutex and the journal are of, and whether the journal can be read. */
  private static Optional<String> objection(ServiceConfig config, Configuration hadoop) {
    OperationBudget budget = OperationBudget.unlimited();
    try (DistributedFileSystem hdfs = HdfsConnection.open(config.hdfs().nameNode(), hadoop)) {
      if (!config.act().changes() || config.hdfs().mover() != null) {
        Journals.read(config, hdfs).close();
        return Optional.empty();
      }
      Superuser.requireNoOther(config, hdfs, budget);
      if (hdfs.exists(new Path(config.act().mutex()))) {
        // A service with this journal goes on writing it.
        return Optional.empty();
      }
      try (Journal journal = Journals.read(config, hdfs)) {
        return MarkedJournal.of(config, hdfs, journal, budget)
            .lacks()
            .map(lacks -> lacks + MarkedJournal.ADVICE);
      }
    } catch (IOException e) {
      return Optional.of(CommandLines.explain(e));
    }
  }

  private static List<String> of(Severity severity, List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.severity() == severity)
        .map(HostCheck::words)
        .toList();
  }

  private static String words(Finding finding) {
    return finding.where() + ": " + finding.what() + ": " + finding.fix();
  }
}
