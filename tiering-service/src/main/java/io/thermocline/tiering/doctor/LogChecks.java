// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.tiering.doctor.Servers.problem;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether reads get into the logs, and out of them again. */
final class LogChecks {

  private static final Set<String> COUNTED = Set.of("open", "create", "delete", "rename");

  /** Of the lines of a sample; some end in a rotation. */
  private static final double FEW = 0.01;

  private LogChecks() {}

  static List<Check> all() {
    return List.of(
        new Check(
            "logs.audit-appender",
            "NameNodes write their audit log (HDFS_AUDIT_LOGGER)",
            facts ->
                Servers.each(facts.nameNodes(), Facts.Server::properties, LogChecks::appender)),
        new Check(
            "logs.audit-level",
            "the audit logger logs INFO",
            facts -> Servers.each(facts.nameNodes(), Facts.Server::logLevel, LogChecks::level)),
        new Check(
            "logs.audit-loggers",
            "dfs.namenode.audit.loggers names the default logger",
            facts -> Servers.conf(facts.nameNodes(), LogChecks::loggers)),
        new Check(
            "logs.audit-commands",
            "dfs.namenode.audit.log.debug.cmdlist hides no command that the service counts",
            facts -> Servers.conf(facts.nameNodes(), LogChecks::commands)),
        new Check(
            "logs.audit-async",
            "dfs.namenode.audit.log.async has an effect if it is set",
            LogChecks::async),
        new Check(
            "logs.audit-format",
            "the last lines of each audit log are audit records",
            LogChecks::format),
        new Check("logs.audit-each", "each NameNode has an audit log", LogChecks::eachNameNode),
        new Check(
            "logs.completeness",
            "observe.nameNodeWebs names the NameNodes",
            LogChecks::completeness),
        new Check(
            "logs.time-zone", "observe.timeZone is the NameNodes' time zone", LogChecks::zone),
        new Check(
            "logs.caller-context",
            "hadoop.caller.context.enabled is on",
            LogChecks::callerContexts),
        new Check("logs.clienttrace-level", "DataNodes log reads (DEBUG)", LogChecks::clientTrace),
        new Check(
            "logs.short-circuit",
            "DataNodes serve all reads (no short-circuit reads)",
            LogChecks::shortCircuit),
        new Check(
            "logs.served",
            "DataNodes' counters agree with the estimate of which replicas serve reads",
            LogChecks::served));
  }

  private static Optional<Servers.Problem> appender(Map<String, String> properties) {
    String logger = properties.get("hdfs.audit.logger");
    if (logger == null) {
      return problem(
          Severity.NOTE,
          "its JVM has no -Dhdfs.audit.logger: what log4j.properties says holds",
          "where that is NullAppender too, nothing is written",
          "look there for a file appender of FSNamesystem.audit; conf/log4j-audit.properties is one");
    }
    return logger.contains("NullAppender") || logger.toUpperCase(Locale.ROOT).startsWith("OFF")
        ? problem(
            Severity.ERROR,
            "its audit log goes nowhere: hdfs.audit.logger is " + logger,
            "reads are learned from that log; the hdfs script overrides log4j.properties",
            "export HDFS_AUDIT_LOGGER=INFO,RFAAUDIT   in hadoop-env.sh of the NameNodes, then restart them")
        : Optional.empty();
  }

  private static Optional<Servers.Problem> level(String level) {
    return Set.of("WARN", "ERROR", "FATAL", "OFF").contains(level.toUpperCase(Locale.ROOT))
        ? problem(
            Severity.ERROR,
            "the audit logger's level is " + level,
            "audit records are logged at INFO",
            "hadoop daemonlog -setlevel NAMENODE:9870"
                + " org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit INFO, and in log4j.properties")
        : Optional.empty();
  }

  private static Optional<Servers.Problem> loggers(Map<String, String> conf) {
    String loggers = conf.getOrDefault("dfs.namenode.audit.loggers", "default");
    return loggers.isBlank() || List.of(loggers.trim().split("\\s*,\\s*")).contains("default")
        ? Optional.empty()
        : problem(
            Severity.ERROR,
            "dfs.namenode.audit.loggers is " + loggers,
            "without the default one no file is written",
            "dfs.namenode.audit.loggers=default," + loggers);
  }

  private static Optional<Servers.Problem> commands(Map<String, String> conf) {
    String hidden = conf.getOrDefault("dfs.namenode.audit.log.debug.cmdlist", "");
    List<String> lost =
        List.of(hidden.trim().split("\\s*,\\s*")).stream().filter(COUNTED::contains).toList();
    return lost.isEmpty()
        ? Optional.empty()
        : problem(
            Severity.ERROR,
            "dfs.namenode.audit.log.debug.cmdlist has " + String.join(", ", lost),
            "these aren't logged at INFO, and heat is made of them",
            "take them out of dfs.namenode.audit.log.debug.cmdlist");
  }

  private static List<Finding> async(Facts facts) {
    List<Facts.Server> newer =
        facts.nameNodes().stream()
            .filter(
                server ->
                    server
                        .status()
                        .value()
                        .map(
                            status ->
                                !status.getOrDefault("SoftwareVersion", "3.3").startsWith("3.3"))
                        .orElse(server.conf().value().isEmpty()))
            .toList();
    return Servers.conf(
        newer,
        conf ->
            Servers.isTrue(conf, "dfs.namenode.audit.log.async", "false")
                ? problem(
                    Severity.WARNING,
                    "dfs.namenode.audit.log.async does nothing since Hadoop 3.4",
                    "the audit log is written in the call",
                    "log4j.appender.ASYNCAUDITAPPENDER=org.apache.hadoop.hdfs.util.AsyncRFAAppender; with"
                        + " blocking=false it drops lines, which observe.nameNodeWebs measures")
                : Optional.empty());
  }

