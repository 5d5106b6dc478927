// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** Groups of files that are read together, and what they take. */
public final class GroupResource implements Resource {

  private static final Param ID = Param.name("id", "the group's id");

  private final Groups groups;

  public GroupResource(Groups groups) {
    this.groups = groups;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/groups", "Groups of files that are read together, newest first.")
            .answersPage(
                Groups.FileGroup.class,
                request -> Page.of(request, newestFirst(), Function.identity())),
        Route.get(
                "/groups/space", "How much space copies of groups use, and the most they may use.")
            .answers(Groups.GroupSpace.class, request -> groups.space()),
        Route.get("/groups/{id}", "One of them.")
            .takes(ID)
            .fails(ErrorCode.NO_SUCH_GROUP)
            .answers(Groups.FileGroup.class, request -> group(request.text(ID))),
        Route.post(
                "/groups/{id}/dissolve",
                "Ends a group: its copies are removed, and not made again for a time.",
                Command.class)
            .takes(ID)
            .fails(ErrorCode.NO_SUCH_GROUP, ErrorCode.NOT_NOW, ErrorCode.HDFS_UNAVAILABLE)
            .answers(Accepted.class, this::end));
  }

  private List<Groups.FileGroup> newestFirst() {
    List<Groups.FileGroup> all = new ArrayList<>(groups.all());
    Collections.reverse(all);
    return all;
  }

  private Groups.FileGroup group(String id) throws ApiException {
    return groups.all().stream()
        .filter(group -> group.id().equals(id))
        .findAny()
        .orElseThrow(
            () ->
                new ApiException(
                    ErrorCode.NO_SUCH_GROUP,
                    "there is no group " + id,
                    "id",
                    ApiServer.ROOT + "/groups lists those that there are"));
  }

  private Accepted end(Request request) throws ApiException, IOException, InterruptedException {
    Groups.FileGroup group = group(request.text(ID));
    Command command = request.body(Command.class);
    String words =
        "group "
            + group.id()
            + " ("
            + Quantities.count(group.members().size(), "file")
            + ", "
            + Quantities.bytes(group.bytes())
            + ")";
    if (!command.isMeant()) {
      return Accepted.wouldBe("removes the copies of " + words);
    }
    try {
      groups.end(group.id(), request.caller().name(), command.why());
    } catch (IllegalStateException e) {
      throw new ApiException(
          ErrorCode.NOT_NOW, e.getMessage(), "group", "see " + ApiServer.ROOT + "/control");
    }
    return Accepted.done("the copies of " + words + " are gone");
  }
}
