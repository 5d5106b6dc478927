// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.doctor.Check;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Finding;
import io.thermocline.tiering.doctor.HostChecks;
import io.thermocline.tiering.doctor.Seen;
import io.thermocline.tiering.doctor.Severity;
import io.thermocline.tiering.process.HadoopConfiguration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** Whether this host has what a configuration names. A file that is fine may be meant for another. */
public final class HostCheck {

  private static final Set<String> OF_HDFS =
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
   * Asks HDFS, too, whether a service can work there. The same checks as doctor's. HDFS may be away just now, and a mover
   * not started yet, so nothing keeps a service from starting.
   *
   * @return what is wrong, one line each
   */
  static List<String> checkHdfs(ServiceConfig config)
      throws ConfigException, IOException, InterruptedException {
    Configuration hadoop = HadoopConfiguration.load(config.hdfs());
    Facts facts = OwnCalls.make(() -> DoctorFacts.ofHdfs(config, hadoop));
    List<String> wrong = new ArrayList<>();
    for (Check check : Check.all()) {
      if (OF_HDFS.contains(check.id())) {
        List<Finding> findings = check.look().apply(facts);
        wrong.addAll(of(Severity.ERROR, findings));
        wrong.addAll(of(Severity.WARNING, findings));
      }
    }
    return wrong;
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