  private static List<Finding> format(Facts facts) {
    List<Finding> findings = new ArrayList<>();
    for (Facts.Sample sample : facts.host().samples()) {
      String where = sample.log().toString();
      if (sample.lines().value().isEmpty()) {
        findings.add(Finding.unseen(where, sample.lines().why()));
        continue;
      }
      int lines = sample.lines().value().get();
      findings.addAll(
          Servers.one(
              sample.malformed() > FEW * lines,
              Severity.ERROR,
              where,
              sample.malformed() + " of its last " + lines + " lines are no audit records",
              "what isn't understood counts as no read",
              "log4j.appender.RFAAUDIT.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n   and nothing"
                  + " else into that file"));
    }
    return findings;
  }

  private static List<Finding> eachNameNode(Facts facts) {
    int nameNodes = facts.nameNodes().size();
    return Servers.one(
        facts.settings().auditLogs() > 0 && facts.settings().auditLogs() < nameNodes,
        Severity.ERROR,
        "observe.auditLogs",
        facts.settings().auditLogs() + " logs for " + nameNodes + " NameNodes",
        "a standby writes none; after a failover the lines go on in the other's log",
        "name the log of each NameNode in observe.auditLogs, observers' too");
  }

  private static List<Finding> completeness(Facts facts) {
    return Servers.one(
        !facts.settings().measured(),
        Severity.WARNING,
        "observe.nameNodeWebs",
        "names no NameNode",
        "how much of what happened is in the logs isn't known: appenders drop lines",
        "nameNodeWebs: [http://NAMENODE:9870]   one for each of observe.auditLogs, in their order");
  }

  private static List<Finding> zone(Facts facts) {
    return Servers.each(
        facts.nameNodes(),
        Facts.Server::properties,
        properties -> {
          String name = properties.getOrDefault("user.timezone", "");
          try {
            ZoneId theirs = ZoneId.of(name);
            return theirs.getRules().equals(facts.settings().zone().getRules())
                ? Optional.empty()
                : problem(
                    Severity.ERROR,
                    "its time zone is " + theirs + ", observe.timeZone " + facts.settings().zone(),
                    "the times in its log would be taken for others",
                    "timeZone: " + theirs + "   in section observe");
          } catch (DateTimeException e) {
            return problem(Severity.NOTE, "could not look: its JVM doesn't say its zone", "", "");
          }
        });
  }

  private static List<Finding> callerContexts(Facts facts) {
    int opens = facts.host().samples().stream().mapToInt(Facts.Sample::opens).sum();
    int own = facts.host().samples().stream().mapToInt(Facts.Sample::ownOpens).sum();
    return Servers.conf(
        facts.nameNodes(),
        conf ->
            Servers.isTrue(conf, "hadoop.caller.context.enabled", "false")
                ? Optional.empty()
                : problem(
                    Severity.WARNING,
                    "hadoop.caller.context.enabled is false"
                        + (own == 0
                            ? ""
                            : ", and "
                                + own
                                + " of the last "
                                + opens
                                + " opens in the audit logs are by the service's own user, which count nothing"),
                    "the service's own calls, and those of maintenance, are told apart by the user alone",
                    "hadoop.caller.context.enabled=true in core-site.xml of the NameNodes, then"
                        + " hdfs dfsadmin -reconfig namenode HOST:PORT start; or read as another user"));
  }

  private static List<Finding> clientTrace(Facts facts) {
    Severity severity = facts.settings().clientTrace() ? Severity.ERROR : Severity.NOTE;
    return Servers.each(
        facts.dataNodes(),
        Facts.Server::logLevel,
        level ->
            Set.of("DEBUG", "TRACE", "ALL").contains(level.toUpperCase(Locale.ROOT))
                ? Optional.empty()
                : problem(
                    severity,
                    "clienttrace has level " + level,
                    "HDFS_READ is logged at DEBUG: without it nobody knows how many bytes are read",
                    "append conf/log4j-clienttrace.properties to log4j.properties of the DataNodes; until then"
                        + " hadoop daemonlog -setlevel DATANODE:9864"
                        + " org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace DEBUG"));
  }

  private static List<Finding> served(Facts facts) {
    Seen<Optional<Facts.Served>> seen = facts.host().served();
    if (seen.value().isEmpty()) {
      return List.of(Finding.unseen("heat.checkpoint", seen.why()));
    }
    Optional<Facts.Served> served = seen.value().get().filter(each -> !each.finding().isEmpty());
    return Servers.one(
        served.isPresent(),
        Severity.WARNING,
        "DataNodes",
        served.map(each -> each.finding() + " (until " + each.until() + ")").orElse(""),
        "the service plans by which replicas readers take, and savings and reports are told by it",
        "observe.clientTraceLogs: the service then measures which storage types serve reads");
  }

  private static List<Finding> shortCircuit(Facts facts) {
    boolean on = Servers.isTrue(facts.host().conf(), "dfs.client.read.shortcircuit", "false");
    return Servers.one(
        on && facts.settings().clientTrace(),
        Severity.NOTE,
        "dfs.client.read.shortcircuit",
        "clients on DataNodes read past these",
        "clienttrace has no bytes of such reads; the audit log has their opens",
        "");
  }
}
