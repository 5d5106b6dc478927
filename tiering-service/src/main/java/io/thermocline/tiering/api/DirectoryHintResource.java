// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.tiering.decide.HintedDirectories;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** By which hints on directories NameNodes are to place new files, and why not by the others. */
public final class DirectoryHintResource implements Resource {

  private final Supplier<HintedDirectories> directories;

  public DirectoryHintResource(Supplier<HintedDirectories> directories) {
    this.directories = directories;
  }

  /** A hint to redirect new files of a directory. */
  public record DirectoryHint(
      @JsonPropertyDescription("of the hint") String id,
      String directory,
      String owner,
      @JsonPropertyDescription("end of the lease, milliseconds since 1970") long expires,
      @JsonPropertyDescription("storage policy that new files are placed by")
          Optional<String> policy,
      @JsonPropertyDescription("whether NameNodes are to follow it") boolean counts,
      @JsonPropertyDescription("why they aren't") Optional<String> objection) {

    static DirectoryHint of(HintedDirectories.One one) {
      return new DirectoryHint(
          one.hint().id(),
          one.hint().path(),
          one.hint().hint().owner(),
          one.hint().hint().leaseExpiryMillis(),
          Optional.of(one.policy()).filter(policy -> !policy.isEmpty()),
          one.counts(),
          Optional.of(one.objection()).filter(words -> !words.isEmpty()));
    }
  }

  /** All of them. */
  public record DirectoryHintList(
      List<DirectoryHint> hints,
      @JsonPropertyDescription("directories below these whose new files are placed as ever")
          List<String> usual) {}

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/directory-hints",
                "By which hints on directories NameNodes are to place new files, as of the last plan.")
            .answers(
                DirectoryHintList.class,
                request -> {
                  HintedDirectories now = directories.get();
                  return new DirectoryHintList(
                      now.hints().stream().map(DirectoryHint::of).toList(), now.usual());
                }));
  }
}
