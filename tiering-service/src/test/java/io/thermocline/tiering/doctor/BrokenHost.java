// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.tiering.doctor.Severity.ERROR;
import static io.thermocline.tiering.doctor.Severity.WARNING;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What {@link HostChecks} find. */
final class BrokenHost {

  private BrokenHost() {}

  static List<Broken> cases() {
    return List.of(
        new Broken("host.hadoop-conf", ERROR, "can't be read", unreadable(Facts.Use.CORE_SITE)),
        new Broken("host.hadoop-conf", WARNING, "can't be read", unreadable(Facts.Use.HDFS_SITE)),
        new Broken("host.audit-log", ERROR, "can't be read", unreadable(Facts.Use.AUDIT_LOG)),
        new Broken(
            "host.audit-log",
            ERROR,
            "is a directory",
            h -> h.replace(Healthy.directory(Facts.Use.AUDIT_LOG))),
        new Broken(
            "host.audit-log",
            ERROR,
            "no directory /gone",
            h -> h.replace(absent(Facts.Use.AUDIT_LOG, false, true))),
        new Broken(
            "host.audit-log",
            WARNING,
            "there is no file /gone/p yet",
            h -> h.replace(absent(Facts.Use.AUDIT_LOG, true, true))),
        new Broken(
            "host.audit-log",
            ERROR,
            "this user can't enter the directory /closed",
            closed(Facts.Use.AUDIT_LOG)),
        new Broken(
            "host.clienttrace-log",
            ERROR,
            "this user can't enter the directory /closed",
            closed(Facts.Use.CLIENT_TRACE_DIRECTORY)),
        new Broken(
            "host.clienttrace-log",
            ERROR,
            "no directory /gone/p",
            h -> h.replace(absent(Facts.Use.CLIENT_TRACE_DIRECTORY, false, true))),
        new Broken(
            "host.clienttrace-log",
            ERROR,
            "is a directory",
            h -> h.replace(Healthy.directory(Facts.Use.CLIENT_TRACE_LOG))),
        new Broken("host.secrets", ERROR, "can't be read", unreadable(Facts.Use.SECRET)),
        new Broken("host.image", ERROR, "can't be read", unreadable(Facts.Use.IMAGE)),
        new Broken(
            "host.writable",
            ERROR,
            "can't be made or written",
            h -> h.replace(absent(Facts.Use.WRITTEN, true, false))),
        new Broken(
            "host.room",
            WARNING,
            "room for 5 MB",
            h ->
                h.replace(
                    new Facts.LocalPath(
                        Facts.Use.WRITTEN,
                        "s",
                        Path.of("/p"),
                        true,
                        true,
                        Optional.empty(),
                        true,
                        true,
                        true,
                        5 << 20))));
  }

  private static Consumer<Healthy> unreadable(Facts.Use use) {
    return healthy -> healthy.replace(Healthy.path(use, false));
  }

  private static Facts.LocalPath absent(Facts.Use use, boolean hasParent, boolean writable) {
    return new Facts.LocalPath(
        use,
        "s",
        Path.of("/gone/p"),
        false,
        false,
        Optional.empty(),
        hasParent,
        false,
        writable,
        1L << 40);
  }

  private static Consumer<Healthy> closed(Facts.Use use) {
    return healthy ->
        healthy.replace(
            new Facts.LocalPath(
                use,
                "s",
                Path.of("/closed/p"),
                false,
                false,
                Optional.of(Path.of("/closed")),
                true,
                false,
                false,
                1L << 40));
  }
}
