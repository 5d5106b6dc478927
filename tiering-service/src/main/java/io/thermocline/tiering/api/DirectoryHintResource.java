// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.tiering.decide.HintedDirectories;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** By which hints on directories NameNodes are to place new files, and why not by the others. */
public final class DirectoryHintResource implements Resource {

  private final Supplier<Optional<HintedDirectories>> directories;

  /**
   * @param directories empty before the first plan
   */
  public DirectoryHintResource(Supplier<Optional<HintedDirectories>> directories) {
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
                "The hints on directories by which NameNodes place new files, as of the last plan.")
            // To say that there are none would take all of them back from the NameNodes.
            .fails(ErrorCode.STANDBY, ErrorCode.NOT_READY)
            .answers(DirectoryHintList.class, request -> list()));
  }

  private DirectoryHintList list() throws ApiException {
    HintedDirectories now =
        directories
            .get()
            .orElseThrow(
                () ->
                    new ApiException(
                        ErrorCode.NOT_READY,
                        "no plan was made yet, and hints on directories are looked at with each",
                        "the service",
                        "try again after decide.every"));
    return new DirectoryHintList(now.hints().stream().map(DirectoryHint::of).toList(), now.usual());
  }
}
