// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Finding;
import io.thermocline.tiering.doctor.HostChecks;
import io.thermocline.tiering.doctor.Seen;
import io.thermocline.tiering.doctor.Severity;
import java.util.List;
import java.util.Map;

/** Whether this host has what a configuration names. A file that is fine may be meant for another. */
public final class HostCheck {

  private HostCheck() {}

  /**
   * Looks at the local files and directories; touches none. The same checks as doctor's.
   *
   * @throws ConfigException with one line for each problem
   */
  public static void check(ServiceConfig config) throws ConfigException {
    Facts.Host host =
        DoctorFacts.host(config, config.hdfs().configuration(), Map.of(), Seen.not("not asked"));
    List<String> problems =
        HostChecks.findings(host).stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .map(HostCheck::words)
            .toList();
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  private static String words(Finding finding) {
    return finding.where() + ": " + finding.what() + ": " + finding.fix();
  }
}
