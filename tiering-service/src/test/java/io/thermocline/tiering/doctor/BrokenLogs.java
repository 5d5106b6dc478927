// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.tiering.doctor.Severity.ERROR;
import static io.thermocline.tiering.doctor.Severity.NOTE;
import static io.thermocline.tiering.doctor.Severity.WARNING;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What {@link LogChecks} find. */
final class BrokenLogs {

  private BrokenLogs() {}

  static List<Broken> cases() {
    return List.of(
        new Broken(
            "logs.audit-appender",
            ERROR,
            "INFO,NullAppender",
            h -> h.properties.put("hdfs.audit.logger", "INFO,NullAppender")),
        new Broken(
            "logs.audit-appender",
            NOTE,
            "log4j.properties",
            h -> h.properties.remove("hdfs.audit.logger")),
        new Broken("logs.audit-level", ERROR, "is WARN", h -> h.auditLevel = "WARN"),
        new Broken(
            "logs.audit-loggers",
            ERROR,
            "is org.x.Sink",
            h -> h.nameNode.put("dfs.namenode.audit.loggers", "org.x.Sink")),
        new Broken(
            "logs.audit-commands",
            ERROR,
            "has open",
            h -> h.nameNode.put("dfs.namenode.audit.log.debug.cmdlist", "getfileinfo, open")),
        new Broken(
            "logs.audit-async",
            WARNING,
            "does nothing",
            h -> {
              h.status.put("SoftwareVersion", "3.4.3");
              h.nameNode.put("dfs.namenode.audit.log.async", "true");
            }),
        new Broken(
            "logs.audit-format",
            ERROR,
            "500 of its last 1000",
            h -> h.sample = new Facts.Sample(Path.of("/log"), Seen.of(1000), 500, 300, 0)),
        new Broken(
            "logs.audit-format",
            NOTE,
            "could not look: it is empty",
            h -> h.sample = new Facts.Sample(Path.of("/log"), Seen.not("it is empty"), 0, 0, 0)),
        new Broken("logs.audit-each", ERROR, "1 logs for 2", h -> h.secondNameNode = h.nameNode),
        new Broken("logs.completeness", WARNING, "names no NameNode", h -> h.measured = false),
        new Broken(
            "logs.time-zone",
            ERROR,
            "is Europe/Berlin",
            h -> h.properties.put("user.timezone", "Europe/Berlin")),
        new Broken(
            "logs.caller-context",
            WARNING,
            "is false",
            h -> h.nameNode.remove("hadoop.caller.context.enabled")),
        new Broken(
            "logs.caller-context",
            WARNING,
            "and 20 of the last 300 opens in the audit logs are by the service's own user",
            h -> {
              h.nameNode.remove("hadoop.caller.context.enabled");
              h.sample = new Facts.Sample(Path.of("/log"), Seen.of(1000), 1, 300, 20);
            }),
        new Broken("logs.clienttrace-level", ERROR, "level INFO", h -> h.traceLevel = "INFO"),
        new Broken(
            "logs.clienttrace-level",
            NOTE,
            "level INFO",
            h -> {
              h.clientTrace = false;
              h.traceLevel = "INFO";
            }),
        new Broken(
            "logs.short-circuit",
            NOTE,
            "read past",
            h -> h.here.put("dfs.client.read.shortcircuit", "true")),
        new Broken(
            "logs.served",
            WARNING,
            "programs keep files open (until 2026-11-20T10:00:00Z)",
            h ->
                h.served =
                    Optional.of(
                        new Facts.Served(
                            0.4, "2026-11-20T10:00:00Z", "40 %: programs keep files open"))));
  }
}
