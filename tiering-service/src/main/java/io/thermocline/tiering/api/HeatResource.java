// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.HotFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Files and directories: how hot, where, why. */
public final class HeatResource implements Resource {

  private static final Param FILE = Param.hdfsPath("path", "the path of a file in HDFS");
  private static final Param DIRECTORY = Param.hdfsPath("path", "the path of a directory in HDFS");

  private final Heats heats;

  public HeatResource(Heats heats) {
    this.heats = heats;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/heat", "Files that decisions are made of, hottest first, as of the last plan.")
            .answersPage(
                HeatOfFile.class,
                request -> Page.of(request, heats.hottest(), Function.identity())),
        Route.get("/directories", "The directories in one, hottest first, as of the last plan.")
            .takes(DIRECTORY)
            .answersPage(
                HeatOfDirectory.class,
                request ->
                    Page.of(
                        request, heats.directories(request.text(DIRECTORY)), Function.identity())),
        Route.get("/files", "A file: how hot, where, why, and what comes next.")
            .takes(FILE)
            .fails(ErrorCode.NO_SUCH_FILE, ErrorCode.NOT_READY, ErrorCode.HDFS_UNAVAILABLE)
            .answers(FileState.class, this::file));
  }

  private FileState file(Request request) throws ApiException, IOException {
    String path = request.text(FILE);
    Explanation explanation =
        heats
            .explain(path)
            .orElseThrow(
                () ->
                    new ApiException(
                        ErrorCode.NOT_READY,
                        "no plan was made yet",
                        "path",
                        "try again after decide.every"));
    Explanation.Standing standing = explanation.standing();
    if (standing == null) {
      throw new ApiException(
          ErrorCode.NO_SUCH_FILE,
          String.join("; ", explanation.lines()),
          "path",
          "ask for a file below manage.paths");
    }
    HotFile hot = standing.hot();
    return new FileState(
        new HeatOfFile(
            path,
            hot.blockReads(),
            hot.density() * (1 << 20),
            hot.file().length(),
            standing.lead(),
            Optional.ofNullable(standing.wouldLead()),
            hot.file().owner()),
        hot.file().replication(),
        standing.bytes(),
        standing.share(),
        standing.rank(),
        standing.of(),
        standing.hold().reason(),
        explanation.decision().map(next -> next.target() + ": " + next.reason()),
        heats.profile(path),
        heats.access(hot.file()),
        heats.hints(path),
        explanation.lines());
  }
}
