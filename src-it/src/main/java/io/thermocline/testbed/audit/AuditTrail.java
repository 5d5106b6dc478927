// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Lines as the NameNode of Hadoop 3.4 writes them to its audit log, in UTC. Not thread-safe. */
final class AuditTrail {
  private final Appendable out;
  private final StringBuilder line = new StringBuilder();
  private final LogTimes times = new LogTimes();

  AuditTrail(Appendable out) {
    this.out = out;
  }

  void open(long millis, Caller caller, String path) {
    write(millis, caller, "open", path, "null");
  }

  void status(long millis, Caller caller, String path) {
    write(millis, caller, "getfileinfo", path, "null");
  }

  void list(long millis, Caller caller, String path) {
    write(millis, caller, "listStatus", path, "null");
  }

  void append(long millis, Caller caller, String path) {
    write(millis, caller, "append", path, permission(caller));
  }

  void create(long millis, Caller caller, String path) {
    write(millis, caller, "create", path, permission(caller));
  }

  private static String permission(Caller caller) {
    return caller.ugi().substring(0, caller.ugi().indexOf(' ')) + ":hadoop:rw-r-----";
  }

  private void write(long millis, Caller caller, String command, String path, String permission) {
    line.setLength(0);
    line.append(times.of(millis));
    line.append(" INFO FSNamesystem.audit: allowed=true\tugi=").append(caller.ugi());
    line.append("\tip=/").append(caller.address());
    line.append("\tcmd=").append(command);
    line.append("\tsrc=").append(path);
    line.append("\tdst=null\tperm=").append(permission).append("\tproto=rpc");
    if (caller.context() != null) {
      line.append("\tcallerContext=").append(caller.context());
    }
    line.append('\n');
    try {
      out.append(line);
    } catch (IOException e) {
      throw new UncheckedIOException("the audit log can't be written", e);
    }
  }
}
