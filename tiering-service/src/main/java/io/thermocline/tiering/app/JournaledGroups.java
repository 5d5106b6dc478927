// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.api.Groups;
import io.thermocline.tiering.app.groups.GroupNumbers;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The groups that the journal has, for those who ask over REST.
 *
 * @param journal null while another service acts
 */
record JournaledGroups(TieringService service, Supplier<Journal> journal) implements Groups {

  @Override
  public List<FileGroup> all() {
    return groups().stream().map(JournaledGroups::shown).toList();
  }

  private List<Journal.Group> groups() {
    Journal now = journal.get();
    return now == null ? List.of() : now.groups();
  }

  private static FileGroup shown(Journal.Group group) {
    JournalEntry.GroupMade made = group.made();
    return new FileGroup(
        Long.toString(made.group()),
        made.kind(),
        group.shown().isPresent(),
        Instant.parse(made.at()),
        made.plan(),
        Optional.of(made.file()).filter(file -> !file.isEmpty()),
        made.pattern(),
        made.sequence(),
        made.members().stream().map(each -> new GroupedFile(each.path(), each.bytes())).toList(),
        group.shown().map(JournalEntry.GroupShown::places).orElse(made.places()),
        made.bytes(),
        Optional.of(made.replaces()).filter(id -> id != 0).map(id -> Long.toString(id)),
        made.reason());
  }

  @Override
  public GroupSpace space() {
    GroupNumbers.Kind files = service.groups().files();
    GroupNumbers.Kind raised = service.groups().raised();
    return new GroupSpace(
        files.bytes(),
        files.most(),
        raised.bytes(),
        raised.most(),
        files.groups() + raised.groups());
  }

  @Override
  public void end(String id, String who, String why) throws IOException, InterruptedException {
    service.endGroup(Long.parseLong(id), who, why);
  }
}
