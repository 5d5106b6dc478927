// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditSourceTest {

  @TempDir Path directory;

  @Test
  void countsOthersAccessesAndNotItsOwn() throws IOException {
    Path log = directory.resolve("hdfs-audit.log");
    Files.writeString(
        log,
        line("alice", "open", "/a", "null", "")
            + line("thermocline", "open", "/own", "null", "")
            + line("alice", "open", "/own-by-context", "null", "\tcallerContext=thermocline")
            + line("alice", "listStatus", "/a", "null", "")
            + line("alice", "rename (options=[TO_TRASH])", "/a", "/b", "")
            + line("alice", "addCacheDirective", "{id: 1}", "null", "")
            + "garbage\n"
            + line("bob", "delete", "/b", "null", "")
            + line("bob", "create", "/c", "null", ""));
    List<AccessEvent> events = new ArrayList<>();
    try (AuditSource source =
        new AuditSource(
            List.of(log),
            AuditLogTailer.Start.BEGINNING,
            new AuditInterpreter(Set.of("thermocline"), "thermocline"))) {
      source.poll(events::add);

      assertEquals(9, source.lines());
      assertEquals(1, source.malformedLines());
    }
    assertEquals(
        List.of(
            new AccessEvent(AccessEvent.Kind.READ, "/a", null),
            new AccessEvent(AccessEvent.Kind.RENAME, "/a", "/b"),
            new AccessEvent(AccessEvent.Kind.DELETE, "/b", null),
            new AccessEvent(AccessEvent.Kind.CREATE, "/c", null)),
        events);
  }

  private static String line(
      String user, String command, String source, String destination, String more) {
    return "2026-11-20 19:33:39,065 INFO FSNamesystem.audit: allowed=true\tugi="
        + user
        + " (auth:SIMPLE)\tip=/127.0.0.1\tcmd="
        + command
        + "\tsrc="
        + source
        + "\tdst="
        + destination
        + "\tperm=null\tproto=rpc"
        + more
        + "\n";
  }
}
