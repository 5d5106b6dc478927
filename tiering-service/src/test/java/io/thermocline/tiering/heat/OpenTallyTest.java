// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.ReadExtent;
import org.junit.jupiter.api.Test;

class OpenTallyTest {

  private final OpenTally tally = new OpenTally();

  @Test
  void countsOpensByWhatTheyRead() {
    assertEquals(new Opens(0, 0, 0, 1, 1), tally.opens());
    add(Access.Kind.READ, 0, false, ReadExtent.WHOLE);
    add(Access.Kind.READ, 1, false, ReadExtent.WHOLE);
    add(Access.Kind.READ, 1, true, ReadExtent.COLUMNS);
    add(Access.Kind.WRITE, 0, false, ReadExtent.WHOLE);

    assertEquals(3, tally.all());
    assertEquals(new Opens(1, 2, 1, (1 + 1 + 4) / 3.0, (1 + 1 + 0.3) / 3), tally.opens());
  }

  @Test
  void takesBackWhatWasAScanAndCountsWhatWasNone() {
    for (int i = 0; i < 5; i++) {
      add(Access.Kind.READ, i < 3 ? 1 : 0, i == 0, ReadExtent.WHOLE);
    }
    add(Access.Kind.WITHDRAW, 2, false, ReadExtent.WHOLE);
    assertEquals(2, tally.all());
    assertEquals(new Opens(1, 1, 1, 1, 1), tally.opens());
    add(Access.Kind.RESTORE, 0, false, ReadExtent.WHOLE);
    assertEquals(3, tally.all());
    assertEquals(new Opens(2, 1, 1, 1, 1), tally.opens());

    add(Access.Kind.WITHDRAW, 3, false, ReadExtent.WHOLE);
    assertEquals(-1, tally.all(), "more than were counted here");
    assertEquals(new Opens(0, 0, 0, 1, 1), tally.opens());
  }

  /** @param parts of a READ whether it is one, of a WITHDRAW how many are besides */
  private void add(Access.Kind kind, int parts, boolean isAgain, ReadExtent extent) {
    tally.add(new One(kind, parts, isAgain, extent));
  }

  private record One(Kind kind, int parts, boolean isAgain, ReadExtent extent) implements Access {
    @Override
    public boolean isPart() {
      return parts > 0;
    }

    @Override
    public long timeMillis() {
      return 0;
    }

    @Override
    public long nameservice() {
      return 0;
    }

    @Override
    public long key() {
      return 0;
    }

    @Override
    public String path() {
      return "/f";
    }

    @Override
    public String newPath() {
      return null;
    }

    @Override
    public PathHashes hashes() {
      return null;
    }

    @Override
    public PathHashes newHashes() {
      return null;
    }
  }
}
