// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import static io.thermocline.tiering.app.HintedFiles.NOW;
import static io.thermocline.tiering.app.HintedFiles.OWNER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.tiering.api.HintDesk;
import io.thermocline.tiering.app.HintedFiles;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.SeenAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The book follows what stands on files. */
class HintKeeperTest {

  @TempDir Path directory;
  private HintedFiles hdfs;
  private HintKeeper keeper;

  @BeforeEach
  void open() throws Exception {
    hdfs = new HintedFiles(directory, 2);
    keeper = hdfs.keeper();
  }

  @AfterEach
  void close() throws IOException {
    hdfs.close();
  }

  @Test
  void whatIsInThePlaceOfAnotherHasItsRoom() throws Exception {
    stand("/w/a", OWNER, Operation.MIGRATE);
    stand("/w/b", OWNER, Operation.PIN, Operation.MIGRATE);
    assertEquals(2, keeper.book().operationsOf(OWNER));
    stand("/w/c", OWNER, Operation.PREFETCH);
    assertEquals(List.of("/w/c"), refused(OWNER), "one too many");

    stand("/w/a", OWNER, Operation.PREFETCH);
    assertEquals(List.of("/w/c"), refused(OWNER));
    assertTrue(keeper.book().hint(id("/w/a", ".prefetch")).isPresent());
    assertTrue(keeper.book().hint(id("/w/a", ".migrate")).isEmpty());
    assertEquals(2, keeper.book().operationsOf(OWNER));
    // Looked at again, and now there is room.
    stand("/w/a", OWNER);
    look("/w/c");
    assertEquals(List.of(), refused(OWNER));
    assertTrue(keeper.book().hint(id("/w/c", ".prefetch")).isPresent());
  }

  @Test
  void whatWasDeletedOrRenamedIsRefusedNoMore() throws Exception {
    for (String path : List.of("/w/d/a", "/w/d/b", "/w/e")) {
      stand(path, "somebody", Operation.PIN);
    }
    assertEquals(List.of("/w/d/a", "/w/d/b", "/w/e"), refused(OWNER));
    keeper.accept(SeenAccess.of(Access.Kind.DELETE, "/w/d/a"));
    assertEquals(List.of("/w/d/b", "/w/e"), refused(OWNER));
    keeper.accept(SeenAccess.rename("/w/d", "/w/f"));
    assertEquals(List.of("/w/e"), refused(OWNER));
    keeper.accept(SeenAccess.of(Access.Kind.CREATE, "/w/e"));
    assertEquals(List.of(), refused(OWNER));
  }

  @Test
  void whatNamesAnotherOwnerStandsUnderTheFilesOwn() throws Exception {
    stand("/w/a", "somebody", Operation.PIN);
    assertEquals(List.of("/w/a"), refused(OWNER));
    assertEquals(List.of(), refused("somebody"));
  }

  /** What was set while nobody saw it; directories count, and are looked at with what is below. */
  @Test
  void aScanGoesOnWhereTheLastOneEndedAndBeginsAgain() throws Exception {
    List<String> paths = IntStream.range(0, 10).mapToObj(i -> "/w/" + i).toList();
    List<FileView> files = new ArrayList<>();
    for (String path : paths) {
      hdfs.files.put(path, Map.of());
      files.add(0, new FileView(path, 1, 3, 0, List.of(), OWNER, null));
    }
    for (int round = 0; round < 2; round++) {
      for (List<String> looked :
          List.of(
              paths.subList(0, 3),
              paths.subList(3, 6),
              paths.subList(6, 9),
              paths.subList(9, 10))) {
        hdfs.asked.clear();
        keeper.scan(files);
        List<String> expected = new ArrayList<>(looked);
        expected.add(1, "/w");
        assertEquals(expected, hdfs.asked);
      }
    }
  }

  /** Has these hints stand on a file, and no others, as the audit log tells. */
  private void stand(String path, String owner, Operation... operations) throws IOException {
    Map<String, byte[]> attributes = new HashMap<>();
    for (Operation operation : operations) {
      Hint hint =
          Hint.onFile(operation, path)
              .owner(owner)
              .leaseExpiryMillis(NOW.plus(Duration.ofHours(1)).toEpochMilli())
              .build();
      attributes.put(
          HintWire.attributeOf(operation), HintWire.encode(hint).getBytes(StandardCharsets.UTF_8));
    }
    hdfs.files.put(path, attributes);
    look(path);
  }

  private static String id(String path, String operation) {
    return HintedFiles.inode(path) + operation;
  }

  private void look(String path) throws IOException {
    keeper.accept(SeenAccess.of(Access.Kind.ATTRIBUTES, path).at(NOW));
    keeper.refresh();
  }

  private List<String> refused(String owner) {
    return keeper.refused(owner).stream().map(HintDesk.Refused::path).sorted().toList();
  }
}
