// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Finding;
import io.thermocline.tiering.doctor.HostChecks;
import io.thermocline.tiering.doctor.Seen;
import io.thermocline.tiering.doctor.Severity;
import io.thermocline.tiering.process.HadoopConfiguration;
import java.util.List;
import java.util.Map;

/** Whether this host has what a configuration names. A file that is fine may be meant for another. */
public final class HostCheck {

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
