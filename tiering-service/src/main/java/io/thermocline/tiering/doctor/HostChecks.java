// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import io.thermocline.tiering.doctor.Facts.LocalPath;
import io.thermocline.tiering.doctor.Facts.Use;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Whether this host has what the service's configuration names. */
public final class HostChecks {

  /** Below, journal and heat may fill it within days. */
  static final long LEAST_ROOM = 1L << 30;

  private HostChecks() {}

  /** The checks that need nothing but this host; errors keep a service from starting. */
  public static List<Check> all() {
    return List.of(
        new Check(
            "host.hadoop-conf",
            "hdfs.configuration has a readable core-site.xml and hdfs-site.xml",
            HostChecks::hadoopConf),
        new Check(
            "host.audit-log",
            "observe.auditLogs are readable, and their directories exist",
            facts -> each(facts, Use.AUDIT_LOG, HostChecks::auditLog)),
        new Check(
            "host.clienttrace-log", "observe.clientTraceLogs are readable", HostChecks::traces),
        new Check(
            "host.image",
            "the file of observe.image is readable",
            facts -> each(facts, Use.IMAGE, HostChecks::image)),
        new Check(
            "host.secrets",
            "files of tokens, keys and passwords are readable",
            facts -> each(facts, Use.SECRET, HostChecks::secret)),
        new Check(
            "host.writable",
            "the directories of journal and heat are writable",
            facts -> each(facts, Use.WRITTEN, HostChecks::written)),
        new Check(
            "host.room",
            "journal and heat have a GB of free space",
            facts -> each(facts, Use.WRITTEN, HostChecks::room)));
  }

  /** What all of these find on a host. */
  public static List<Finding> findings(Facts.Host host) {
    Facts facts =
        new Facts(
            null, host, Facts.Hdfs.unreached("", "not asked"), List.of(), List.of(), Map.of());
    return all().stream().flatMap(check -> check.look().apply(facts).stream()).toList();
  }

  private static List<Finding> each(Facts facts, Use use, Function<LocalPath, List<Finding>> look) {
    List<Finding> findings = new ArrayList<>();
    for (LocalPath path : facts.host().paths()) {
      if (path.use() == use) {
        findings.addAll(look.apply(path));
      }
    }
    return findings;
  }

  private static List<Finding> error(boolean isWrong, LocalPath path, String what, String fix) {
    return Servers.one(isWrong, Severity.ERROR, path.setting(), what, "", fix);
  }

  private static List<Finding> closed(LocalPath path) {
    return error(
        path.closed().isPresent(),
        path,
        "this user can't enter the directory " + path.closed().map(Path::toString).orElse(""),
        "give the service's user the group of the directory, and that group the right to enter it");
  }

  private static List<Finding> hadoopConf(Facts facts) {
    String fix = "name the directory of the cluster's Hadoop configuration, often /etc/hadoop/conf";
    List<Finding> findings =
        new ArrayList<>(
            each(
                facts,
                Use.CORE_SITE,
                path -> error(!path.readable(), path, path.path() + " can't be read", fix)));
    // Hadoop takes one that isn't there for one in which nothing is set.
    findings.addAll(
        each(
            facts,
            Use.HDFS_SITE,
            path ->
                Servers.one(
                    !path.readable(),
                    Severity.WARNING,
                    path.setting(),
                    path.path() + " can't be read",
                    "Hadoop's defaults are taken for the cluster's: of NameNodes, of how transfers are"
                        + " protected, of the placement policy",
                    fix)));
    return findings;
  }

  /** The file itself may come later: a NameNode that never was active has written none. */
  private static List<Finding> auditLog(LocalPath path) {
    if (path.isDirectory()) {
      return error(true, path, path.path() + " is a directory", "name the file");
    }
    if (path.exists()) {
      return error(
          !path.readable(),
          path,
          path.path() + " can't be read by this user",
          "give the service's user the group of the log, and the log that group's right to read");
    }
    if (path.closed().isPresent()) {
      return closed(path);
    }
    if (!path.hasParent()) {
      return error(
          true,
          path,
          "there is no directory " + path.path().getParent(),
          "run the service where the NameNode's logs are, or mount them");
    }
    return Servers.one(
        true,
        Severity.WARNING,
        path.setting(),
        "there is no file " + path.path() + " yet",
        "nothing that this NameNode does is seen until it writes one",
        "turn the audit log on (conf/log4j-audit.properties), or name the file that the NameNode writes");
  }

  /**
   * Files may come later; the directory that they come into is there, or something is misspelt.
   */
  private static List<Finding> traces(Facts facts) {
    List<Finding> findings =
        new ArrayList<>(
            each(
                facts,
                Use.CLIENT_TRACE_DIRECTORY,
                path ->
                    path.closed().isPresent()
                        ? closed(path)
                        : error(
                            !path.isDirectory() || !path.readable(),
                            path,
                            path.isDirectory()
                                ? path.path() + " can't be listed by this user"
                                : "there is no directory " + path.path(),
                            "mount the DataNodes' logs, or ship them there")));
    findings.addAll(
        each(
            facts,
            Use.CLIENT_TRACE_LOG,
            path ->
                error(
                    path.isDirectory() || !path.readable(),
                    path,
                    path.isDirectory()
                        ? path.path() + " is a directory"
                        : path.path() + " can't be read by this user",
                    path.isDirectory()
                        ? "name the files in it"
                        : "let the service's user read it")));
    return findings;
  }

  private static List<Finding> image(LocalPath path) {
    return error(
        !path.readable(),
        path,
        path.path() + " isn't there or can't be read",
        "hdfs dfsadmin -fetchImage " + path.path().toAbsolutePath().getParent());
  }

  private static List<Finding> secret(LocalPath path) {
    return error(
        path.isDirectory() || !path.readable(),
        path,
        path.path() + " isn't there or can't be read by this user",
        switch (path.setting()) {
          case "api.tokens" ->
              "make it with 'thermocline token NAME ROLE --append "
                  + path.path()
                  + "', and let the service's user read it";
          case "hdfs.kerberos.keytab" ->
              "make it in kadmin: ktadd -k " + path.path() + " PRINCIPAL" + readBy(path);
          case "api.kerberos.keytab" ->
              "copy the keytab that this host's servers have for HTTP; if they have none, make it in kadmin:"
                  + " ktadd -k "
                  + path.path()
                  + " PRINCIPAL"
                  + readBy(path);
          default -> "name the file, and let the service's user alone read it";
        });
  }

  private static String readBy(LocalPath path) {
    return "; then as root: chown USER "
        + path.path()
        + "; chmod 400 "
        + path.path()
        + "  (PRINCIPAL: "
        + path.setting().replace("keytab", "principal")
        + ", USER: who runs the service)";
  }

  private static List<Finding> written(LocalPath path) {
    return error(
        !path.writable(),
        path,
        path.path() + " can't be made or written by this user, or is a file",
        "as root: install -d -o USER " + path.path() + "  (USER: who runs the service)");
  }

  private static List<Finding> room(LocalPath path) {
    return Servers.one(
        path.writable() && path.room() < LEAST_ROOM,
        Severity.WARNING,
        path.setting(),
        path.path() + " has room for " + (path.room() >> 20) + " MB",
        "without room for its journal the service stops moving data",
        "make room, or name another directory in " + path.setting());
  }
}
