// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MoveQueueTest {

  private final MoveQueue queue = new MoveQueue();
  private int made;

  @Test
  void keepsToTheOrderAcrossNodes() {
    List<Move> moves = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      moves.add(move("n" + i % 3));
      queue.add(waiting(moves.get(i), 1, 0));
    }
    assertEquals(20, queue.size());
    List<Move> taken =
        IntStream.range(0, 20).mapToObj(i -> queue.next(0, move -> true).move()).toList();
    assertEquals(moves, taken);
    assertNull(queue.next(0, move -> true));
    assertEquals(0, queue.size());
  }

  @Test
  void letsOthersPassWhatHasToWait() {
    Move first = move("busy");
    queue.add(waiting(first, 1, 0));
    queue.add(waiting(move("busy"), 1, 0));
    Move other = move("idle");
    queue.add(waiting(other, 1, 0));
    assertEquals(other, queue.next(0, move -> !move.targetNode().equals("busy")).move());
    assertNull(queue.next(0, move -> !move.targetNode().equals("busy")));
    assertEquals(first, queue.next(0, move -> true).move());
  }

  @Test
  void asksOnceForAllThatWaitForTheSameStorages() {
    for (int i = 0; i < 1000; i++) {
      queue.add(waiting(move("n" + i % 9), 1, 0));
    }
    int[] asked = new int[1];
    assertNull(
        queue.next(
            0,
            move -> {
              asked[0]++;
              return false;
            }));
    assertEquals(9, asked[0]);
  }

  @Test
  void keepsWhatIsTriedAgainUntilItsTimeAndThenBehindTheOthers() {
    Move again = move("n1");
    queue.add(waiting(again, 2, 100));
    queue.add(waiting(move("n1"), 3, 200));
    assertNull(queue.next(99, move -> true));
    assertEquals(OptionalLong.of(1), queue.nanosUntilNext(99, move -> 0));
    Move fresh = move("n1");
    queue.add(waiting(fresh, 1, 99));
    assertEquals(fresh, queue.next(100, move -> true).move());
    assertEquals(again, queue.next(100, move -> true).move());
    assertEquals(OptionalLong.of(100), queue.nanosUntilNext(100, move -> 0));
    assertEquals(
        OptionalLong.empty(), queue.nanosUntilNext(200, move -> 0), "it waits for a place alone");
    queue.add(waiting(fresh, 1, 200));
    assertEquals(OptionalLong.of(7), queue.nanosUntilNext(200, move -> 7), "bandwidth");
  }

  @Test
  void givesBackWhatWasNeverBegun() {
    MoveQueue.Waiting begun = waiting(move("n1"), 2, 0);
    MoveQueue.Waiting unbegun = waiting(move("n1"), 1, 0);
    queue.add(begun);
    assertNull(queue.next(0, move -> false));
    queue.add(unbegun);
    assertEquals(Set.of(unbegun.task()), queue.removeUnbegun());
    assertEquals(1, queue.size());
    assertEquals(begun, queue.next(0, move -> true));
    assertTrue(queue.removeUnbegun().isEmpty());
  }

  private static MoveQueue.Waiting waiting(Move move, int attempt, long notBefore) {
    Plan.FileMoves file = new Plan.FileMoves(null, "ONE_SSD", move.path(), List.of(move));
    return new MoveQueue.Waiting(
        new FileTask(file, (of, state, detail) -> {}), move, attempt, 0, notBefore);
  }

  private Move move(String node) {
    FileView.Replica replica = new FileView.Replica(node, node + "-disk", DISK);
    FileView.Block block = new FileView.Block("BP-1", ++made, 1, 10, List.of(replica));
    return new Move("1-" + made, "/f" + made, block, replica, node, node + "-ssd", SSD);
  }
}
