// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

/** Which paths the lines of a generated audit log name, and who asks for them. Not thread-safe. */
interface AuditPaths {

  /** Chooses the paths of the next line, and changes what there is by what the line says. */
  void choose(AuditCommand command);

  /** The path of the line that was chosen for, as the NameNode escapes it. */
  String source();

  /** Where the line renames it; null where it doesn't. */
  String destination();

  /** Number of the user, from 0. */
  int user();

  /** Number of the application, of four digits at most. */
  int application();
}
