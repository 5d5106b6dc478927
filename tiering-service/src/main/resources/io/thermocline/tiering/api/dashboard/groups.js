// SPDX-License-Identifier: Apache-2.0
// Files that are read together, and the copies that were made for that.
import { h, tags } from "./lib.js";
import { useLive } from "./api.js";
import { Act, List, Notice, When } from "./parts.js";
import * as words from "./words.js";

const { section, h2, p, div } = tags;

const KINDS = { MAKE_FILE: "copies in a file", RAISE: "one more replica" };

export function Groups() {
  const space = useLive("/groups/space", 5);
  return [
    section({ class: "wide" },
      h2(null, "What they take"),
      h(Notice, { error: space.error }),
      space.data && isOff(space.data) && p({ class: "empty" },
        "Groups are off. With groups, files that are read together get copies that lie together: set decide.actions.groups."),
      space.data && !isOff(space.data) && p(null, of("Group files", space.data.fileBytes, space.data.mostFileBytes),
        of("; extra replicas", space.data.raisedBytes, space.data.mostRaisedBytes), ".")),
    section({ class: "wide" },
      h2(null, "Files that are read together"),
      h(List, {
        path: "/groups", title: "Newest first", row: (group) => ({ ...group, key: group.id }), empty: "No files are known to be read together.",
        columns: [
          { name: "Files", long: true, of: (group) => group.members.map((member) =>
            div({ key: member.path }, `${member.path} (${words.bytes(member.sizeBytes)})`)) },
          { name: "Pattern", of: (group) => `${group.pattern}, ${group.sequence.replace("_", " ")}` },
          { name: "Made", of: (group) => group.complete ? KINDS[group.kind] : `${KINDS[group.kind]}, under way` },
          { name: "On", of: (group) => group.places.join(", ") },
          { name: "Takes", number: true, of: (group) => words.bytes(group.bytes) },
          { name: "Since", of: (group) => [h(When, { at: group.since }), `, plan ${group.plan}`] },
          { name: "Why", long: true, of: (group) => group.replaces ? `${group.reason}; anew, as a file changed` : group.reason },
          { name: "Dissolve it", number: true, of: (group) => h(Act, { name: "Dissolve", path: `/groups/${group.id}/dissolve` }) },
        ],
      })),
  ];
}

// Nothing may be made, and nothing is left of before.
const isOff = (space) => [space.mostFileBytes, space.mostRaisedBytes, space.fileBytes, space.raisedBytes].every((bytes) => bytes === 0);

function of(name, used, most) {
  return most === 0 ? `${name}: none may be made` : `${name}: ${words.bytes(used)} of ${words.bytes(most)}`;
}
